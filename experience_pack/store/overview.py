"""Everything that a snapshot shows, read in a few passes over the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from experience_pack.store.connection import Reader


class Shown(NamedTuple):
    """One experience with the content that its detail shows."""

    id: str
    digest: str
    name: str
    kind: str
    category: str
    family: str
    updated_at: str
    version: int
    note: str
    version_at: str
    content: str


def shown(db: Reader) -> Iterator[Shown]:
    """Give everything, the last changed first, a batch at a time."""
    last = 2**62
    while rows := db.rows(
        "SELECT e.id, e.digest, e.name, e.kind, e.category, e.family, e.updated_at, "
        "v.seq, v.note, v.created_at, v.content "
        "FROM versions v CROSS JOIN experiences e "
        "ON e.id = v.experience_id AND e.version_seq = v.seq "
        "WHERE v.seq < ? ORDER BY v.seq DESC LIMIT 2000",
        (last,),
    ):
        yield from map(Shown._make, rows)
        last = rows[-1][7]


def last_change(db: Reader) -> str:
    """Give the time of the last save or decision; empty where there was none."""
    found = db.row(
        "SELECT max(coalesce((SELECT max(updated_at) FROM experiences), ''), "
        "coalesce((SELECT max(created_at) FROM decisions), ''))"
    )
    return str(found[0]) if found else ""
