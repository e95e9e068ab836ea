"""What a pack withdraws of what it brought: told, not served, never deleted here.

A pack speaks only for what the pack of that name brought, so that no file can put
anything else out of service.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from experience_pack.model import (
    WITHDRAWN,
    PackInfo,
    Standing,
    Withdrawal,
    derived_id,
    price_of,
)
from experience_pack.packs.incoming import Incoming
from experience_pack.store import Store, Transaction, experiences, imports, standings


class Withdrawn(NamedTuple):
    """One experience that a pack withdraws."""

    id: str
    """Its id here."""
    name: str
    reason: str
    at: str
    """When it was deleted where the pack is made."""


def withdrawn_by(store: Store, incoming: Incoming) -> Iterator[Withdrawn]:
    """Give what a pack withdraws of what it brought here and nobody was asked about."""
    if not incoming.tombstones:
        return
    origins = imports.origins(store)
    told = standings.seen_here(store)
    kept = incoming.digests
    for stone in incoming.tombstones:
        for identity in (stone.id, derived_id("exp", store.workspace_id, stone.id)):
            entry = experiences.entry(store, identity)
            brought = origins.get(identity, "").split(" ")[0] == incoming.info.name
            if stone.id in kept or entry is None or not brought:
                continue
            known = told.get(identity)
            said = known.withdrawn if known else None
            if said is None or said.at != stone.deleted_at:
                yield Withdrawn(identity, entry.name, stone.reason, stone.deleted_at)


def withdraw(tx: Transaction, info: PackInfo, found: Iterable[Withdrawn]) -> bool:
    """Put what was withdrawn out of service; give whether there was any."""
    here, rows = standings.here(tx), []
    for one in found:
        known = standings.own(tx, here, one.id)
        if known is None:
            origin = experiences.get(tx, one.id).origin.type
            known = Standing(price=price_of(origin))
        said = Withdrawal(
            pack=info.name, version=info.version, reason=one.reason, at=one.at
        )
        status = WITHDRAWN if known.status == "active" else known.status
        changed = replace(known, status=status, withdrawn=said)
        rows.append(((here, one.id), changed))
    standings.put_all(tx, rows)
    return bool(rows)


def take_back(tx: Transaction, pack: str, version: str) -> None:
    """Undo the withdrawals of one version of a pack on which nobody decided yet."""
    here = standings.here(tx)
    mine = standings.seen_here(tx)
    standings.put_all(
        tx,
        [
            (
                (here, identity),
                replace(known, status="active", withdrawn=None),
            )
            for identity, known in mine.items()
            if known.status == WITHDRAWN
            and known.withdrawn is not None
            and (known.withdrawn.pack, known.withdrawn.version) == (pack, version)
        ],
    )
