"""How the packs that a workspace keeps to stand: in the lock, in the store, edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experience_pack.formats.canonical import text_digest
from experience_pack.model import Lock, LockedPack
from experience_pack.packs.lock import settled_lock
from experience_pack.store import experiences, packs
from experience_pack.workspace.folder import Folder

STATES: Mapping[str, str] = {
    "damaged": "what is stored does not fit its digest",
    "other": "the lock says something else than the store has",
    "missing": "was deleted here",
    "edited": "was edited here",
}
"""What can be said against a pack, the gravest first."""


class Kept(NamedTuple):
    """One pack."""

    name: str
    locked: LockedPack
    here: bool
    """Whether the store is at what the lock says."""
    findings: Mapping[str, Sequence[str]]
    """Names of experiences, or of the pack, by a key of `STATES`."""


def kept_packs(folder: Folder) -> list[Kept]:
    """Give every pack of the lock with how it stands, by name."""
    lock: Lock = settled_lock(folder)
    here = packs.all_of(folder.store)
    return [
        _kept(folder, name, locked, here.get(name))
        for name, locked in sorted(lock.packs.items())
    ]


def gravest(kept: Sequence[Kept]) -> str:
    """Give the gravest that is to be said against any; empty if nothing is."""
    found = {state for one in kept for state, names in one.findings.items() if names}
    return next((state for state in STATES if state in found), "")


def _kept(
    folder: Folder, name: str, locked: LockedPack, here: LockedPack | None
) -> Kept:
    findings: dict[str, list[str]] = {state: [] for state in STATES}
    same = here is not None and here.digest == locked.digest
    if not same:
        findings["other"].append(name)
    identities = list(locked.experiences.values())
    stored = {one.id: one for one in experiences.stored_many(folder.store, identities)}
    names = experiences.entries_of(folder.store, identities)
    for source_id, identity in sorted(locked.experiences.items()):
        one = stored.get(identity)
        stated = locked.digests.get(source_id)
        if one is None:
            findings["missing"].append(identity)
        elif text_digest(one.content) != one.digest:
            findings["damaged"].append(names[identity].name)
        elif stated is not None and one.digest != stated:
            findings["edited"].append(names[identity].name)
    return Kept(name, locked, same, findings)
