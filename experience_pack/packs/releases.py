"""Versions of a pack that this workspace makes: record, compare, tag, bring back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from experience_pack.errors import UsageError
from experience_pack.formats import card
from experience_pack.learning.merges import MERGE
from experience_pack.model import Experience, Membership
from experience_pack.packs import membership
from experience_pack.packs.bundles import write_bundle
from experience_pack.packs.compare import Advice, Difference, advise, compare
from experience_pack.packs.export import ExportOptions
from experience_pack.packs.history import Commit, History, blob_name
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.layout import CARDS, Files
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.store import imports
from experience_pack.store.proposals import pending
from experience_pack.workspace.folder import Folder

HISTORY = "history"

CONTENT_ONLY = ExportOptions(standing=False)
"""What is recorded of a pack: standing is no part of its history."""


class Recorded(NamedTuple):
    """What recording a version did."""

    commit: str | None
    """None if nothing had changed."""
    version: str
    differences: tuple[Difference, ...]
    advice: Advice
    """What the differences ask of the version."""
    cleared: tuple[str, ...] = ()
    """Locks that a killed process had left."""


def history_of(folder: Folder, name: str) -> History:
    """Give the history of a pack; a name that is no pack is a `NotFoundError`."""
    membership.load(folder, name)
    return History(folder.path / HISTORY / f"{name}.git")


@contextmanager
def writing(folder: Folder, name: str) -> Iterator[tuple[History, tuple[str, ...]]]:
    """Be the only one who writes a pack's history.

    Gives it beside the names of the locks that had to be cleared away.
    """
    history = history_of(folder, name)
    with folder.locked():
        yield history, tuple(history.prepare()) if history.exists else ()


def record(
    folder: Folder, name: str, message: str, *, version: str | None = None
) -> Recorded:
    """Record the pack as it is now.

    Without a `version` the one that the differences ask for is taken.
    """
    known = membership.load(folder, name)
    with writing(folder, name) as (history, cleared):
        head = history.head()
        files = files_of(folder, known)
        found = tuple(compared(history, head, files))
        advice = advise(list(found))
        if version is None:
            version = _next_version(history, head, known.pack.version, advice)
        moved = version != known.pack.version
        if moved:
            known = replace(known, pack=replace(known.pack, version=version))
            files = files_of(folder, known)
        decided = _decided(folder, history)
        said = message or (f"merge {name}" if decided else advice.reason)
        commit = history.commit(files, said, folder.store.clock(), decided)
        if decided:
            history.set_merging(None)
        if moved:
            membership.save(folder, known)
    return Recorded(commit, version, found, advice, cleared)


def _next_version(
    history: History, head: str | None, current: str, advice: Advice
) -> str:
    """Give the version that follows what is recorded and what the pack says."""
    from semver import Version

    if head is None:
        return current
    highest = max(current, history.version(head), key=Version.parse)
    return advice.next_version(highest)


def _decided(folder: Folder, history: History) -> list[str]:
    """Give what was merged and waits for nobody any more."""
    unfinished = history.merging()
    if unfinished is None:
        return []
    receipts = {one.seq: one for one in imports.receipts(folder.store)}
    taken_back = unfinished.receipt and receipts[unfinished.receipt].undone_at
    if taken_back or not history.has(unfinished.theirs):
        history.set_merging(None)
        return []
    waits = any(one.action == MERGE for one in pending(folder.store))
    return [] if waits else [unfinished.theirs]


def differences(
    folder: Folder, name: str, old: str | None, new: str | None
) -> list[Difference]:
    """Give what differs between two versions.

    The old one is by default the newest recorded, the new one what is here now.
    """
    history = history_of(folder, name)
    before = history.resolve(old) if old else history.head()
    if new is None:
        here = files_of(folder, membership.load(folder, name))
        return compared(history, before, here)
    after = history.resolve(new)
    return between(history, before, after)


def between(history: History, before: str | None, after: str) -> list[Difference]:
    """Give what differs between two recorded versions (None: nothing)."""
    return _between(history, before, history.tree(after, CARDS), history.read)


def plan_of(folder: Folder, name: str, revision: str) -> Plan:
    """Give the plan that brings a recorded version back into the workspace."""
    incoming = incoming_of(history_of(folder, name).files(revision), name)
    options = ImportOptions(mode="preserve", on_conflict="overwrite")
    return make_plan(folder.store, incoming, options)


def tag(folder: Folder, name: str, label: str | None, revision: str | None) -> str:
    """Name a recorded version, by default the newest by its own version number."""
    with writing(folder, name) as (history, _):
        newest: list[Commit] = history.log(1)
        chosen = revision or (newest[0].id if newest else "")
        version = incoming_of(history.files(chosen), name).info.version
        history.tag(label or version, chosen)
    return label or version


def bundle_of(folder: Folder, name: str) -> bytes:
    """Give the history of a pack as one file, for an export.

    A pack that was not recorded as it is now is a `UsageError`.
    """
    check_recorded(folder, name)
    return write_bundle(history_of(folder, name))


def check_recorded(folder: Folder, name: str) -> str:
    """Give the newest version; a pack that differs from it is a `UsageError`."""
    head = history_of(folder, name).head()
    if head is None or differences(folder, name, None, None):
        raise UsageError(
            f"{name} is not recorded as it is now",
            hint=f"`experience-pack pack commit {name}` first.",
        )
    return head


def files_of(folder: Folder, known: Membership) -> Files:
    """Give the files of a pack as it would be recorded now."""
    return membership.exported(folder.store, known, CONTENT_ONLY).files


def compared(history: History, before: str | None, files: Files) -> list[Difference]:
    """Give what differs between a recorded version (None: nothing) and files."""
    cards = {path: data for path, data in files.items() if path.startswith(CARDS)}
    after = {path: blob_name(data) for path, data in cards.items()}
    return _between(
        history, before, after, lambda tree: {one: cards[one] for one in tree}
    )


def _between(
    history: History,
    before: str | None,
    after: Mapping[str, str],
    read: Callable[[Mapping[str, str]], Files],
) -> list[Difference]:
    """Compare a version with a tree, reading only cards whose object names differ."""
    old = history.tree(before, CARDS) if before else {}
    gone, came = dict(old.items() - after.items()), dict(after.items() - old.items())
    return compare(_cards(history.read(gone)), _cards(read(came)))


def _cards(files: Files) -> Mapping[str, Experience]:
    found = (card.parse(data.decode("utf-8"), path) for path, data in files.items())
    return {one.id: one for one in found}
