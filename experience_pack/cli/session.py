"""What every command shares: its options, its workspace, how it prints."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from experience_pack.cli import output
from experience_pack.model.record import Json
from experience_pack.store import outbox
from experience_pack.workspace.folder import Folder, open_folder
from experience_pack.workspace.meaning import keep_up
from experience_pack.workspace.mirror import drain


class Session:
    """One call of a command."""

    def __init__(self, *, workspace: Path | None, user: bool, json: bool) -> None:
        self.start = workspace or Path.cwd()
        self.user = user
        self.json = json

    @contextmanager
    def folder(self) -> Iterator[Folder]:
        """Open the workspace, and close it in order."""
        folder = open_folder(self.start, user=self.user)
        try:
            yield folder
        finally:
            folder.close()

    @contextmanager
    def writing(self) -> Iterator[Folder]:
        """Open the workspace; what was saved goes to its cards at the end."""
        with self.folder() as folder:
            yield folder
            write_cards(folder)

    def print(self, value: Json, say: Callable[[], None]) -> None:
        """Print a value for programs, or have it said for people."""
        if self.json:
            output.result_json(value)
        else:
            say()


def write_cards(folder: Folder) -> None:
    """Write the cards that wait, with a bar where a person looks on."""
    with folder.locked():
        drain(folder, watch=lambda items: output.progress(items, "writing cards"))
    if outbox.waiting(folder.store, outbox.LESSONS):
        from experience_pack.packs import diary  # it brings git

        diary.settle(folder)
    keep_up(folder, lambda items: output.progress(items, "comparing meanings"))


def command(**attributes: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command that takes a `Session` first and has the common options."""

    def wrap(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def call(
            *, workspace: Path | None, user: bool, as_json: bool, **rest: Any
        ) -> Any:
            session = Session(workspace=workspace, user=user, json=as_json)
            return function(session, **rest)

        made: click.Command = click.command(**attributes)(_common(call))
        return made

    return wrap


def _common(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    click.option(
        "--workspace",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Use the workspace of this folder instead of the current one.",
    ),
    click.option("--user", is_flag=True, help="Use your own workspace."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout."),
)
