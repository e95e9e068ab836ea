"""Versions of a pack that this workspace makes: record, compare, tag, bring back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from experience_pack.model import Experience, Membership
from experience_pack.packs import membership
from experience_pack.packs.compare import Advice, Difference, advise, compare
from experience_pack.packs.export import ExportOptions
from experience_pack.packs.history import Commit, History
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.layout import Files
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.workspace.folder import Folder

HISTORY = "history"

_CONTENT_ONLY = ExportOptions(standing=False)


class Recorded(NamedTuple):
    """What recording a version did."""

    commit: str | None
    """None if nothing had changed."""
    version: str
    differences: tuple[Difference, ...]
    advice: Advice
    """What the differences ask of the version."""


def history_of(folder: Folder, name: str) -> History:
    """Give the history of a pack; a name that is no pack is a `NotFoundError`."""
    membership.load(folder, name)
    return History(folder.path / HISTORY / f"{name}.git")


def record(
    folder: Folder, name: str, message: str, *, version: str | None = None
) -> Recorded:
    """Record the pack as it is now; standing is no part of its history.

    Without a `version` the one that the differences ask for is taken.
    """
    known = membership.load(folder, name)
    history = history_of(folder, name)
    before = _newest(history)
    differences = tuple(compare(before, _members(folder, known)))
    advice = advise(list(differences))
    current = known.pack.version
    if version is None and before:
        version = advice.next_version(current)
    moved = replace(known, pack=replace(known.pack, version=version or current))
    files = _files(folder, moved)
    commit = history.commit(files, message or advice.reason, folder.store.clock())
    if moved != known:
        membership.save(folder, moved)
    return Recorded(commit, moved.pack.version, differences, advice)


def differences(
    folder: Folder, name: str, old: str | None, new: str | None
) -> list[Difference]:
    """Give what differs between two versions.

    The old one is by default the newest recorded, the new one what is here now.
    """
    history = history_of(folder, name)
    before = _read(history.files(old)) if old else _newest(history)
    known = membership.load(folder, name)
    after = _read(history.files(new)) if new else _members(folder, known)
    return compare(before, after)


def plan_of(folder: Folder, name: str, revision: str) -> Plan:
    """Give the plan that brings a recorded version back into the workspace."""
    incoming: Incoming = incoming_of(history_of(folder, name).files(revision), name)
    options = ImportOptions(mode="preserve", on_conflict="overwrite")
    return make_plan(folder.store, incoming, options)


def tag(folder: Folder, name: str, label: str | None, revision: str | None) -> str:
    """Name a recorded version, by default the newest by its own version number."""
    history = history_of(folder, name)
    newest: list[Commit] = history.log(1)
    chosen = revision or (newest[0].id if newest else "")
    version = incoming_of(history.files(chosen), name).info.version
    history.tag(label or version, chosen)
    return label or version


def _files(folder: Folder, known: Membership) -> Files:
    return membership.exported(folder.store, known, _CONTENT_ONLY).files


def _members(folder: Folder, known: Membership) -> Mapping[str, Experience]:
    return _read(_files(folder, known))


def _newest(history: History) -> Mapping[str, Experience]:
    newest = history.log(1)
    return _read(history.files(newest[0].id)) if newest else {}


def _read(files: Files) -> Mapping[str, Experience]:
    return {one.id: one for one in incoming_of(files).experiences}
