"""`backup`: one file that holds a workspace, made, looked at and put back."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError
from experience_pack.model import Backup, Json
from experience_pack.workspace import backup, folder, restore

_EXPERIENCES = "experiences"
_MOST_SHOWN = 10


@click.group(name="backup")
def backup_command() -> None:
    """Keep the whole workspace in one file, and put it back.

    \b
    experience-pack backup create            into .experience/backups/
    experience-pack backup list
    experience-pack backup verify FILE       every byte and every row
    experience-pack backup restore FILE      the state before it is kept

    A backup holds the store, the cards, the settings, the packs and their history. It
    is your own state, rights included: restore only what you made yourself.
    """  # noqa: D301


@command(name="create")
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE", help="Write this file instead.",
)  # fmt: skip
def _create(session: Session, target: Path | None) -> None:
    """Make a backup; others may go on writing meanwhile."""
    with session.folder() as opened:
        made = backup.create(opened, target)
    session.print(_json(made.path, made.manifest), lambda: _say_made(made))


def _say_made(made: backup.Made) -> None:
    output.result(f"wrote {made.path}: {_held(made.manifest)}")
    for name in made.manifest.left_out[:_MOST_SHOWN]:
        output.note(f"left out: {name} (a link, or a name that no backup takes)")
    if len(made.manifest.left_out) > _MOST_SHOWN:
        output.note(f"and {len(made.manifest.left_out) - _MOST_SHOWN} more")


@command(name="list")
def _list(session: Session) -> None:
    """List the backups in the workspace, the oldest first."""
    found = backup.listed(_workspace(session))

    def say() -> None:
        rows = [(f"{one.size:,} bytes", one.path.name, _line(one)) for one in found]
        output.table(rows, (19, 42))
        if not found:
            output.note("No backups. `experience-pack backup create` makes one.")

    value = [
        {"size": one.size, "fault": one.fault, **_json(one.path, one.manifest)}
        for one in found
    ]
    session.print(value, say)


@command(name="verify")
@click.argument("file")
def _verify(session: Session, file: str) -> None:
    """Check every byte and every row of FILE: a path, or a name in backups/."""
    path = backup.find(_workspace(session, needed=False), file)
    manifest = backup.verify(path)

    def say() -> None:
        output.result(f"{path.name} is sound: {_held(manifest)}")
        output.result(f"made {manifest.created_at} by {manifest.release}")

    session.print(_json(path, manifest), say)


@command(name="restore")
@click.argument("file")
def _restore(session: Session, file: str) -> None:
    """Put the workspace into the state of FILE: a path, or a name in backups/.

    Everything is checked first. The state before it is kept as a backup of its own. A
    restore that is cut short is brought to its end by the next command.
    """
    workspace = _workspace(session)
    done = restore.restore(workspace, backup.find(workspace, file))

    def say() -> None:
        output.result(f"restored {_held(done.manifest)}")
        output.result(f"the state before is kept in {done.before}")
        if done.left_out:
            files = output.counted(len(done.left_out), "file")
            output.note(f"{files} that no backup takes: moved to {done.aside}")

    value = {
        "before": str(done.before),
        "left_out": list(done.left_out),
        **_json(None, done.manifest),
    }
    session.print(value, say)


def _workspace(session: Session, *, needed: bool = True) -> Path:
    """Give the folder of the workspace, whether or not its store can be opened."""
    try:
        return folder.find_folder(session.start, user=session.user)
    except NotFoundError:
        if needed:
            raise
        return session.start


def _held(manifest: Backup) -> str:
    experiences = output.counted(manifest.tables[_EXPERIENCES].rows, "experience")
    files = output.counted(len(manifest.members), "file")
    return f"{experiences}, {files}"


def _line(one: backup.Listed) -> str:
    return _held(one.manifest) if one.manifest else one.fault


def _json(path: Path | None, manifest: Backup | None) -> dict[str, Json]:
    value: dict[str, Json] = {"path": str(path)} if path else {}
    if manifest is not None:
        value["created_at"] = manifest.created_at
        value["experiences"] = manifest.tables[_EXPERIENCES].rows
        value["files"] = len(manifest.members)
    return value


for _command in (_create, _list, _verify, _restore):
    backup_command.add_command(_command)
