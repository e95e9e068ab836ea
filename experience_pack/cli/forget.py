"""`forget`: erase an experience or an episode, here and in the backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from experience_pack.api.named import resolve
from experience_pack.cli import output
from experience_pack.cli.asking import SILENT, asks_person
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError
from experience_pack.packs.forget import Plan, forget, plan_of
from experience_pack.store import Store, erasing

OUT_OF_REACH = (
    "packs, pages and backups that were written elsewhere",
    "other clones and other machines, and what was pushed or published",
    "the project's own git history, if its cards were committed",
    "a source that a pack comes from: `pack install` would bring it again",
)
"""What no command here can erase."""


@command(name="forget")
@click.argument("subject", metavar="EXPERIENCE|EPISODE")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def forget_command(session: Session, subject: str, dry_run: bool) -> None:
    """Erase an EXPERIENCE or EPISODE so that its text is in no file of the workspace.

    \b
    experience-pack forget "Customer list" --dry-run
    experience-pack forget "Customer list"

    `delete` keeps versions and can be taken back; this cannot. Gone are its rows,
    versions, counters, the decisions and proposals that name it, its card and its
    place in packs. A history that holds it is dropped as a whole, backups are written
    anew without it. Only its id stays. What is out of reach is listed.
    """  # noqa: D301
    with session.folder() as folder:
        plan = plan_of(folder, _meant(folder.store, subject))
        if not dry_run:
            asks = asks_person(silent=bool(folder.config[SILENT]))
            _say_plan(plan, output.note)
            if asks:
                click.confirm("Erase this for good?", abort=True, err=True)
        left = [] if dry_run else forget(folder, plan)

    def say() -> None:
        if dry_run:
            _say_plan(plan, output.result)
        else:
            _say_done(plan, left)

    value = {**plan._asdict(), "held": plan.held._asdict(), "still_in": left}
    session.print({**value, "out_of_reach": [*OUT_OF_REACH]}, say)


def _meant(store: Store, words: str) -> str:
    """Give the id; one that is deleted or forgotten already is known by its id."""
    if erasing.is_known(store, words):
        return words
    try:
        return resolve(store, words, part=False)
    except NotFoundError as error:
        raise NotFoundError(
            f"there is no experience and no episode {words!r}",
            hint="`experience-pack list` and `episode list` show what there is.",
        ) from error


def _say_plan(plan: Plan, say: Callable[[str], None]) -> None:
    held = plan.held
    say(f"forget {plan.id}")
    rows = (
        output.counted(held.versions, "version"),
        output.counted(held.decisions, "decision"),
        output.counted(held.proposals, "proposal"),
    )
    say(f"  rows       {', '.join(rows)}")
    for title, names in (
        ("card", plan.cards),
        ("member of", plan.packs),
        ("drop", plan.histories),
        ("drop", plan.dropped),
        ("rewrite", plan.backups),
    ):
        for name in names:
            say(f"  {title:<10} {name}")


def _say_done(plan: Plan, left: Sequence[str]) -> None:
    output.result(f"forgot {plan.id}")
    for name in left:
        output.result(f"  {name} has words of it still: it is said there too")
    for name in plan.histories:
        pack = name.rpartition("/")[2].removesuffix(".git")
        output.note(f"The history of {pack} begins anew with `pack commit {pack}`.")
    output.note("Out of reach:")
    for text in OUT_OF_REACH:
        output.note(f"  {text}")
