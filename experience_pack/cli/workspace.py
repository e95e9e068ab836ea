"""`init`, `sync`, `status`, `undo`: the life of a workspace."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.learning import review
from experience_pack.model.record import Json
from experience_pack.packs import cards, install, lock, membership
from experience_pack.store import experiences, outbox, standings
from experience_pack.workspace import folder as folders
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror import Report, sync
from experience_pack.workspace.mirror.report import STATES

_MOST_SHOWN = 20


@command(name="init")
@click.argument("directory", type=click.Path(path_type=Path), default=".")
@click.option(
    "--merge-driver", is_flag=True, help="Have git merge the cards field by field."
)
def init_command(session: Session, directory: Path, merge_driver: bool) -> None:
    """Make a workspace in DIRECTORY, or complete the one that is there.

    \b
    experience-pack init            in this folder
    experience-pack init --user     your own, for all projects

    In a fresh clone the cards that are there are read into a new database; in a
    linked git worktree the main tree's workspace is used. Run it as often as you like.
    With --merge-driver a line goes into `.experience/.gitattributes`, and two settings
    into the configuration of this clone; every clone has to be told once.
    """  # noqa: D301
    if directory.exists() and not directory.is_dir():
        raise click.BadParameter(f"{directory} is no folder", param_hint="DIRECTORY")
    folder = folders.create(directory, user=session.user)
    try:
        report = sync(folder)
        value = {"workspace": str(folder.path), **report.to_dict()}
        session.print(value, lambda: _say_init(folder, report))
        if merge_driver:
            _say_driver(cards.install_driver(folder))
    finally:
        folder.close()


def _say_driver(config: Path | None) -> None:
    if config:
        output.note(f"Git merges the cards of this clone by it now: {config}")
        return
    output.note("Tell every clone of the project:")
    for line in cards.driver_commands():
        output.note(f"  {line}")


def _say_init(folder: Folder, report: Report) -> None:
    output.result(f"The workspace is {folder.path}")
    count = output.counted(experiences.count(folder.store), "experience")
    output.result(f"It holds {count}.")
    _say_report(report)
    output.note("Next: `experience-pack add`, or `experience-pack pack import FILE`.")


@command(name="sync")
@click.option("--check", is_flag=True, help="Change nothing; exit 11 if it would.")
@click.option(
    "--take",
    type=click.Choice(["cards", "store"]),
    help="Who wins where card and store both changed.",
)
@click.option("--restore", is_flag=True, help="Write missing cards again.")
def sync_command(session: Session, check: bool, take: str | None, restore: bool) -> int:
    """Take in edited cards, write waiting ones, renew the dashboard.

    \b
    experience-pack sync                 both ways; conflicts are named, not decided
    experience-pack sync --check         only say what would happen
    experience-pack sync --take cards    the cards win

    Nothing is deleted because a file is missing.
    """  # noqa: D301
    with session.folder() as folder:
        report = sync(folder, check=check, take=take or "", restore=restore)
        if not check:
            _renew_dashboard(folder, changed=bool(report.findings))
        waiting = outbox.waiting(folder.store, outbox.CARD)
        session.print(report.to_dict(), lambda: _say_report(report))
    pending = bool(report.findings or waiting) if check else bool(report.attention)
    return FOUND_SOMETHING if pending else 0


def _renew_dashboard(folder: Folder, *, changed: bool) -> None:
    from experience_pack.site.dashboard import write_dashboard

    path = folder.path / folders.DASHBOARD
    if changed or not path.exists():
        write_dashboard(folder, path)


def _say_report(report: Report) -> None:
    counts = report.counts()
    if not counts:
        output.result(f"{output.counted(report.cards, 'card')}, nothing to do.")
    for state, number in counts.items():
        meaning = STATES[state]
        output.result(f"{number:>6}  {state}: {meaning.text}")
        if meaning.attention:
            _say_findings(report, state)
            output.note(f"        {meaning.hint}")


def _say_findings(report: Report, state: str) -> None:
    found = [finding for finding in report.findings if finding.state == state]
    for finding in found[:_MOST_SHOWN]:
        detail = f": {finding.detail}" if finding.detail else ""
        output.result(f"        {finding.path}{detail}")
    if len(found) > _MOST_SHOWN:
        output.result(f"        and {len(found) - _MOST_SHOWN} more")


@command(name="status")
def status_command(session: Session) -> None:
    """Say what is here, what waits, and what to do next."""
    with session.folder() as folder:
        value = _status(folder)
        session.print(value, lambda: _say_status(value))


def _status(folder: Folder) -> dict[str, Json]:
    store = folder.store
    report = sync(folder, check=True)
    topics = (outbox.CARD, outbox.LESSONS)
    waiting = [one for topic in topics for one in outbox.waiting(store, topic)]
    return {
        "workspace": str(folder.path),
        "name": folder.name,
        "experiences": experiences.count(store),
        "packs": membership.names(folder),
        "unreviewed": review.count_waiting(store, standings.seen_here(store)),
        "pending_cards": report.counts(),
        "outbox": [item._asdict() for item in waiting],
    }


def _say_status(value: dict[str, Json]) -> None:
    count = output.counted(value["experiences"], "experience")
    output.heading(f"{value['name']}: {count}")
    output.result(f"workspace  {value['workspace']}")
    if value["packs"]:
        output.result(f"packs      {', '.join(value['packs'])}")
    if value["unreviewed"]:
        text = "not confirmed by a person here; they never act on their own"
        output.result(f"unreviewed {value['unreviewed']}, {text}")
    for state, number in value["pending_cards"].items():
        output.result(f"cards      {number} {state}: {STATES[state].text}")
    for item in value["outbox"]:
        error = item["last_error"] or "waits to be written"
        output.result(f"{item['topic']:<10} {item['subject']}: {error}")
    if value["pending_cards"] or value["outbox"]:
        output.note("Next: `experience-pack sync`.")
    elif value["unreviewed"]:
        output.note("Next: `experience-pack review list`.")


@command(name="undo")
@click.option("--import", "number", type=int, help="Take this import back.")
def undo_command(session: Session, number: int | None) -> None:
    """Take the last import back; what was edited here since is kept.

    What added, updated or removed a pack is taken back with its entry in the lock.
    """
    with session.folder() as folder:
        lock.settle(folder)
        done = install.undo(folder.store, number)
        lock.settle(folder)
        write_cards(folder)
    pack = f"{done.receipt.pack} {done.receipt.pack_version}".strip()
    value = {**done._asdict(), "receipt": done.receipt._asdict()}

    def say() -> None:
        output.result(f"Took back import {done.receipt.seq} of {pack}:")
        output.result(f"  {len(done.removed)} removed, {len(done.restored)} restored.")
        if done.kept:
            output.result(f"  {len(done.kept)} were edited here since, and are kept.")

    session.print(value, say)
