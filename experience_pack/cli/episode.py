"""`episode`: evidence of finished work."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.asking import context_of, runtime
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError
from experience_pack.learning.sessions.bring import (
    Brought,
    bring,
    files_of,
    of_project,
)
from experience_pack.learning.sessions.hosts import HOSTS
from experience_pack.model.record import Json
from experience_pack.store import episodes

_SHOWN = 60  # characters of a text in a list


@click.group(name="episode")
def episode_command() -> None:
    """Keep evidence of finished work.

    \b
    experience-pack episode add monthly_report "spent 5000" --validated
    experience-pack episode add summary - < answer.md
    experience-pack episode list
    """  # noqa: D301


@command(name="add")
@click.argument("source_type", metavar="TYPE")
@click.argument("text")
@click.option("--validated", is_flag=True, help="You say that it is right.")
@click.option("--meta", "pairs", multiple=True, metavar="KEY=VALUE")
def _add(
    session: Session,
    source_type: str,
    text: str,
    validated: bool,
    pairs: tuple[str, ...],
) -> None:
    """Keep a TEXT (- for stdin) as evidence of work of a TYPE."""
    written = sys.stdin.read() if text == "-" else text
    with runtime(session) as core:
        identity = core.save_episode(source_type, written, validated, context_of(pairs))
    session.print({"id": identity}, lambda: output.result(f"added {identity}"))


@command(name="list")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
def _list(session: Session, limit: int) -> None:
    """List episodes, the last first."""
    with session.folder() as folder:
        found = [one.to_dict() for one in episodes.entries(folder.store, limit=limit)]

    def say() -> None:
        rows = [(one["id"], one["type"], one.get("text", "")) for one in found]
        output.table(rows, (30, 16, _SHOWN))

    session.print(found, say)


@command(name="show")
@click.argument("episode")
def _show(session: Session, episode: str) -> None:
    """Show one EPISODE."""
    with runtime(session) as core:
        found = core.get_episode(episode)
    session.print(found, lambda: output.result(found.get("text", "")))


@command(name="import")
@click.argument("host", type=click.Choice([*HOSTS]))
@click.argument(
    "paths", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="[PATH]…"
)
@click.option("--dry-run", is_flag=True, help="Only say what would be kept.")
def _import(
    session: Session, host: str, paths: tuple[Path, ...], dry_run: bool
) -> None:
    """Keep the finished turns of a HOST's sessions, redacted.

    \b
    experience-pack episode import claude-code --dry-run
    experience-pack episode import codex ~/old-sessions

    Without a PATH the host's own folder is looked through for sessions of this
    project; with --user, for all. Only turns that a person typed are kept, never a
    model's thoughts. Once more brings only what is new. They count as evidence as
    soon as you say that they are right: `experience-pack episode validate`.
    """  # noqa: D301
    reader = HOSTS[host]
    with session.folder() as folder:
        files = files_of(reader, paths)
        if not (paths or session.user):
            files = of_project(reader, files, folder.path.parent.resolve())
        if not files:
            raise NotFoundError(
                f"{host} has no session of this project here",
                hint="Name a session file or a folder of them.",
            )
        watched = output.progress(files, "reading sessions")
        done = [*bring(folder.store, reader, watched, write=not dry_run)]
    session.print(_as_json(host, done, dry_run=dry_run), lambda: _say(done, dry_run))


def _as_json(host: str, done: list[Brought], *, dry_run: bool) -> Json:
    files = [{**one._asdict(), "path": str(one.path)} for one in done]
    return {"host": host, "dry_run": dry_run, "files": files}


def _say(done: list[Brought], dry_run: bool) -> None:
    for one in done:
        if one.failure:
            output.note(f"{one.path}: {one.failure}")
        for line in one.broken:
            output.note(f"{one.path}:{line}: no JSON object, passed by")
        if one.new or one.changed or one.gone:
            output.result(
                f"{one.path.name}: {_changes(one.new, one.changed, one.gone)}"
            )
    total = [sum(column) for column in zip(*(one[1:4] for one in done), strict=True)]
    files = output.counted(len(done), "file")
    word = "would be kept" if dry_run else "kept"
    output.result(f"{word} of {files}: {_changes(*total)}")


def _changes(new: int, changed: int, gone: int) -> str:
    named = ((new, "new"), (changed, "changed"), (gone, "taken back"))
    return (
        ", ".join(f"{number:,} {word}" for number, word in named if number)
        or "no change"
    )


@command(name="validate")
@click.argument("identities", nargs=-1, required=True, metavar="EPISODE…")
def _validate(session: Session, identities: tuple[str, ...]) -> None:
    """Say that what these episodes tell is right; then they count as evidence."""
    with session.folder() as folder, folder.store.transaction() as tx:
        found = [episodes.get(tx, one) for one in identities]
        episodes.put_all(tx, [replace(one, user_validated=True) for one in found])
    ids = [one.id for one in found]
    session.print(ids, lambda: output.result(f"validated {', '.join(ids)}"))


for _part in (_add, _list, _show, _import, _validate):
    episode_command.add_command(_part)
