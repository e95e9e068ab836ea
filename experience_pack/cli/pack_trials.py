"""`pack test`, `pack replay`: requests, tried where a pack is to serve."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command
from experience_pack.clock import days_before
from experience_pack.errors import NotFoundError
from experience_pack.packs import membership
from experience_pack.packs.incoming import Incoming, incoming_of, read_incoming
from experience_pack.packs.plan import make_plan
from experience_pack.packs.releases import history_of
from experience_pack.packs.replay import Replayed, asked_of, replay
from experience_pack.runtime.policy import Policy, policy_of
from experience_pack.runtime.trials import Trial, retry, try_out
from experience_pack.store import Store, decisions, imports
from experience_pack.workspace.folder import Folder


@command(name="test")
@click.argument("source")
def test_command(session: Session, source: str) -> int:
    """Run the tests of a pack: a file or folder, or the NAME of one that is here.

    \b
    experience-pack pack test releases.xpack      before it is imported
    experience-pack pack test releases            again, as it stands here

    Each request goes through this workspace's own matcher and gate, beside what is
    here, as if the experience were approved and authorised. Where a test fails, the
    experience assists at most. Exit 11 says that one failed, 10 that there are none.
    """  # noqa: D301
    path = Path(source)
    with _receiver(session, needed=not path.exists()) as (folder, store, policy):
        if folder is not None and not path.exists():
            trials = retry(store, policy, _members(folder, source))
        else:
            plan = make_plan(store, read_incoming(path))
            trials = try_out(store, policy, [item.prepared for item in plan.items])
    if not trials:
        raise NotFoundError(
            f"{source} has no tests",
            hint="Write requests under `Must match`, `Must not match` or "
            "`Must not execute` of a card.",
        )
    session.print([one.to_dict() for one in trials], lambda: _say(trials))
    return 0 if all(one.passed for one in trials) else FOUND_SOMETHING


@contextmanager
def _receiver(
    session: Session, *, needed: bool
) -> Iterator[tuple[Folder | None, Store, Policy]]:
    """Give the workspace that is to serve the pack, or an empty store without one."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(session.folder())
        except NotFoundError:
            if needed:
                raise
            yield None, Store.in_memory(), policy_of()
            return
        yield folder, folder.store, policy_of(folder.config.values())


def _members(folder: Folder, name: str) -> list[str]:
    """Give the ids of a pack that is made here, or that came in."""
    if name in membership.names(folder):
        return membership.members(folder.store, membership.load(folder, name))
    origins = imports.origins(folder.store)
    found = [one for one, pack in origins.items() if pack.split(" ")[0] == name]
    if not found:
        raise NotFoundError(
            f"there is no pack {name}", hint="`experience-pack pack list` shows them."
        )
    return found


def _say(trials: tuple[Trial, ...]) -> None:
    for one in trials:
        mark = "passed" if one.passed else "FAILED"
        rule = f", {one.rule}: {one.detail}" if one.rule else ""
        output.result(f"{mark}  {one.name}: {one.expected} “{one.request}”")
        output.result(f"        {one.outcome}{rule}")
    failed = sum(not one.passed for one in trials)
    output.result(f"{output.counted(len(trials), 'test')}, {failed} failed")


@command(name="replay")
@click.argument("old")
@click.argument("new")
@click.option(
    "--days",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="How far back.",
)
@click.option("--limit", type=click.IntRange(1), help="At most so many decisions.")
def replay_command(
    session: Session, old: str, new: str, days: float, limit: int | None
) -> int:
    """Show which decisions the version NEW of a pack would change, with the texts.

    \b
    experience-pack pack replay releases@1.0.0 releases       recorded, and as it is
    experience-pack pack replay releases releases-2.xpack     as it is, and a file

    The requests that were recorded here are asked again under both, in memory,
    without the context that came with them and without providers. Exit 11 says that
    something would change, 10 that nothing was recorded.
    """  # noqa: D301
    with session.folder() as folder:
        store = folder.store
        versions = _version(folder, old), _version(folder, new)
        since = days_before(store.clock(), days)
        listed = decisions.since(store, since, -1 if limit is None else limit)
        asked = asked_of(listed)
        if not (asked.requests or asked.unkept):
            raise NotFoundError(f"no request was recorded in the last {days:g} days")
        found = replay(store, policy_of(folder.config.values()), versions, asked)
    value = {
        "asked": len(asked.requests),
        "unkept": asked.unkept,
        "changes": [one.to_dict() for one in found.changes],
    }
    session.print(value, lambda: _say_replayed(found))
    return FOUND_SOMETHING if found.changes else 0


_MOST_OF_A_TEXT = 12  # lines


def _version(folder: Folder, words: str) -> Incoming:
    """Give a version: a file or folder, NAME as it is here, or NAME@VERSION."""
    if Path(words).exists():
        return read_incoming(Path(words))
    name, _, revision = words.rpartition("@")
    if name:
        return incoming_of(history_of(folder, name).files(revision), words)
    known = membership.load(folder, words)
    return incoming_of(membership.exported(folder.store, known).files, words)


def _say_replayed(found: Replayed) -> None:
    asked = found.asked
    for one in found.changes:
        times = f", asked {one.times} times" if one.times > 1 else ""
        output.heading(f"“{one.request}”{times}")
        for mark, side in (("-", one.before), ("+", one.after)):
            names = f": {', '.join(side.sources)}" if side.sources else ""
            output.result(f"  {mark} {side.decision}{names}")
            lines = side.text.splitlines()
            for line in lines[:_MOST_OF_A_TEXT]:
                output.result(f"  {mark}   {line}")
            if len(lines) > _MOST_OF_A_TEXT:
                output.result(f"  {mark}   and {len(lines) - _MOST_OF_A_TEXT} lines")
    requests = output.counted(len(asked.requests), "request")
    output.result(f"{requests} asked again, {len(found.changes)} would change")
    if asked.unkept:
        output.note(f"{asked.unkept} were not kept in full and could not be asked.")


COMMANDS = (test_command, replay_command)
