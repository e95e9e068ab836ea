"""`goal`: long-term goals that requests are reminded of."""

from __future__ import annotations

from collections.abc import Sequence

import click

from experience_pack.cli import output
from experience_pack.cli.asking import runtime
from experience_pack.cli.session import Session, command

_STATUSES = ("active", "done", "dropped")


@click.group(name="goal")
def goal_command() -> None:
    """Keep long-term goals.

    \b
    experience-pack goal add "release 1.0" --keyword release
    experience-pack goal update GOAL --progress "docs are left"
    experience-pack goal update GOAL --status done
    """  # noqa: D301


@command(name="add")
@click.argument("title")
@click.option("--detail", default="", help="How one sees that it is reached.")
@click.option("--keyword", "keywords", multiple=True, help="A word that brings it up.")
def _add(session: Session, title: str, detail: str, keywords: Sequence[str]) -> None:
    """Set a goal."""
    with runtime(session) as core:
        identity = core.goal_add(title, detail, keywords)
    session.print({"id": identity}, lambda: output.result(f"added {identity}  {title}"))


@command(name="list")
@click.option("--status", type=click.Choice(_STATUSES), help="Only these.")
def _list(session: Session, status: str | None) -> None:
    """List goals."""
    with runtime(session) as core:
        found = core.goal_list(status or "")

    def say() -> None:
        rows = [(one["id"], one["status"], one["title"]) for one in found]
        output.table(rows, (31, 8))
        if not found:
            output.note("No goals. `experience-pack goal add TITLE` sets one.")

    session.print(found, say)


@command(name="update")
@click.argument("goal")
@click.option("--title")
@click.option("--detail")
@click.option("--progress", help="Where it stands.")
@click.option("--status", type=click.Choice(_STATUSES))
def _update(session: Session, goal: str, **fields: str | None) -> None:
    """Change a GOAL, named by its id."""
    given = {key: value for key, value in fields.items() if value is not None}
    with runtime(session) as core:
        found = core.goal_update(goal, **given)
    text = f"{found['title']}: {found['status']}"
    session.print(found, lambda: output.result(text))


@command(name="delete")
@click.argument("goal")
def _delete(session: Session, goal: str) -> None:
    """Delete a GOAL, named by its id."""
    with runtime(session) as core:
        core.goal_delete(goal)
    session.print({"deleted": goal}, lambda: output.result(f"deleted {goal}"))


@command(name="state")
def _state(session: Session) -> None:
    """Say which goals are active and how often requests were reminded."""
    with runtime(session) as core:
        found = core.goal_state()

    def say() -> None:
        for one in found["goals"]:
            output.result(f"{one['title']}  {one['progress']}".rstrip())
        output.result(f"reminded {found['goal_inject_stats']['total']} times")

    session.print(found, say)


for _part in (_add, _list, _update, _delete, _state):
    goal_command.add_command(_part)
