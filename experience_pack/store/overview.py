"""Everything that a snapshot shows, read in a few passes over the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from experience_pack.formats.listing import Listing, listing_in, read_line
from experience_pack.store import renders
from experience_pack.store.connection import Reader


class Shown(NamedTuple):
    """One experience with what its row in a list shows."""

    place: int
    """Number in the order of arrival; it stays what it is."""
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
    content: str | None
    """JSON text; None where it was not asked for."""
    listing: Listing


def shown(db: Reader, *, contents: bool = True) -> Iterator[Shown]:
    """Give everything in the order of arrival, a batch at a time."""
    stale = renders.stale(db)
    content = _CONTENT[contents or stale]
    last = 0
    while rows := db.rows(
        "SELECT e.seq, e.id, e.digest, e.name, e.kind, e.category, e.family, "
        f"e.updated_at, v.seq, v.note, v.created_at, {content}, r.listing "
        "FROM experiences e CROSS JOIN versions v ON v.seq = e.version_seq "
        "LEFT JOIN renders r ON r.seq = e.seq "
        "WHERE e.seq > ? ORDER BY e.seq LIMIT 2000",
        (last,),
    ):
        for *known, line in rows:
            anew = stale or not line
            listing = listing_in(known[11], known[1]) if anew else read_line(line)
            yield Shown._make((*known, listing))
        last = rows[-1][0]


_CONTENT = {
    True: "v.content",
    False: "iif(coalesce(r.listing, '') = '', v.content, NULL)",
}
"""What is read of a content: all, or only where nothing is kept of it."""


def contents(db: Reader, first: int, last: int) -> dict[str, str]:
    """Give the content of all from one place to another, by id."""
    return dict(
        db.rows(
            "SELECT e.id, v.content FROM experiences e "
            "CROSS JOIN versions v ON v.seq = e.version_seq "
            "WHERE e.seq BETWEEN ? AND ?",
            (first, last),
        )
    )


def last_change(db: Reader) -> str:
    """Give the time of the last save or decision; empty where there was none."""
    found = db.row(
        "SELECT max(coalesce((SELECT max(updated_at) FROM experiences), ''), "
        "coalesce((SELECT max(created_at) FROM decisions), ''))"
    )
    return str(found[0]) if found else ""
