"""`config`: read and set what the table of settings has."""

from __future__ import annotations

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.model.settings import BY_KEY, SETTINGS
from experience_pack.workspace.config import parse_value


@click.group(name="config")
def config_command() -> None:
    """Read and set the configuration.

    \b
    experience-pack config list
    experience-pack config get mask_len
    experience-pack config set mask_len 40

    A variable such as EXPERIENCE_PACK_MASK_LEN stands over the workspace's value,
    the workspace's over your own (--user), and that over the default.
    """  # noqa: D301


@command(name="list")
def _list(session: Session) -> None:
    """List every key with the value in force."""
    with session.folder() as folder:
        values = folder.config.values()

    def say() -> None:
        rows = [(one.key, repr(values[one.key]), one.text) for one in SETTINGS]
        output.table(rows, (28, 24))

    session.print(values, say)


@command(name="get")
@click.argument("key")
def _get(session: Session, key: str) -> None:
    """Print the value of KEY."""
    with session.folder() as folder:
        value = folder.config[key]
    session.print(value, lambda: output.result(str(value)))


@command(name="set")
@click.argument("key")
@click.argument("value")
def _set(session: Session, key: str, value: str) -> None:
    """Set KEY to VALUE in this workspace.

    What only a person can say, such as `review.non_interactive`, is kept in your own
    configuration: a project's file may come from anybody.
    """
    with session.folder() as folder:
        folder.config.set(key, parse_value(key, value))
        found = folder.config[key]
    where = " for you, in every project" if BY_KEY[key].scope == "person" else ""
    session.print({key: found}, lambda: output.result(f"{key} is {found!r}{where}"))


for _part in (_list, _get, _set):
    config_command.add_command(_part)
