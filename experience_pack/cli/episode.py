"""`episode`: evidence of finished work."""

from __future__ import annotations

import sys

import click

from experience_pack.cli import output
from experience_pack.cli.asking import context_of, runtime
from experience_pack.cli.session import Session, command
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


for _part in (_add, _list, _show):
    episode_command.add_command(_part)
