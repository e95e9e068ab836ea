"""Take out what a pack brought, and keep what was edited here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from experience_pack.errors import NotFoundError
from experience_pack.model import (
    Episode,
    Lock,
    LockedPack,
    PackChange,
    StandingRow,
)
from experience_pack.packs.install import remove_documents, take_out
from experience_pack.store import (
    Transaction,
    experiences,
    imports,
    packs,
    standings,
    versions,
)


class Left(NamedTuple):
    """What taking out did, and what is needed to take it back."""

    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Edited here, here before the pack was, or brought by another pack too."""
    items: tuple[imports.Item, ...] = ()
    standing: tuple[StandingRow, ...] = ()
    documents: tuple[Episode, ...] = ()


def leave(
    tx: Transaction, locked: LockedPack | None, others: Iterable[LockedPack]
) -> Left:
    """Take out what a locked pack brought, but for what is edited or another's too."""
    if locked is None or not locked.experiences:
        return Left()
    shared = {one for pack in others for one in pack.experiences.values()}
    here = experiences.entries_of(tx, list(locked.experiences.values()))
    items, kept = [], []
    for source_id, identity in sorted(locked.experiences.items()):
        entry = here.get(identity)
        if entry is None:
            continue
        if identity in shared or entry.digest != locked.digests.get(source_id):
            kept.append(identity)
            continue
        before = versions.current(tx, identity)
        items.append(imports.Item(identity, source_id, imports.REMOVED, before, "", ""))
    removed = [item.experience_id for item in items]
    standing = _standing_of(tx, set(removed))
    content = experiences.get_many(tx, removed)
    for identity in removed:
        take_out(tx, identity)
    documents = remove_documents(tx, content.values())
    return Left(tuple(removed), tuple(kept), tuple(items), standing, tuple(documents))


def remove_all(
    tx: Transaction,
    leaving: Mapping[str, LockedPack],
    staying: Mapping[str, LockedPack],
    *,
    local: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Take packs out, each on a receipt of its own; give ids `removed` and `kept`.

    `local` where the lock says so already.
    """
    removed: list[str] = []
    kept: list[str] = []
    for name, locked in leaving.items():
        left = leave(tx, locked, staying.values())
        change = PackChange(
            pack=name,
            before=locked,
            local=local,
            standing=left.standing,
            documents=left.documents,
        )
        receipt = imports.Receipt(
            0,
            locked.source,
            name,
            locked.version,
            locked.content_digest,
            "remove",
            change=packs.put(tx, change),
        )
        imports.record(tx, receipt, left.items)
        removed += left.removed
        kept += left.kept
    return {"removed": tuple(removed), "kept": tuple(kept)}


def still_here(lock: Lock, name: str) -> LockedPack:
    """Give a locked pack; an unknown name is a `NotFoundError`."""
    found = lock.packs.get(name)
    if found is None:
        known = ", ".join(sorted(lock.packs)) or "none"
        raise NotFoundError(
            f"the lock has no pack {name!r}",
            hint=f"It has: {known}. `experience-pack pack add SOURCE` adds one.",
        )
    return found


def _standing_of(tx: Transaction, identities: set[str]) -> tuple[StandingRow, ...]:
    rows = standings.of_many(tx, sorted(identities))
    return tuple(
        StandingRow(installation=installation, experience=identity, standing=standing)
        for (installation, identity), standing in rows
    )
