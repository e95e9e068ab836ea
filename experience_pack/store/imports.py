"""Receipts of imports: what came in, what it replaced, and how to take it back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction

REMOVED = "removed"
"""Action of what the removal of a pack took out."""


class Item(NamedTuple):
    """What one import did to one experience."""

    experience_id: str
    source_id: str
    """Its id in the pack."""
    action: str
    """What the plan said of it."""
    before_version: int | None
    """Version that was in force before."""
    digest: str
    """Content digest that the import wrote; empty if it wrote none."""
    brought: str
    """Content digest that the text has in the pack, under the ids of the pack."""


class Receipt(NamedTuple):
    """One import."""

    seq: int
    source: str
    pack: str
    pack_version: str
    content_digest: str
    mode: str
    created_at: str = ""
    undone_at: str = ""
    change: str = ""
    """What it did to the packs that the workspace keeps to, as JSON."""


_COLUMNS = (
    "seq, source, pack, pack_version, content_digest, mode, created_at, undone_at, "
    "change"
)


def record(tx: Transaction, receipt: Receipt, items: Iterable[Item]) -> int:
    """Store a receipt (its number and times are set here); give its number."""
    number = tx.run(
        "INSERT INTO imports (source, pack, pack_version, content_digest, mode, "
        "change, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*receipt[1:6], receipt.change, tx.now),
    )
    tx.run_many(
        "INSERT INTO import_items VALUES (?, ?, ?, ?, ?, ?, ?)",
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
        "SELECT experience_id, source_id, action, before_version, digest, brought "
        "FROM import_items WHERE import_seq = ? ORDER BY 1",
        (number,),
    )
    return [Item(*row) for row in rows]


class Brought(NamedTuple):
    """A text that an import in force brought."""

    action: str
    digest: str
    """What was written here; empty if nothing was."""
    brought: str
    """Content digest that the text has in the pack."""


def brought(db: Reader) -> dict[str, list[Brought]]:
    """Give, by experience, what imports in force brought, the first first."""
    rows = db.rows(
        "SELECT i.experience_id, i.action, i.digest, i.brought FROM import_items i "
        "JOIN imports p ON p.seq = i.import_seq WHERE p.undone_at = '' "
        f"AND i.action <> '{REMOVED}' ORDER BY p.seq"
    )
    found: dict[str, list[Brought]] = {}
    for identity, action, digest, source_digest in rows:
        one = Brought(action, digest, source_digest or digest)
        found.setdefault(identity, []).append(one)
    return found


def local_ids(db: Reader) -> dict[str, str]:
    """Give the id here of everything that imports in force brought, by its id there."""
    rows = db.rows(
        "SELECT i.source_id, i.experience_id FROM import_items i "
        "JOIN imports p ON p.seq = i.import_seq WHERE p.undone_at = '' ORDER BY p.seq"
    )
    return {row[0]: row[1] for row in rows}


def origins(db: Reader) -> dict[str, str]:
    """Give, by experience, the pack and version that last brought it."""
    rows = db.rows(
        "SELECT i.experience_id, p.pack || ' ' || p.pack_version "
        "FROM import_items i JOIN imports p ON p.seq = i.import_seq "
        "WHERE p.undone_at = '' AND i.digest <> '' ORDER BY p.seq"
    )
    return {row[0]: row[1] for row in rows}


def undone(tx: Transaction, number: int) -> None:
    """Mark an import as taken back."""
    tx.run("UPDATE imports SET undone_at = ? WHERE seq = ?", (tx.now, number))
