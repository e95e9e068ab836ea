"""Merge what is pending into the postings of one block."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from experience_pack.store.connection import Row, Transaction
from experience_pack.store.postings import (
    BLOCK_BITS,
    Pending,
    impact,
    offsets_of,
    pack,
    pending,
    postings,
)

_CHUNK = 500  # terms a query; SQLite allows at least 999 variables
_CODE = 3  # bytes of a fresh posting: its offset, low byte first, and its impact


def merge(tx: Transaction, scope: int, block: int, mean: float) -> None:
    """Bring a block up to date; impacts are for experiences of `mean` length."""
    waiting = pending(tx, scope, block)
    first = block << BLOCK_BITS
    gone = _gone(waiting, first)
    fresh = _fresh(waiting, first, mean)
    terms = sorted(gone.keys() | fresh.keys())
    emptied = []
    rows: list[Row] = []
    for term, held in _held(tx, scope, block, terms):
        for offset in gone.get(term, ()):
            held.drop(offset)
        held.add(fresh.get(term, b""))
        if held.offsets:
            rows.append((scope, term, block, *held.columns()))
        else:
            emptied.append((scope, term, block))
    tx.run_many(
        "DELETE FROM search_postings WHERE scope = ? AND term = ? AND block = ?",
        emptied,
    )
    tx.run_many(
        "INSERT OR REPLACE INTO search_postings VALUES (?, ?, ?, ?, ?, ?)", rows
    )


class _List(NamedTuple):
    """The postings of a term while they change."""

    offsets: array[int]
    impacts: bytearray

    def drop(self, offset: int) -> None:
        at = bisect_left(self.offsets, offset)
        del self.offsets[at]
        del self.impacts[at]

    def add(self, codes: bytes | bytearray) -> None:
        """Add fresh ones, which ascend; most come after all there are."""
        offsets, impacts = _split(codes)
        if offsets and self.offsets and offsets[0] < self.offsets[-1]:
            for offset, share in zip(offsets, impacts, strict=True):
                at = bisect_left(self.offsets, offset)
                self.offsets.insert(at, offset)
                self.impacts.insert(at, share)
        else:
            self.offsets.extend(offsets)
            self.impacts.extend(impacts)

    def columns(self) -> tuple[int, int, bytes]:
        return len(self.offsets), max(self.impacts), pack(self.offsets, self.impacts)


def _gone(waiting: Iterable[Pending], first: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for one in waiting:
        for term in set(one.old_terms.split()):
            found[term].append(one.seq - first)
    return found


def _fresh(waiting: Iterable[Pending], first: int, mean: float) -> dict[str, bytearray]:
    found: dict[str, bytearray] = defaultdict(bytearray)
    for one in waiting:
        terms = one.terms.split()
        counts = Counter(terms)
        offset = (one.seq - first).to_bytes(_CODE - 1, "little")
        codes = {
            count: offset + impact(count, len(terms), mean).to_bytes(1, "little")
            for count in set(counts.values())
        }
        for term, count in counts.items():
            found[term] += codes[count]
    return found


def _held(
    tx: Transaction, scope: int, block: int, terms: Sequence[str]
) -> Iterator[tuple[str, _List]]:
    """Give the list of each term, an empty one where there is none."""
    for at in range(0, len(terms), _CHUNK):
        chunk = terms[at : at + _CHUNK]
        held = {one.term: one for one in postings(tx, scope, chunk, block)}
        for term in chunk:
            if one := held.get(term):
                yield term, _List(one.offsets(), bytearray(one.impacts()))
            else:
                yield term, _List(array("H"), bytearray())


def _split(codes: bytes | bytearray) -> tuple[array[int], bytes | bytearray]:
    """Give offsets and impacts of codes; slices do it a hundred times faster."""
    pairs = bytearray(len(codes) // _CODE * 2)
    pairs[0::2], pairs[1::2] = codes[0::_CODE], codes[1::_CODE]
    return offsets_of(pairs), codes[2::_CODE]
