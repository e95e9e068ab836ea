"""The search index as it is written, in the transaction that saves or deletes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import ANALYZER
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Row, Transaction
from experience_pack.store.merging import merge
from experience_pack.store.postings import BLOCK_BITS, Statistics, length
from experience_pack.store.searchable import Searchable, searchable

PENDING_LIMIT = 16
"""A pending one costs each search 7 µs; a merge of 16 costs each save 0.3 ms."""

DRIFT = 0.25
"""Impacts hold while the mean length is within a quarter of what they assume."""

_CHUNK = 500  # names a query; SQLite allows at least 999 variables


def put_all(tx: Transaction, items: Iterable[tuple[str, Mapping[str, Json]]]) -> None:
    """Index experiences, given as id and content; what is known costs nothing."""
    waiting = iter(items)
    while chunk := dict(islice(waiting, _CHUNK)):
        known = _known(tx, [*chunk])
        changes = [
            (seq, old, new)
            for identity, content in chunk.items()
            for seq, old in [known[identity]]
            if (new := searchable(content)) != old
        ]
        _change(tx, changes)


def remove(tx: Transaction, identity: str) -> None:
    """Take an experience out; to be called before its row is deleted."""
    _change(tx, [(*known, None) for known in _known(tx, [identity]).values()])


def settle(tx: Transaction) -> None:
    """Merge what is pending into the postings, once there is enough of it.

    An index that another release made is made anew.
    """
    if stale(tx):
        refresh(tx)
        return
    found = tx.row("SELECT count(*) FROM search_pending")
    if not found or found[0] <= PENDING_LIMIT:
        return
    scopes = {row[0]: _renewed(tx, *row) for row in tx.rows(_SCOPES)}
    blocks = tx.rows(
        f"SELECT DISTINCT scope, seq >> {BLOCK_BITS} FROM search_pending ORDER BY 1, 2"
    )
    for scope, block in blocks:
        merge(tx, scope, block, scopes[scope])
    tx.run("DELETE FROM search_pending")


def match_version(db: Reader) -> int:
    """Give a number that moves when a field of matching changes, and only then."""
    found = db.row("SELECT value FROM meta WHERE key = 'match_version'")
    return int(found[0]) if found else 0


def stale(db: Reader) -> bool:
    """Tell whether another release made the index, or none did."""
    sql = "SELECT 1 FROM meta WHERE key = 'analyzer' AND value = ?"
    return db.row(sql, (ANALYZER,)) is None


def clear(tx: Transaction) -> None:
    """Forget all that is indexed."""
    for table in ("search_documents", "search_pending", "search_postings"):
        tx.run(f"DELETE FROM {table}")
    tx.run("UPDATE search_scopes SET documents = 0, terms = 0, pivot = 0")


def refresh(tx: Transaction) -> None:
    """Make the index anew."""
    rows = tx.rows(
        "SELECT e.id, v.content FROM experiences e "
        "JOIN versions v ON v.seq = e.version_seq ORDER BY e.seq"
    )
    clear(tx)
    tx.run("INSERT OR REPLACE INTO meta VALUES ('analyzer', ?)", (ANALYZER,))
    put_all(tx, ((identity, loads(text, identity)) for identity, text in rows))
    settle(tx)


_SCOPES = "SELECT scope, documents, terms, pivot FROM search_scopes"

_Change = tuple[int, Searchable | None, Searchable | None]
"""An experience's number, what the index held of it, and what it is to hold."""


def _known(
    tx: Transaction, identities: Sequence[str]
) -> dict[str, tuple[int, Searchable | None]]:
    columns = ", ".join(f"d.{name}" for name in Searchable._fields)
    marks = ",".join("?" * len(identities))
    rows = tx.rows(
        f"SELECT e.id, e.seq, {columns} FROM experiences e "
        f"LEFT JOIN search_documents d ON d.seq = e.seq WHERE e.id IN ({marks})",
        identities,
    )
    return {
        identity: (seq, None if held[0] is None else Searchable._make(held))
        for identity, seq, *held in rows
    }


def _change(tx: Transaction, changes: Sequence[_Change]) -> None:
    if not changes:
        return
    tx.run_many(
        "INSERT OR IGNORE INTO search_pending VALUES (?, ?, ?)",
        chain.from_iterable(map(_waiting, changes)),
    )
    marks = ",".join("?" * len(Searchable._fields))
    tx.run_many(
        "DELETE FROM search_documents WHERE seq = ?",
        [(seq,) for seq, old, _ in changes if old],
    )
    tx.run_many(
        f"INSERT INTO search_documents VALUES (?, {marks})",
        [(seq, *new) for seq, _, new in changes if new],
    )
    _count(tx, changes)
    tx.run(
        "INSERT INTO meta VALUES ('match_version', 1) "
        "ON CONFLICT (key) DO UPDATE SET value = value + 1"
    )


def _waiting(change: _Change) -> Iterator[Row]:
    """Give the pending rows of a change; one that waits already stays as it is."""
    seq, old, new = change
    if old:
        yield old.scope, seq, old.terms
    if new and not (old and old.scope == new.scope):
        yield new.scope, seq, ""


def _count(tx: Transaction, changes: Iterable[_Change]) -> None:
    documents: Counter[int] = Counter()
    terms: Counter[int] = Counter()
    for _, old, new in changes:
        for side, sign in ((old, -1), (new, 1)):
            if side:
                documents[side.scope] += sign
                terms[side.scope] += sign * length(side.terms)
    tx.run_many(
        "UPDATE search_scopes SET documents = documents + ?, terms = terms + ? "
        "WHERE scope = ?",
        [(documents[scope], terms[scope], scope) for scope in documents],
    )


def _renewed(
    tx: Transaction, scope: int, documents: int, terms: int, pivot: float
) -> float:
    """Give the mean length to merge with; after much drift all impacts go."""
    mean = Statistics(documents, terms, pivot).mean
    if abs(mean - pivot) <= DRIFT * pivot:
        return pivot
    tx.run("DELETE FROM search_postings WHERE scope = ?", (scope,))
    tx.run("UPDATE search_pending SET old_terms = '' WHERE scope = ?", (scope,))
    tx.run(
        "INSERT OR REPLACE INTO search_pending "
        "SELECT scope, seq, '' FROM search_documents WHERE scope = ?",
        (scope,),
    )
    tx.run("UPDATE search_scopes SET pivot = ? WHERE scope = ?", (mean, scope))
    return mean
