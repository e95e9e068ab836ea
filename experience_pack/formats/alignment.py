"""Which items of two sequences are one item, in bounded time whoever wrote them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_MOST_COMPARED = 160_000  # 400 × 400: a third of a second where few items differ
_MOST_BETWEEN = 400  # 20 × 20: there may be a thousand such places in one text

Pair = tuple[int, int]


class Part(NamedTuple):
    """A run of items that both have, or what stands between two such runs."""

    same: bool
    before: range
    after: range


def parts(before: Sequence[str], after: Sequence[str]) -> Iterator[Part]:
    """Cut two sequences into what both have and what differs, in order."""
    old = new = 0
    for left, right, length in _runs(before, after):
        if (left, right) != (old, new):
            yield Part(same=False, before=range(old, left), after=range(new, right))
        old, new = left + length, right + length
        if length:
            yield Part(same=True, before=range(left, old), after=range(right, new))


def aligned(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Give where equal items of `before` are in `after`, in rising order.

    They are found from both ends, then between. Where many are left, those that stand
    once in both come first (patience sorting), then what is near them.
    """
    start, end = _ends(before, after)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    small = len(old) * len(new) <= _MOST_COMPARED
    inner = _matching(old, new) if small else _around(_unique(old, new), old, new)
    return {
        **{at: at for at in range(start)},
        **{start + left: start + right for left, right in inner},
        **{len(before) - at: len(after) - at for at in range(end, 0, -1)},
    }


def _runs(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """Give where runs of equal items begin and their lengths; the end has none."""
    left = right = length = 0
    for here in aligned(before, after).items():
        if here != (left + length, right + length):
            yield left, right, length
            (left, right), length = here, 0
        length += 1
    yield left, right, length
    yield len(before), len(after), 0


def _ends(before: Sequence[str], after: Sequence[str]) -> Pair:
    """Give how many items are equal at the start, and how many at the end."""
    shorter = min(len(before), len(after))
    start = end = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _matching(before: Sequence[str], after: Sequence[str]) -> Iterable[Pair]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for left, right, size in matcher.get_matching_blocks():
        yield from zip(
            range(left, left + size), range(right, right + size), strict=True
        )


def _around(
    anchors: Iterable[Pair], before: Sequence[str], after: Sequence[str]
) -> Iterator[Pair]:
    """Give anchors, and what is equal in the small stretches between them."""
    done = (0, 0)
    for here in [*anchors, (len(before), len(after))]:
        old, new = before[done[0] : here[0]], after[done[1] : here[1]]
        if 0 < len(old) * len(new) <= _MOST_BETWEEN:
            for left, right in _matching(old, new):
                yield done[0] + left, done[1] + right
        if here[0] < len(before):
            yield here
        done = (here[0] + 1, here[1] + 1)


def _unique(before: Sequence[str], after: Sequence[str]) -> list[Pair]:
    """Pair what stands once in both: the longest run of it in one order.

    Patience sorting; its time hardly grows faster than the sequences.
    """
    places = _singles(after)
    old = _singles(before)
    ends: list[int] = []
    chains: list[tuple[int, int, int]] = []  # place before, place after, the one below
    last: list[int] = []  # of each length, the chain that ends first
    for item, left in old.items():
        right = places.get(item)
        if right is None:
            continue
        at = bisect_left(ends, right)
        chains.append((left, right, last[at - 1] if at else -1))
        ends[at : at + 1] = [right]
        last[at : at + 1] = [len(chains) - 1]
    found = []
    chain = last[-1] if last else -1
    while chain >= 0:
        left, right, chain = chains[chain]
        found.append((left, right))
    return found[::-1]


def _singles(items: Sequence[str]) -> dict[str, int]:
    counted = Counter(items)
    return {item: at for at, item in enumerate(items) if counted[item] == 1}
