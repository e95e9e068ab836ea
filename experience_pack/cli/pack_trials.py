"""`pack test`: the requests that a pack brings, tried where it is to serve."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError
from experience_pack.packs import membership
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.plan import make_plan
from experience_pack.runtime.policy import Policy, policy_of
from experience_pack.runtime.trials import Trial, retry, try_out
from experience_pack.store import Store, imports
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


COMMANDS = (test_command,)
