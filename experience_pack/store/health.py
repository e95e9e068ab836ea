"""What is wrong in a store, and what of it can be made anew or dropped."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from experience_pack.errors import FormatError
from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.formats.listing import line_of, listing_in
from experience_pack.store import copies, indexing, renders
from experience_pack.store.connection import Reader, Store, Transaction, Translated

SAFE_SQLITE = (3, 51, 3)
"""From here on a checkpoint cannot race a writer (sqlite.org/wal.html, "WAL-reset
bug"); 3.7.0 to 3.51.2 can corrupt, which our own lock prevents."""


class Orphans(NamedTuple):
    """Rows that belong to nothing that is or was here."""

    table: str
    subjects: Sequence[str]
    """What they say they belong to."""


def faults(store: Store) -> list[str]:
    """Give what is wrong with pages, indexes and references, in words."""
    with Translated(store.path):
        return copies.faults_of(store.connection)


def orphans(db: Reader) -> list[Orphans]:
    """Give the rows that `drop_orphans` would drop, by table."""
    found = []
    for table, column, alive in _ORPHANS:
        rows = db.rows(_SELECT.format(table=table, column=column, alive=alive))
        if rows:
            found.append(Orphans(table, [row[0] for row in rows]))
    return found


def drop_orphans(tx: Transaction) -> None:
    """Drop the rows that `orphans` gives."""
    for table, column, alive in _ORPHANS:
        tx.run(f"DELETE FROM {table} WHERE {column} NOT IN ({alive})")


def stale_derived(store: Store) -> list[str]:
    """Give what is not as the experiences say: `index`, `renders`, both or none."""
    return [name for name, derived in DERIVED.items() if not derived.holds(store)]


def remake(tx: Transaction, names: Sequence[str]) -> None:
    """Make what `stale_derived` named anew from the experiences."""
    for name in names:
        DERIVED[name].remake(tx)


def is_exposed(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> bool:
    """Tell whether an SQLite has the bug that can corrupt a log."""
    return version < SAFE_SQLITE


def _index_holds(store: Store) -> bool:
    """Compare the index with one that is made anew in memory."""
    with closing(store.copied()) as fresh:
        with fresh.transaction() as tx:
            indexing.refresh(tx)
        return all(store.rows(sql) == fresh.rows(sql) for sql in _INDEXED)


def _renders_hold(store: Store) -> bool:
    """Read every kept card and line of a list, and compare what they say."""
    rows = store.rows(
        "SELECT e.digest, r.card, r.listing, e.id, v.content FROM experiences e "
        "JOIN versions v ON v.seq = e.version_seq "
        "LEFT JOIN renders r ON r.seq = e.seq ORDER BY e.seq"
    )
    try:
        return all(
            text
            and digest(card.parse(text).content()) == said
            and line == line_of(listing_in(content, identity))
            for said, text, line, identity, content in rows
        )
    except FormatError:
        return False


class Derived(NamedTuple):
    """Something that is made from the experiences."""

    holds: Callable[[Store], bool]
    """Whether it is as they say."""
    remake: Callable[[Transaction], None]


DERIVED: Mapping[str, Derived] = {
    "index": Derived(_index_holds, indexing.refresh),
    "renders": Derived(_renders_hold, renders.refresh),
}
"""What can be made anew from the experiences."""

_INDEXED = (
    "SELECT * FROM search_documents ORDER BY seq",
    "SELECT scope, documents, terms FROM search_scopes ORDER BY scope",
)

_HERE = "SELECT id FROM experiences"
_HERE_OR_DELETED = f"{_HERE} UNION SELECT id FROM tombstones"
_NAMED = (
    f"{_HERE_OR_DELETED} UNION SELECT experience_id FROM import_items "
    "UNION SELECT experience_id FROM proposals"
)
_ORPHANS = (
    ("renders", "seq", "SELECT seq FROM experiences"),
    ("search_documents", "seq", "SELECT seq FROM experiences"),
    ("meanings", "experience_seq", "SELECT seq FROM experiences"),
    ("utterances", "experience_id", _HERE),
    ("sightings", "experience_id", _HERE_OR_DELETED),
    ("descents", "version_seq", "SELECT seq FROM versions"),
    ("edges", "source", _HERE),
    ("standing", "experience_id", _HERE_OR_DELETED),
    ("decision_counts", "experience_id", _HERE_OR_DELETED),
    ("versions", "experience_id", _NAMED),
    ("cards", "experience_id", f"{_HERE} UNION SELECT subject FROM outbox"),
)  # fmt: skip
"""Table, column, and what the column has to name for the row to belong somewhere.
Versions outlive their experience: a tombstone, an import, a proposal may need them."""

_SELECT = (
    "SELECT DISTINCT CAST({column} AS TEXT) FROM {table} "
    "WHERE {column} NOT IN ({alive}) ORDER BY 1"
)
