"""Merge a pack with another that came of it: `pack merge`.

The common ancestor of each text is what both descend from as the pack tells it, and
else the newest version that both histories have. Text by text it is an import that
keeps what was changed here; what is done besides is the pack's own: its members, its
version, and a version in its history that comes from both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from experience_pack.errors import UsageError
from experience_pack.model import Membership, PackInfo
from experience_pack.packs import membership
from experience_pack.packs.bundles import bundle_in, merge_base, take_in, told
from experience_pack.packs.compare import advise
from experience_pack.packs.history import BRANCH, History, Unfinished
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.judge import Known
from experience_pack.packs.layout import Files
from experience_pack.packs.manifest import read_manifest
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.packs.publish import fetch
from experience_pack.packs.releases import (
    check_recorded,
    compared,
    files_of,
    history_of,
    writing,
)
from experience_pack.packs.trust import check_trusted
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trials import retry
from experience_pack.store import experiences, imports
from experience_pack.workspace.folder import Folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Merging:
    """What a merge would do."""

    plan: Plan
    base: str | None
    """The newest version of ours that theirs comes from too, if there is one."""
    tip: str | None
    """Theirs in our history, or None if it came without one."""
    tags: Mapping[str, str]
    """Commits of theirs that have a name, by it."""
    added: tuple[str, ...]
    """Ids of what becomes a member here."""
    withdrawn: tuple[str, ...]
    """Ids of what leaves the pack, because it left there and was not changed here."""
    stays: tuple[str, ...]
    """Ids of what left there, but was changed here or answers the pack's query."""
    nothing_new: bool
    """Whether ours comes from theirs already."""
    comes_from_ours: bool
    """Whether theirs comes from our newest version."""


class Arrived(NamedTuple):
    """The history that came with theirs."""

    tip: str | None
    tags: Mapping[str, str]


class MergeDone(NamedTuple):
    """What a merge did."""

    receipt: int | None
    commit: str | None
    """None if there was nothing to record."""
    version: str
    cleared: tuple[str, ...]


def plan_merge(folder: Folder, name: str, files: Files, source: str) -> Merging:
    """Give what merging the files of a pack of that name would do.

    Objects of a history that they carry come into ours; nothing else is written. A
    pack that was not recorded as it is now is a `UsageError`.
    """
    theirs = _trusted(folder, name, files, source)
    with writing(folder, name) as (history, _):
        arrived = _take_history(history, files)
    return _planned(folder, name, theirs, arrived)


def plan_revision(folder: Folder, name: str, revision: str) -> Merging:
    """Give what merging a version that our own history has would do."""
    history = history_of(folder, name)
    tip = history.resolve(revision)
    theirs = incoming_of(history.files(tip), f"{name} {revision}")
    return _planned(folder, name, theirs, Arrived(tip, {}))


def plan_remote(folder: Folder, name: str, remote: str) -> Merging:
    """Give what merging with what a git remote has would do; its objects come in."""
    with writing(folder, name) as (history, _):
        tip, files = fetch(folder, history, remote)
    theirs = _trusted(folder, name, files, remote)
    return _planned(folder, name, theirs, Arrived(tip, {}))


def carry_out(folder: Folder, name: str, merging: Merging) -> MergeDone:
    """Write a merge in one transaction, and record it as a version of both.

    `undo` takes the texts back. What both sides worded anew is proposed; until that is
    decided and recorded, the history does not say that theirs was taken in, so that
    nobody takes our words for an answer to theirs.
    """
    if merging.nothing_new:
        return MergeDone(None, None, membership.load(folder, name).pack.version, ())
    theirs = merging.tip or merging.plan.incoming.content_digest
    with writing(folder, name) as (history, cleared):
        history.set_merging(Unfinished(theirs, None))
        receipt = apply(folder.store, merging.plan)
        written = [item.experience.id for item in merging.plan.writes()]
        retry(folder.store, policy_of(folder.config.values()), written)
        history.set_merging(Unfinished(theirs, receipt))
        known = _members_after(membership.load(folder, name), merging)
        pack = _pack_after(history, known.pack, files_of(folder, known), merging)
        known = replace(known, pack=pack)
        membership.save(folder, known)
        commit = _record(history, files_of(folder, known), merging, folder)
        _take_tags(history, merging.tags)
        if not merging.plan.conflicts():
            history.set_merging(None)
    return MergeDone(receipt, commit, known.pack.version, cleared)


def _record(
    history: History, files: Files, merging: Merging, folder: Folder
) -> str | None:
    """Record the result; where theirs is all of it, theirs itself is our newest."""
    if merging.tip and merging.comes_from_ours and _is_theirs(files, merging):
        history.forward(merging.tip)
        return merging.tip
    decided = not merging.plan.conflicts()
    parents = [merging.tip] if merging.tip and decided else []
    return history.commit(files, _message(merging), folder.store.clock(), parents)


def _take_tags(history: History, tags: Mapping[str, str]) -> None:
    known = history.tags()
    for tag, commit in tags.items():
        if tag not in known:
            history.tag(tag, commit)


def _is_theirs(files: Files, merging: Merging) -> bool:
    there = merging.plan.incoming.content_digest
    return read_manifest(files).content_digest == there


def _trusted(folder: Folder, name: str, files: Files, source: str) -> Incoming:
    """Read the pack that is meant, signed as the workspace asks."""
    check_trusted(folder, files)
    found = incoming_of(files, source)
    if found.info.name != name:
        raise UsageError(
            f"{source} is the pack {found.info.name}, not {name}",
            hint="A pack merges with a state of itself; `pack import` takes in any.",
        )
    return found


def _take_history(history: History, files: Files) -> Arrived:
    """Bring in the history that a pack carries, if it has one."""
    bundle = bundle_in(files)
    if bundle is None:
        return Arrived(None, {})
    found = told(files)
    references = take_in(history, bundle)
    return Arrived(references[BRANCH], found.tags if found else {})


def _planned(folder: Folder, name: str, theirs: Incoming, arrived: Arrived) -> Merging:
    history, tip = history_of(folder, name), arrived.tip
    unfinished = history.merging()
    going_on = unfinished and unfinished.theirs == (tip or theirs.content_digest)
    head = history.resolve(BRANCH) if going_on else check_recorded(folder, name)
    common = merge_base(history, head, tip) if tip else None
    base = common or _named_in_both(history, head, theirs, tip)
    before = incoming_of(history.files(base)) if base else None
    plan = make_plan(folder.store, theirs, _options(folder, theirs, before))
    known = before.digests if before else {}
    here = experiences.digests(folder.store)
    pack = membership.load(folder, name)
    members = {*membership.members(folder.store, pack)}
    left = members & (known.keys() - theirs.digests.keys())
    unchanged = {one for one in left if here[one] == known[one]}
    withdrawn = unchanged & {*pack.experiences}
    return Merging(
        plan=plan,
        base=base,
        tip=tip,
        tags=arrived.tags,
        added=tuple(sorted({*_arriving(plan)} - members - known.keys())),
        withdrawn=tuple(sorted(withdrawn)),
        stays=tuple(sorted(left - withdrawn)),
        nothing_new=common == tip if tip else _is_older(theirs, before),
        comes_from_ours=common == head,
    )


def _is_older(theirs: Incoming, before: Incoming | None) -> bool:
    return before is not None and before.content_digest == theirs.content_digest


def _named_in_both(
    history: History, head: str, theirs: Incoming, tip: str | None
) -> str | None:
    """Give our newest version whose content digest is named over there.

    Histories that began apart have no common version, but may have the same content.
    """
    there = {*history.content_digests(tip).values()} if tip else set()
    there.add(theirs.content_digest)
    ours = history.content_digests(head)
    return next((one for one, digest in ours.items() if digest in there), None)


def _options(
    folder: Folder, theirs: Incoming, before: Incoming | None
) -> ImportOptions:
    """Keep ids, but where an import gave a text of theirs another one here."""
    brought = imports.local_ids(folder.store)
    here = experiences.digests(folder.store)
    ids = {one: one if one in here else brought.get(one, one) for one in theirs.digests}
    known = Known(
        ids=ids,
        digests=before.digests if before else {},
        bases={one.id: one for one in before.experiences} if before else {},
    )
    kept = all(there == local for there, local in ids.items())
    return ImportOptions(mode="preserve" if kept else "remap", known=known)


def _arriving(plan: Plan) -> Iterable[str]:
    return (item.experience.id for item in plan.items if item.action != "refused")


def _members_after(known: Membership, merging: Merging) -> Membership:
    kept = {*known.experiences, *merging.added} - {*merging.withdrawn}
    return replace(known, experiences=tuple(sorted(kept)))


def _pack_after(
    history: History, ours: PackInfo, files: Files, merging: Merging
) -> PackInfo:
    """Give what the pack says of itself, with the version that follows both.

    Theirs is taken where ours has nothing new.
    """
    from semver import Version

    theirs = merging.plan.incoming.info
    if _is_theirs(files, merging) and merging.comes_from_ours:
        return theirs
    head = history.resolve(BRANCH)
    highest = max(history.version(head), theirs.version, key=Version.parse)
    if not _is_theirs(files, merging):
        found = compared(history, head, files)
        highest = advise(found).next_version(highest)
    return replace(ours, version=highest)


def _message(merging: Merging) -> str:
    info = merging.plan.incoming.info
    text = f"merge {info.name} {info.version}"
    waiting = len(merging.plan.conflicts())
    return f"{text}; {waiting} left to decide" if waiting else text
