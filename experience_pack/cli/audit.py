"""`audit`: look through decisions, and remove old ones."""

from __future__ import annotations

import click

from experience_pack.api.named import resolve
from experience_pack.cli import output
from experience_pack.cli.asking import runtime
from experience_pack.cli.session import Session, command

_DECISIONS = ("execute", "assist", "hint", "delegate")
_SHOWN = 60  # characters of a request in a list


@click.group(name="audit")
def audit_command() -> None:
    """Look through decisions.

    \b
    experience-pack audit list --decision delegate
    experience-pack audit show DECISION
    experience-pack audit cleanup --days 90
    """  # noqa: D301


@command(name="list")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--experience", default="", help="Only decisions about this one.")
@click.option("--decision", type=click.Choice(_DECISIONS), default=None)
def _list(session: Session, limit: int, experience: str, decision: str | None) -> None:
    """List decisions, the last first."""
    with runtime(session) as core:
        about = resolve(core.store, experience) if experience else ""
        found = core.audit_logs(limit, about, decision or "")

    def say() -> None:
        if not found:
            output.note("Nothing was asked yet. `experience-pack request TEXT` asks.")
        rows = [
            (one["decision_id"], one["decision"], one["created_at"], one["input"])
            for one in found
        ]
        output.table(rows, (36, 8, 20, _SHOWN))

    session.print(found, say)


@command(name="show")
@click.argument("decision")
def _show(session: Session, decision: str) -> None:
    """Show one DECISION in full."""
    with runtime(session) as core:
        found = core.audit_get(decision)

    def say() -> None:
        output.heading(f"{found['decision']}: {found['input']}")
        for one in found["sources"]:
            output.result(f"used      {one['name']} ({one['relation']})")
        for one in found["rejected"]:
            output.result(f"rejected  {one['name']}: {one['detail']}")
        rating = found["feedback_rating"]
        output.result(f"rating    {'none' if rating is None else rating}")

    session.print(found, say)


@command(name="cleanup")
@click.option("--days", type=click.FloatRange(0), help="Keep so many days.")
def _cleanup(session: Session, days: float | None) -> None:
    """Remove decisions older than the days given, or than the setting says."""
    with runtime(session) as core:
        removed = core.cleanup_audit(days)
    session.print(
        {"removed": removed}, lambda: output.result(f"removed {removed} decisions")
    )


for _part in (_list, _show, _cleanup):
    audit_command.add_command(_part)
