"""The search index as it is read: for each term, who holds it and how much.

Postings are blobs of one term and one block of experiences, so that a request
reads a row a term and a save rewrites short ones. What was saved last is pending:
it waits in its own words until there is enough to be worth a merge, and is read
along with every search, so an answer never lags behind the store.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader

REQUESTS, HABITS, LESSONS = range(3)
"""The three indexes: what answers requests, what reminds, what warns."""

BLOCK_BITS = 14
"""16,384 experiences a block: a list of the commonest term stays under 50 kB."""

SATURATION, LENGTH_PULL = 1.2, 0.75
"""BM25's k1 and b, as Robertson gives them and SQLite's FTS5 has them."""

FULL_IMPACT = 255
"""Impacts are bytes: this one stands for a term that fills the experience."""


class Postings(NamedTuple):
    """One term in one block of experiences."""

    term: str
    block: int
    size: int
    """How many experiences hold it."""
    top: int
    """The highest impact of all."""
    data: bytes
    """Ascending 16-bit offsets in the block, then the impacts in their order."""

    def offsets(self) -> array[int]:
        """Give the offsets in the block, ascending."""
        return offsets_of(self.data[: 2 * self.size])

    def impacts(self) -> bytes:
        """Give the impacts in the order of the offsets."""
        return self.data[2 * self.size :]


class Pending(NamedTuple):
    """An experience that the postings do not know as it is now."""

    seq: int
    old_terms: str
    """Terms under which the postings still hold it."""
    terms: str
    """Terms that it has; none if it was deleted."""


class Statistics(NamedTuple):
    """What BM25 wants to know of a scope."""

    documents: int
    terms: int
    """Length of all experiences together."""
    pivot: float
    """Mean length that the impacts in the postings assume."""

    @property
    def mean(self) -> float:
        """Give the mean length as it is now."""
        return self.terms / self.documents if self.documents else 0.0


def statistics(db: Reader, scope: int) -> Statistics:
    """Give the counts of a scope."""
    sql = "SELECT documents, terms, pivot FROM search_scopes WHERE scope = ?"
    row = db.row(sql, (scope,))
    assert row is not None
    return Statistics(*row)


def postings(
    db: Reader, scope: int, terms: Sequence[str], block: int | None = None
) -> list[Postings]:
    """Give what the index, or one block of it, holds of some terms."""
    marks = ",".join("?" * len(terms))
    values: list[int | str] = [scope, *terms]
    sql = f"{_POSTINGS} AND term IN ({marks})"
    if block is not None:
        sql += " AND block = ?"
        values.append(block)
    return [*map(Postings._make, db.rows(sql, values))]


def pending(db: Reader, scope: int, block: int | None = None) -> list[Pending]:
    """Give what the postings of a scope, or of one block, do not hold yet."""
    sql, values = f"{_PENDING} WHERE p.scope = ?", [scope]
    if block is not None:
        sql += " AND p.seq BETWEEN ? AND ?"
        values += [block << BLOCK_BITS, (block + 1 << BLOCK_BITS) - 1]
    return [*map(Pending._make, db.rows(f"{sql} ORDER BY p.seq", values))]


def length(terms: str) -> int:
    """Give how many terms a text of terms has."""
    return terms.count(" ") + 1 if terms else 0


def impact(count: int, length: int, mean: float) -> int:
    """Give the share of a term that occurs `count` times, as 1 to 255.

    It is BM25's tf/(tf + k1(1 - b + b·length/mean)), in 255ths.
    """
    slowness = SATURATION * (1 - LENGTH_PULL + LENGTH_PULL * length / (mean or 1))
    return max(1, round(FULL_IMPACT * count / (count + slowness)))


_POSTINGS = """SELECT term, block, size, top, data FROM search_postings
  WHERE scope = ?"""

_PENDING = """SELECT p.seq, p.old_terms, coalesce(d.terms, '')
  FROM search_pending p
  LEFT JOIN search_documents d ON d.seq = p.seq AND d.scope = p.scope"""


def offsets_of(data: bytes | bytearray) -> array[int]:
    """Read 16-bit offsets, low byte first."""
    return _little_endian(array("H", bytes(data)))


def pack(offsets: array[int], impacts: bytes | bytearray) -> bytes:
    """Give the data of a list."""
    return _little_endian(offsets[:]).tobytes() + impacts


def _little_endian(offsets: array[int]) -> array[int]:
    """Turn bytes round where the machine has them the other way; in place."""
    if sys.byteorder == "big":
        offsets.byteswap()
    return offsets
