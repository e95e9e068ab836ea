"""Merge what is pending into the postings of one block."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from experience_pack.store.connection import Transaction
from experience_pack.store.postings import (
    BLOCK_BITS,
    Pending,
    Postings,
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
    changed = [
        (scope, term, block, *_changed(held, gone.get(term, ()), fresh.get(term, b"")))
        for term, held in _held(tx, scope, block, terms)
    ]
    tx.run_many(
        "INSERT OR REPLACE INTO search_postings VALUES (?, ?, ?, ?, ?, ?)", changed
    )
    tx.run_many(
        "DELETE FROM search_postings WHERE scope = ? AND term = ? AND block = ?",
        [row[:3] for row in changed if not row[3]],
    )


_Columns = tuple[int, int, bytes]
"""Size, highest impact and data of a list."""


def _changed(
    held: Postings | None, gone: Iterable[int], codes: bytes | bytearray
) -> _Columns:
    if held is None:
        pairs, impacts = _split(codes)
        return len(impacts), max(impacts), bytes(pairs + impacts)
    changed = _List(held.offsets(), bytearray(held.impacts()))
    for offset in gone:
        changed.drop(offset)
    changed.add(codes)
    return changed.columns()


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
        pairs, impacts = _split(codes)
        offsets = offsets_of(pairs)
        if offsets and self.offsets and offsets[0] < self.offsets[-1]:
            for offset, share in zip(offsets, impacts, strict=True):
                at = bisect_left(self.offsets, offset)
                self.offsets.insert(at, offset)
                self.impacts.insert(at, share)
        else:
            self.offsets.extend(offsets)
            self.impacts.extend(impacts)

    def columns(self) -> _Columns:
        top = max(self.impacts, default=0)
        return len(self.offsets), top, pack(self.offsets, self.impacts)


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
) -> Iterator[tuple[str, Postings | None]]:
    """Give what is stored of each term."""
    for at in range(0, len(terms), _CHUNK):
        chunk = terms[at : at + _CHUNK]
        held = {one.term: one for one in postings(tx, scope, chunk, block)}
        yield from ((term, held.get(term)) for term in chunk)


def _split(codes: bytes | bytearray) -> tuple[bytearray, bytes | bytearray]:
    """Give offsets, still as bytes, and impacts; slices are quicker than a loop."""
    pairs = bytearray(len(codes) // _CODE * 2)
    pairs[0::2], pairs[1::2] = codes[0::_CODE], codes[1::_CODE]
    return pairs, codes[2::_CODE]
