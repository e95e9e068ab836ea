"""`pack commit`, `log`, `diff`, `tag`, `restore`: the history of a pack."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.comparison import PAGE_OPTION, write_page
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.clock import timestamp
from experience_pack.formats.diff import Change
from experience_pack.packs import releases
from experience_pack.packs.compare import Difference, advise
from experience_pack.packs.install import apply
from experience_pack.site.comparison import page_of_versions

_MOST_OF_A_VALUE = 60


@command(name="commit")
@click.argument("name")
@click.option("-m", "--message", default="", help="What the version is about.")
@click.option("--pack-version", help="The version; by default the one advised.")
def commit_command(
    session: Session, name: str, message: str, pack_version: str | None
) -> None:
    """Record the pack NAME as it is now, under the version that its changes ask for.

    The history is a git repository of our own in `.experience/history/`; your
    project's repository is never touched.
    """
    with session.folder() as folder:
        done = releases.record(folder, name, message, version=pack_version)
    value = {
        "commit": done.commit,
        "version": done.version,
        "advice": {"level": done.advice.level, "reason": done.advice.reason},
        "differences": [one.to_dict() for one in done.differences],
    }

    def say() -> None:
        say_cleared(done.cleared)
        if done.commit is None:
            output.result("Nothing has changed since the newest version.")
            return
        output.result(f"{name} {done.version}  {done.commit[:10]}")
        asked = f"{done.advice.level}: {done.advice.reason}"
        output.result(f"  {asked if done.differences else 'joins what was merged'}")

    session.print(value, say)


def say_cleared(locks: Iterable[str]) -> None:
    """Say that locks stood in the way which nobody holds."""
    for lock in locks:
        output.note(f"cleared {lock}, which a killed process had left")


@command(name="log")
@click.argument("name")
def log_command(session: Session, name: str) -> None:
    """List the recorded versions of the pack NAME, the newest first."""
    with session.folder() as folder:
        commits = releases.history_of(folder, name).log()
    value = [{**one._asdict(), "time": timestamp(one.time)} for one in commits]

    def say() -> None:
        if not commits:
            output.note("Nothing is recorded yet: `experience-pack pack commit`.")
        for one in commits:
            tags = f"  ({', '.join(one.tags)})" if one.tags else ""
            output.result(f"{one.id[:10]}  {timestamp(one.time)}  {one.subject}{tags}")

    session.print(value, say)


@command(name="diff")
@click.argument("name")
@click.argument("old", required=False)
@click.argument("new", required=False)
@PAGE_OPTION
def diff_command(
    session: Session, name: str, old: str | None, new: str | None, target: Path | None
) -> None:
    """Show what differs between two versions of the pack NAME, field by field.

    \b
    experience-pack pack diff releases              newest recorded → as it is now
    experience-pack pack diff releases 1.0.0        that version → as it is now
    experience-pack pack diff releases 1.0.0 1.1.0
    experience-pack pack diff releases 1.0.0 -o changes.html
    """  # noqa: D301
    with session.folder() as folder:
        found = releases.differences(folder, name, old, new)
        language = str(folder.config["language"])
    advice = advise(found)
    if target:
        shown = f"{old or 'HEAD'} → {new or '…'}"
        page = page_of_versions(name, shown, language, found, advice)
        write_page(session, page, target)
        return
    value = {
        "differences": [one.to_dict() for one in found],
        "advice": {"level": advice.level, "reason": advice.reason},
    }
    session.print(value, lambda: _say_differences(found, advice.level))


def _say_differences(found: list[Difference], level: str) -> None:
    for one in found:
        was = f" (was {one.before})" if one.op == "renamed" else ""
        output.heading(f"{one.op} {one.name}{was}")
        for line in _change_lines(one.changes):
            output.result(f"  {line}")
    if found:
        output.note(f"This asks for a {level} version.")
    else:
        output.result("Nothing differs.")


def _change_lines(changes: Iterable[Change]) -> Iterable[str]:
    for change in changes:
        if change.op != "added":
            yield f"- {change.path}: {_short(change.before)}"
        if change.op != "removed":
            yield f"+ {change.path}: {_short(change.after)}"


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST_OF_A_VALUE else f"{text[:_MOST_OF_A_VALUE]}…"


@command(name="tag")
@click.argument("name")
@click.argument("label", required=False)
@click.option("--at", "revision", help="The version to name; by default the newest.")
def tag_command(
    session: Session, name: str, label: str | None, revision: str | None
) -> None:
    """Name a recorded version of the pack NAME; LABEL is its version by default."""
    with session.folder() as folder:
        made = releases.tag(folder, name, label, revision)
    session.print({"tag": made}, lambda: output.result(f"tagged {name} {made}"))


@command(name="restore")
@click.argument("name")
@click.argument("revision")
@click.option("--dry-run", is_flag=True, help="Show what would change.")
def restore_command(session: Session, name: str, revision: str, dry_run: bool) -> None:
    """Bring the experiences of the pack NAME back as REVISION had them.

    What is here now stays a version of each experience, and `undo` takes it back.
    """
    with session.folder() as folder:
        plan = releases.plan_of(folder, name, revision)
        if not dry_run:
            apply(folder.store, plan)
            write_cards(folder)
    counts = plan.counts()

    def say() -> None:
        for action, number in counts.items():
            output.result(f"{number:>6}  {action}")

    session.print({"counts": counts}, say)


COMMANDS = (commit_command, log_command, diff_command, tag_command, restore_command)
