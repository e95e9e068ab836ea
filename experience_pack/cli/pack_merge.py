"""`pack merge` and `pack push`: how people make a pack together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.pack_history import say_cleared
from experience_pack.cli.plan_text import plan_json, say_plan
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.model.record import Json
from experience_pack.packs import merging, publish, releases
from experience_pack.packs.merging import MergeDone, Merging
from experience_pack.packs.publish import Pushed, is_repository
from experience_pack.packs.source import read_source
from experience_pack.packs.trust import check_trusted
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder


@command(name="merge")
@click.argument("name")
@click.argument("source")
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
def merge_command(session: Session, name: str, source: str, dry_run: bool) -> None:
    """Join the pack NAME with another state of it, field by field.

    \b
    experience-pack pack merge releases theirs.xpack --dry-run
    experience-pack pack merge releases theirs.xpack
    experience-pack pack merge releases git@example.org:team/releases.git
    experience-pack pack merge releases 1.1.0      a version of its own history

    SOURCE is the same pack as another workspace has it: exported, best with its
    history, or published by `pack push`. What was changed here and what was changed
    there both hold; what both worded anew waits in `review list` with our words in
    force. The result is recorded as a version that comes from both, and `undo` takes
    the texts back.
    """  # noqa: D301
    with session.folder() as folder:
        found = _plan(folder, name, source)
        done = None if dry_run else merging.carry_out(folder, name, found)
        if done and done.receipt:
            write_cards(folder)
        value = _json(found, done)
        session.print(value, lambda: _say(folder, found, done))


def _plan(folder: Folder, name: str, source: str) -> Merging:
    path = Path(source)
    if is_repository(source):
        return merging.plan_remote(folder, name, source)
    if not path.exists():
        return merging.plan_revision(folder, name, source)
    files = read_source(path).files
    check_trusted(folder, files)
    return merging.plan_merge(folder, name, files, source)


def _json(found: Merging, done: MergeDone | None) -> dict[str, Json]:
    return {
        **plan_json(found.plan),
        "base": found.base,
        "added": list(found.added),
        "withdrawn": list(found.withdrawn),
        "stays": list(found.stays),
        "nothing_new": found.nothing_new,
        "receipt": done and done.receipt,
        "commit": done and done.commit,
        "version": done and done.version,
    }


def _say(folder: Folder, found: Merging, done: MergeDone | None) -> None:
    if found.nothing_new:
        output.result("Nothing new: what is here comes from it already.")
        return
    say_plan(folder.store, found.plan, dry_run=done is None)
    _say_names(folder, found.withdrawn, "left there, leaves the pack here")
    _say_names(folder, found.stays, "left there, stays in the pack here")
    if found.base is None:
        output.note("No version is known that both come from.")
    if done is None:
        return
    waiting = len(found.plan.conflicts())
    if waiting:
        output.note(f"{waiting} wait for your word: `experience-pack review list`.")
    say_cleared(done.cleared)
    recorded = f"  {done.commit[:10]}" if done.commit else ""
    output.result(f"{found.plan.incoming.info.name} {done.version}{recorded}")


def _say_names(folder: Folder, identities: Sequence[str], text: str) -> None:
    for one in experiences.get_many(folder.store, identities).values():
        output.result(f"  {one.name}: {text}")


@command(name="push")
@click.argument("name")
@click.argument("remote")
@click.option("--tags", is_flag=True, help="Publish the tags too.")
def push_command(session: Session, name: str, remote: str, tags: bool) -> None:
    """Publish the recorded versions of the pack NAME to a git repository.

    \b
    experience-pack pack push releases git@example.org:team/releases.git --tags
    experience-pack pack push releases https://git.example.org/releases.git
    experience-pack pack push releases /srv/git/releases.git

    REMOTE gets the branch main; nothing is forced. Git asks for no password: over ssh
    a server knows you by your key, of https it takes what is open to you.
    """  # noqa: D301
    with session.folder() as folder, releases.writing(folder, name) as (history, _):
        done = publish.push(folder, history, remote, tags=tags)
    session.print(done._asdict(), lambda: _say_pushed(remote, done))


def _say_pushed(remote: str, done: Pushed) -> None:
    if not (done.versions or done.tags):
        output.result(f"{remote} has it all already.")
        return
    tags = f"; tagged {', '.join(done.tags)}" if done.tags else ""
    output.result(f"{remote}: {output.counted(done.versions, 'version')}{tags}")


COMMANDS = (merge_command, push_command)
