"""`pack add`, `install`, `update`, `outdated`, `remove`: the packs one keeps to."""

from __future__ import annotations

from collections.abc import Sequence

import click

from experience_pack.cli import output
from experience_pack.cli.plan_text import plan_json, say_plan
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.model.record import Json
from experience_pack.packs import keep
from experience_pack.packs.address import check_folder, check_revision
from experience_pack.packs.keep import Taken
from experience_pack.packs.lock import project_of
from experience_pack.packs.shelf import place_of
from experience_pack.store import Store


@command(name="add")
@click.argument("source")
@click.option("--at", "revision", default="", help="Tag, branch or commit of it.")
@click.option("--path", default="", help="Folder of the pack inside the source.")
@click.option("--name", default="", help="The pack that is called so in the source.")
def add_command(
    session: Session, source: str, revision: str, path: str, name: str
) -> None:
    """Take in the pack at SOURCE and keep to it: the lock file says which and whence.

    \b
    experience-pack pack add ../releases                      a folder
    experience-pack pack add releases.xpack                   a file
    experience-pack pack add https://host/team/packs.git --path releases
    experience-pack pack add git@host:team/packs.git --name releases --at 1.2.0
    experience-pack undo                                      takes it back

    Without --at the highest version is taken, and `pack update` goes on from there;
    with a tag or a commit it stays. What it needs is taken from beside it.
    """  # noqa: D301
    revision = revision and check_revision(revision)
    path = check_folder(path)
    with session.folder() as folder:
        place = place_of(source, project_of(folder), revision, path)
        taken = keep.add(folder, place, rev=revision, name=name)
        write_cards(folder)
        _print(session, folder.store, taken)


@command(name="update")
@click.argument("names", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
def update_command(session: Session, names: Sequence[str], dry_run: bool) -> None:
    """Bring the packs NAMES, or all, to the newest that their sources have.

    \b
    experience-pack pack update --dry-run
    experience-pack pack update releases

    What was edited here stays: both sides are joined field by field, and two
    wordings of one field wait for you in `experience-pack review list`. A version
    never goes down by itself.
    """  # noqa: D301
    with session.folder() as folder:
        taken = keep.update(folder, names, dry_run=dry_run)
        if not dry_run:
            write_cards(folder)
        _print(session, folder.store, taken, dry_run=dry_run)


def _print(
    session: Session, store: Store, taken: Sequence[Taken], *, dry_run: bool = False
) -> None:
    def say() -> None:
        if not taken:
            output.note("No packs yet: `experience-pack pack add SOURCE`.")
        for one in taken:
            _say(store, one, dry_run=dry_run)

    session.print([_json(one) for one in taken], say)


def _say(store: Store, one: Taken, *, dry_run: bool) -> None:
    if one.action == "same" and not one.plan.writes():
        output.result(f"{one.name} {one.after.version}: nothing newer")
        return
    say_plan(store, one.plan, dry_run=dry_run)
    if one.before is not None and one.before.version != one.after.version:
        output.result(f"{one.before.version} → {one.after.version}")
    if one.dropped:
        output.result(f"{len(one.dropped):>6}  taken out: the pack has it no longer")
    if one.kept:
        output.result(f"{len(one.kept):>6}  kept: the pack has it no longer")


def _json(one: Taken) -> dict[str, Json]:
    return {
        "name": one.name,
        "action": one.action,
        "before": one.before and one.before.version,
        "locked": one.after.to_dict(),
        "dropped": list(one.dropped),
        "kept": list(one.kept),
        **plan_json(one.plan),
    }


@command(name="install")
@click.option("--frozen", is_flag=True, help="Never change the lock; refuse instead.")
def install_command(session: Session, frozen: bool) -> None:
    """Bring the store to exactly what the lock file says.

    \b
    experience-pack pack install             after a pull that changed the lock
    experience-pack pack install --frozen    in CI

    A source that has other bytes than the lock says is refused (exit 9), and nothing
    is written.
    """  # noqa: D301
    with session.folder() as folder:
        done = keep.install(folder, frozen=frozen)
        write_cards(folder)
    value = {"installed": [_json(one) for one in done.taken], "removed": done.removed}

    def say() -> None:
        for one in done.taken:
            output.result(f"{one.name} {one.after.version}: as the lock says")
        for name in done.removed:
            output.result(f"{name}: taken out, since the lock has it no longer")
        if not (done.taken or done.removed):
            output.result("The store is what the lock says.")

    session.print(value, say)


@command(name="outdated")
def outdated_command(session: Session) -> int:
    """List the packs for which `pack update` would bring something; exit 11 if any."""
    with session.folder() as folder:
        found = keep.outdated(folder)
    value = [
        {
            "name": one.name,
            "version": one.locked.version,
            "newest": one.found.version,
            "commit": one.found.commit,
        }
        for one in found
    ]

    def say() -> None:
        rows = [
            (one.name, f"{one.locked.version} → {one.found.version}", one.found.source)
            for one in found
        ]
        output.table(rows, (24, 20))
        if not found:
            output.result("Every pack is the newest that its source has.")

    session.print(value, say)
    return FOUND_SOMETHING if found else 0


@command(name="remove")
@click.argument("name")
def remove_command(session: Session, name: str) -> None:
    """Take out the pack NAME: what it brought goes, what was edited here stays.

    \b
    experience-pack pack remove releases
    experience-pack undo                    brings it back

    It can be added again at any time.
    """  # noqa: D301
    with session.folder() as folder:
        done = keep.remove(folder, name)
        write_cards(folder)

    def say() -> None:
        count = output.counted(len(done["removed"]), "experience")
        output.result(f"took out {name}: {count}")
        if done["kept"]:
            count = output.counted(len(done["kept"]), "experience")
            output.result(f"kept {count}: edited here, or not its alone")

    value = {key: list(ids) for key, ids in done.items()}
    session.print(value, say)


COMMANDS = (
    add_command,
    install_command,
    update_command,
    outdated_command,
    remove_command,
)
