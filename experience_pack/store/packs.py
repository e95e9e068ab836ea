"""The packs that the workspace keeps to, as its store has taken them in."""

from __future__ import annotations

from dataclasses import replace

from experience_pack.model import LockedPack, PackChange
from experience_pack.store import episodes, outbox, standings
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

LOCK = "lock"
"""Topic of the outbox: packs whose entry in the lock file has to be written."""

_codec = Codec(LockedPack)
_change = Codec(PackChange)


def all_of(db: Reader) -> dict[str, LockedPack]:
    """Give every pack by name."""
    rows = db.rows("SELECT name, data FROM packs ORDER BY name")
    return {row[0]: _codec.read(row[1]) for row in rows}


def get(db: Reader, name: str) -> LockedPack | None:
    """Give one pack, or None."""
    found = db.row("SELECT data FROM packs WHERE name = ?", (name,))
    return _codec.read(found[0]) if found else None


def put(tx: Transaction, change: PackChange) -> str:
    """Store what became of a pack; give the change as text.

    The lock file has to follow, unless it is the other way round.
    """
    note(tx, change.pack, change.after)
    if not change.local:
        outbox.put(tx, LOCK, [change.pack])
    return _change.write(change)


def note(tx: Transaction, name: str, locked: LockedPack | None) -> None:
    """Store a pack, or that it is gone."""
    tx.run("DELETE FROM packs WHERE name = ?", (name,))
    if locked is not None:
        tx.run("INSERT INTO packs VALUES (?, ?)", (name, _codec.write(locked)))


def take_back(tx: Transaction, text: str) -> None:
    """Undo what happened to a pack, and leave it where more happened since."""
    change = _change.read(text)
    if get(tx, change.pack) == change.after:
        put(tx, replace(change, after=change.before))
    standings.put_all(
        tx,
        [((one.installation, one.experience), one.standing) for one in change.standing],
    )
    episodes.put_all(tx, change.documents)
