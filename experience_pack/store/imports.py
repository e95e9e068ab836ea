"""Receipts of imports: what came in, what it replaced, and how to take it back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction


class Item(NamedTuple):
    """What one import did to one experience."""

    experience_id: str
    source_id: str
    """Its id in the pack."""
    action: str
    """`new` or `changed`."""
    before_version: int | None
    """Version that was in force before."""
    digest: str
    """Content digest that the import wrote."""


class Receipt(NamedTuple):
    """One import."""

    seq: int
    source: str
    pack: str
    pack_version: str
    content_digest: str
    mode: str
    created_at: str
    undone_at: str


_COLUMNS = (
    "seq, source, pack, pack_version, content_digest, mode, created_at, undone_at"
)


def record(tx: Transaction, receipt: Receipt, items: Iterable[Item]) -> int:
    """Store a receipt (its number and times are set here); give its number."""
    number = tx.run(
        "INSERT INTO imports (source, pack, pack_version, content_digest, mode, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (*receipt[1:6], tx.now),
    )
    tx.run_many(
        "INSERT INTO import_items VALUES (?, ?, ?, ?, ?, ?)",
        [(number, *item) for item in items],
    )
    return number


def receipts(db: Reader) -> list[Receipt]:
    """Give all imports, the last first."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM imports ORDER BY seq DESC")
    return [Receipt(*row) for row in rows]


def items(db: Reader, number: int) -> list[Item]:
    """Give what one import did."""
    rows = db.rows(
        "SELECT experience_id, source_id, action, before_version, digest "
        "FROM import_items WHERE import_seq = ? ORDER BY 1",
        (number,),
    )
    return [Item(*row) for row in rows]


def imported_digests(db: Reader) -> dict[str, set[str]]:
    """Give, by experience, the digests that imports in force wrote."""
    rows = db.rows(
        "SELECT i.experience_id, i.digest FROM import_items i "
        "JOIN imports p ON p.seq = i.import_seq WHERE p.undone_at = ''"
    )
    found: dict[str, set[str]] = {}
    for identity, digest in rows:
        found.setdefault(identity, set()).add(digest)
    return found


def origins(db: Reader) -> dict[str, str]:
    """Give, by experience, the pack and version that last brought it."""
    rows = db.rows(
        "SELECT i.experience_id, p.pack || ' ' || p.pack_version "
        "FROM import_items i JOIN imports p ON p.seq = i.import_seq "
        "WHERE p.undone_at = '' ORDER BY p.seq"
    )
    return {row[0]: row[1] for row in rows}


def undone(tx: Transaction, number: int) -> None:
    """Mark an import as taken back."""
    tx.run("UPDATE imports SET undone_at = ? WHERE seq = ?", (tx.now, number))
