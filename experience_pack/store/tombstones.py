"""Tombstones: what was deleted here or withdrawn elsewhere, and why."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.model import Tombstone
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Tombstone)


def put(tx: Transaction, stone: Tombstone) -> None:
    """Set a tombstone, in place of an older one of the same id."""
    tx.run(
        "INSERT INTO tombstones VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET data = excluded.data",
        (stone.id, _codec.write(stone)),
    )


def clear(tx: Transaction, identities: Sequence[str]) -> None:
    """Remove the tombstones of what lives again."""
    tx.run_many("DELETE FROM tombstones WHERE id = ?", [(one,) for one in identities])


def all_of(db: Reader) -> dict[str, Tombstone]:
    """Give every tombstone by id, in the order of ids."""
    rows = db.rows("SELECT id, data FROM tombstones ORDER BY id")
    return {row[0]: _codec.read(row[1]) for row in rows}
