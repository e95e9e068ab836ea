"""Lexical retrieval: the best experiences for some terms, by BM25, exactly.

No frequent term is left out. A block of experiences is scored rare terms first;
once those still to come cannot lift an unseen experience among the best any more,
they are only looked up for the ones that are ahead (MaxScore, Turtle and Flood
1995).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import accumulate
from math import log
from typing import NamedTuple

from experience_pack.store.connection import Reader
from experience_pack.store.postings import (
    BLOCK_BITS,
    FULL_IMPACT,
    SATURATION,
    Pending,
    Postings,
    impact,
    pending,
    postings,
    statistics,
)

TERM_LIMIT = 256
"""Terms of one search; the beginning of a longer text says what it is about."""


BISECT_COST = 8
"""One look-up by bisection takes as long as making a dict of eight postings."""


class Ranking(NamedTuple):
    """The best experiences, and how much each term of the search says."""

    best: list[tuple[float, int]]
    """BM25 and number of each, the best first, the older first among equals."""
    weights: Mapping[str, float]
    """Inverse document frequency by term, those that nothing holds included."""


def rank(db: Reader, terms: Iterable[str], limit: int, scope: int) -> Ranking:
    """Give the `limit` best experiences of a scope that hold any of the terms.

    BM25 is summed over distinct terms with idf = ln(1 + (N - n + ½)/(n + ½)).
    """
    asked = [*dict.fromkeys(terms)][:TERM_LIMIT]
    # in this order a merge by another process hides nothing from this search
    waiting = pending(db, scope)
    held = postings(db, scope, asked)
    documents, _, _ = known = statistics(db, scope)
    frequency = _frequencies(asked, held, waiting)
    weights = {
        term: log(1 + (max(0, documents - count) + 0.5) / (count + 0.5))
        for term, count in frequency.items()
    }
    best = _top(_pending_scores(waiting, weights, known.mean), limit)
    stale = {one.seq for one in waiting}
    for block in sorted({one.block for one in held}):
        lists = [_List(one, weights[one.term]) for one in held if one.block == block]
        best = _top(best + _block_scores(lists, block, stale, limit, best), limit)
    return Ranking(best, weights)


_NEARLY = 1 - 1e-9  # sums in another order differ in their last digits
_SCALE = (SATURATION + 1) / FULL_IMPACT


class _List:
    """One term's postings in a block, ready to be scored."""

    __slots__ = ("bound", "postings", "size", "weight")

    def __init__(self, held: Postings, weight: float) -> None:
        self.postings = held
        self.size = held.size
        self.weight = weight * _SCALE
        self.bound = self.weight * held.top

    def add_to(self, scores: dict[int, float]) -> None:
        """Add what the term is worth to every experience that holds it."""
        weight, get = self.weight, scores.get
        held = self.postings
        for offset, share in zip(held.offsets(), held.impacts(), strict=True):
            scores[offset] = get(offset, 0.0) + weight * share

    def raised(self, scores: Mapping[int, float], least: float) -> dict[int, float]:
        """Give the scores with the term added, but for those below `least`."""
        weight, share_of = self.weight, self._lookup(len(scores))
        return {
            offset: score
            for offset, before in scores.items()
            if (score := before + weight * share_of(offset)) >= least
        }

    def _lookup(self, times: int) -> Callable[[int], int]:
        """Give the cheapest way to look impacts up that often."""
        held = self.postings
        offsets, impacts = held.offsets(), held.impacts()
        if times * BISECT_COST > held.size:
            shares = dict(zip(offsets, impacts, strict=True))
            return lambda offset: shares.get(offset, 0)

        def found(offset: int) -> int:
            at = bisect_left(offsets, offset)
            return impacts[at] if at < held.size and offsets[at] == offset else 0

        return found


def _frequencies(
    asked: Iterable[str], held: Iterable[Postings], waiting: Iterable[Pending]
) -> dict[str, int]:
    """Give how many experiences hold each term, those that wait included."""
    found = dict.fromkeys(asked, 0)
    shared = frozenset(found).intersection
    for one in held:
        found[one.term] += one.size
    for change in waiting:
        for term in shared(change.old_terms.split()):
            found[term] -= 1
        for term in shared(change.terms.split()):
            found[term] += 1
    return found


def _pending_scores(
    waiting: Iterable[Pending], weights: Mapping[str, float], mean: float
) -> list[tuple[float, int]]:
    found = []
    known = frozenset(weights)
    for one in waiting:
        terms = one.terms.split()
        if shared := known.intersection(terms):
            score = sum(
                weights[term] * _SCALE * impact(terms.count(term), len(terms), mean)
                for term in sorted(shared)
            )
            found.append((score, one.seq))
    return found


def _block_scores(
    lists: list[_List],
    block: int,
    stale: set[int],
    limit: int,
    best: Sequence[tuple[float, int]],
) -> list[tuple[float, int]]:
    """Give what may be among the best of a block, with scores; uses `lists` up."""
    first = block << BLOCK_BITS
    gone = [seq - first for seq in stale]
    floor = best[limit - 1][0] * _NEARLY if len(best) >= limit else 0.0
    lists.sort(key=lambda one: one.bound)
    rests = [*accumulate(one.bound for one in lists)]
    scores: dict[int, float] = {}
    while lists:
        if lists[-1].size > len(scores) >= limit:
            floor = max(floor, nlargest(limit, scores.values())[-1] * _NEARLY)
        if rests[len(lists) - 1] < floor:
            scores = _looked_up(scores, lists, rests, floor)
            break
        lists.pop().add_to(scores)
        for offset in gone:
            scores.pop(offset, None)
    return [(score, first + at) for at, score in scores.items() if score >= floor]


def _looked_up(
    scores: dict[int, float], lists: list[_List], rests: Sequence[float], floor: float
) -> dict[int, float]:
    """Finish the scores of those that can still be among the best."""
    least = floor - rests[len(lists) - 1]
    scores = {offset: score for offset, score in scores.items() if score >= least}
    while lists:
        one = lists.pop()
        least = floor - (rests[len(lists) - 1] if lists else 0.0)
        scores = one.raised(scores, least)
    return scores


def _top(found: list[tuple[float, int]], limit: int) -> list[tuple[float, int]]:
    if len(found) > 4 * limit:
        floor = nlargest(limit, [score for score, _ in found])[-1]
        found = [one for one in found if one[0] >= floor]
    return sorted(found, key=lambda one: (-one[0], one[1]))[:limit]
