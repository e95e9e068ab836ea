"""Keep a workspace to packs: add, update, install what the lock says, remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from experience_pack.errors import CheckFailedError, DigestError, RefusedError
from experience_pack.model import Lock, LockedPack, PackChange
from experience_pack.packs.fetched import Fetched, fetch, fetch_all
from experience_pack.packs.install import carry_out
from experience_pack.packs.lock import (
    known_of,
    path_of,
    project_of,
    settle,
    settled_lock,
    write_lock,
)
from experience_pack.packs.plan import ImportOptions, Plan, make_plan, tried
from experience_pack.packs.ranges import check_demands, in_order
from experience_pack.packs.removal import leave, remove_all, still_here
from experience_pack.packs.shelf import Place, place_in_lock
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trials import retry
from experience_pack.store import Transaction, imports, packs
from experience_pack.workspace.folder import Folder


class Taken(NamedTuple):
    """What became of one pack."""

    name: str
    action: str
    """`added`, `updated` or `same`."""
    before: LockedPack | None
    after: LockedPack
    plan: Plan
    dropped: tuple[str, ...] = ()
    """Experiences that the pack no longer has, taken out here."""
    kept: tuple[str, ...] = ()
    """Likewise, but edited here, and so kept."""


def add(folder: Folder, place: Place, *, rev: str = "", name: str = "") -> list[Taken]:
    """Take in a pack, and what it needs from beside it, and keep to it.

    All of it or nothing; the lock follows. Adding it again at another revision moves
    it there.
    """
    lock = settled_lock(folder)
    found = fetch_all(folder, lock, place, rev, name)
    return _take_all(folder, lock, found)


def update(
    folder: Folder, names: Sequence[str] = (), *, dry_run: bool = False
) -> list[Taken]:
    """Bring packs to the newest that their sources have: those named, or all.

    A pack pinned to a tag or a commit stays there. A source whose version went down
    is a `RefusedError`, and nothing is written.
    """
    lock = settled_lock(folder)
    found: dict[str, Fetched] = {}
    for name in _named(lock, names):
        locked = lock.packs[name]
        place = place_in_lock(locked, project_of(folder))
        found |= fetch_all(folder, lock, place, locked.rev)
        _refuse_lower(name, locked, found)
    if dry_run:
        return _plans(folder, lock, found)
    return _take_all(folder, lock, found)


class Newer(NamedTuple):
    """A pack whose source has something else than the lock."""

    name: str
    locked: LockedPack
    found: LockedPack


def outdated(folder: Folder) -> list[Newer]:
    """Give the packs for which `update` would do something."""
    lock = settled_lock(folder)
    found = []
    for name, locked in sorted(lock.packs.items()):
        place = place_in_lock(locked, project_of(folder))
        now = fetch(folder, lock, place, locked.rev, "").locked
        if now.digest != locked.digest:
            found.append(Newer(name, locked, now))
    return found


class Installed(NamedTuple):
    """What bringing the store to the lock did."""

    taken: tuple[Taken, ...]
    removed: tuple[str, ...]
    """Packs that the lock no longer has."""


def install(folder: Folder, *, frozen: bool = False) -> Installed:
    """Bring the store to what the lock says, to exactly those digests.

    A source that has other bytes than the lock says is a `DigestError`, and nothing
    is written. Frozen, a lock that would have to change is a `CheckFailedError`.
    """
    lock = settled_lock(folder)
    check_demands(lock.packs)
    here = packs.all_of(folder.store)
    extra = sorted(set(here) - set(lock.packs))
    if frozen:
        _refuse_changes(folder, extra)
    wanted = {name: one for name, one in lock.packs.items() if here.get(name) != one}
    found = {name: _fetch_exactly(folder, lock, name) for name in wanted}
    with folder.store.transaction() as tx:
        leaving = {name: here[name] for name in extra}
        remove_all(tx, leaving, lock.packs, local=True)
        taken = tuple(
            _take(tx, folder, lock, found[name], local=True)
            for name in in_order(lock.packs)
            if name in found
        )
        differing = {
            one.name: one.after for one in taken if one.after != lock.packs[one.name]
        }
        if frozen and differing:
            listed = ", ".join(sorted(differing))
            raise CheckFailedError(f"the lock does not fit what came of: {listed}")
    if differing:
        write_lock(folder, replace(lock, packs={**lock.packs, **differing}))
    return Installed(tuple(_tested(folder, taken)), tuple(extra))


def remove(folder: Folder, name: str) -> Mapping[str, tuple[str, ...]]:
    """Take a pack out: what it brought goes, what was edited here stays.

    Gives the ids under `removed` and `kept`. While another pack needs it, it is a
    `RefusedError`.
    """
    lock = settled_lock(folder)
    (name,) = _named(lock, [name])
    rest = {one: pack for one, pack in lock.packs.items() if one != name}
    needing = [one for one, pack in rest.items() if name in pack.dependencies]
    if needing:
        raise RefusedError(
            f"{', '.join(sorted(needing))} needs {name}",
            hint="Remove what needs it first.",
        )
    with folder.store.transaction() as tx:
        left = remove_all(tx, {name: lock.packs[name]}, rest)
    settle(folder)
    return left


def _named(lock: Lock, names: Sequence[str]) -> list[str]:
    for name in names:
        still_here(lock, name)
    return sorted(names or lock.packs)


def _refuse_lower(name: str, before: LockedPack, found: Mapping[str, Fetched]) -> None:
    from semver import Version

    if name not in found:
        raise RefusedError(
            f"{before.source} has no longer {name}, but {', '.join(found)}",
            hint=f"`experience-pack pack remove {name}`, then add what is there.",
        )
    now = found[name].locked
    if Version.parse(now.version) < Version.parse(before.version):
        raise RefusedError(
            f"{name} would go down from {before.version} to {now.version}",
            hint=f"If you want that: `experience-pack pack add {now.source} --at REV`, "
            "or remove it and add it anew.",
        )


def _refuse_changes(folder: Folder, extra: Sequence[str]) -> None:
    if not path_of(folder).exists():
        raise CheckFailedError(
            f"there is no {path_of(folder).name}, so there is nothing to install",
            hint="`experience-pack pack add SOURCE` begins one.",
        )
    if extra:
        raise CheckFailedError(
            f"the store keeps to {', '.join(extra)}, of which the lock says nothing",
            hint="Without --frozen they are taken out.",
        )


def _fetch_exactly(folder: Folder, lock: Lock, name: str) -> Fetched:
    locked = lock.packs[name]
    place = place_in_lock(locked, project_of(folder))
    found = fetch(folder, lock, place, locked.commit or locked.rev, "")
    if (found.name, found.locked.digest) != (name, locked.digest):
        raise DigestError(
            f"{locked.source} has no longer what the lock says of {name} "
            f"{locked.version}",
            hint=f"`experience-pack pack update {name}` takes what is there now.",
        )
    return replace(found, locked=replace(found.locked, rev=locked.rev))


def _take_all(folder: Folder, lock: Lock, found: Mapping[str, Fetched]) -> list[Taken]:
    _check_all(lock, found)
    order = in_order({name: one.locked for name, one in found.items()})
    with folder.store.transaction() as tx:
        taken = [_take(tx, folder, lock, found[name]) for name in order]
    settle(folder)
    return _tested(folder, taken)


def _plans(folder: Folder, lock: Lock, found: Mapping[str, Fetched]) -> list[Taken]:
    _check_all(lock, found)
    policy = policy_of(folder.config.values())
    planned = [_planned(folder, lock, found[name]) for name in sorted(found)]
    return [one._replace(plan=tried(folder.store, one.plan, policy)) for one in planned]


def _tested(folder: Folder, taken: Sequence[Taken]) -> list[Taken]:
    """Run the tests of what was taken in; until they pass nothing of it executes."""
    written = [{item.experience.id for item in one.plan.writes()} for one in taken]
    policy = policy_of(folder.config.values())
    trials = retry(folder.store, policy, sorted(set().union(*written)))
    return [
        one._replace(
            plan=replace(one.plan, trials=tuple(run for run in trials if run.id in ids))
        )
        for one, ids in zip(taken, written, strict=True)
    ]


def _check_all(lock: Lock, found: Mapping[str, Fetched]) -> None:
    coming = {name: one.locked for name, one in found.items()}
    check_demands({**lock.packs, **coming})


def _planned(folder: Folder, lock: Lock, fetched: Fetched) -> Taken:
    name = fetched.name
    before = lock.packs.get(name)
    options = ImportOptions(
        known=replace(known_of(lock, name), bases=fetched.bases),
        follows=before is not None and before.digest != fetched.locked.digest,
    )
    plan = make_plan(folder.store, fetched.incoming, options)
    ours = _ours(folder, before, plan)
    after = replace(
        fetched.locked,
        experiences={one.source_id: one.experience.id for one in plan.items},
        digests={
            one.source_id: one.arrived
            for one in plan.items
            if one.source_id not in ours
        },
    )
    action = "added" if before is None else "updated"
    if before is not None and before.digest == after.digest:
        action = "same"
    return Taken(name, action, before, after, plan)


def _ours(folder: Folder, before: LockedPack | None, plan: Plan) -> set[str]:
    """Give what was here before any pack brought it, by its id in the pack."""
    brought = imports.brought(folder.store)
    known = before.experiences if before else {}
    stated = before.digests if before else {}
    return {
        one.source_id
        for one in plan.items
        if one.before is not None
        and one.source_id not in stated
        and (one.source_id in known or one.experience.id not in brought)
    }


def _take(
    tx: Transaction,
    folder: Folder,
    lock: Lock,
    fetched: Fetched,
    *,
    local: bool = False,
) -> Taken:
    """Take one pack in; `local` where the lock says so already."""
    taken = _planned(folder, lock, fetched)
    here = packs.get(tx, taken.name)
    before = here if local else taken.before
    others = [one for name, one in lock.packs.items() if name != taken.name]
    left = leave(tx, _gone(taken), others)
    change = ""
    if taken.after not in (before, here):
        change = packs.put(
            tx,
            PackChange(
                pack=taken.name,
                before=before,
                after=taken.after,
                local=local,
                standing=left.standing,
                documents=left.documents,
            ),
        )
    elif here != taken.after:
        packs.note(tx, taken.name, taken.after)
    carry_out(tx, taken.plan, change, left.items)
    return taken._replace(dropped=left.removed, kept=left.kept)


def _gone(taken: Taken) -> LockedPack | None:
    """Give the part of what was locked that the pack no longer has."""
    if taken.before is None:
        return None
    gone = taken.before.experiences.keys() - taken.after.experiences.keys()
    return replace(
        taken.before,
        experiences={one: taken.before.experiences[one] for one in sorted(gone)},
    )
