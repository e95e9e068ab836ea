"""Three versions of one sequence: which items are one item, and what lies between.

A merge keeps the items that all three versions know as anchors and looks at the
stretches between them one by one, as diff3 does with lines (Khanna, Kunal, Pierce,
"A Formal Investigation of Diff3", 2007).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from experience_pack.formats import alignment

Lengths = tuple[int, int, int]

_MOST_ALIKE = 100  # 10 × 10 reworded items; telling words apart is slow

_ENDS = re.compile(r"(?<=\n)|(?<=[.!?]\s)|(?<=[。！？])")
_LINE_ENDS = re.compile(r"(?<=\n)")
_CODE = "```"


class Stretch(NamedTuple):
    """Where a part of a merge lies in each version."""

    base: range
    ours: range
    theirs: range
    anchor: bool
    """Whether it is one item that all three have."""


def stretches(
    lengths: Lengths, ours: Mapping[int, int], theirs: Mapping[int, int]
) -> Iterator[Stretch]:
    """Cut three versions into anchors and what is between them, in order.

    `lengths` are those of base, ours and theirs; the mappings say where an item of
    the base is in ours and in theirs.
    """
    done = (0, 0, 0)
    for at in range(lengths[0]):
        if at in ours and at in theirs:
            here = (at, ours[at], theirs[at])
            yield _stretch(done, here, anchor=False)
            done = (here[0] + 1, here[1] + 1, here[2] + 1)
            yield _stretch(here, done, anchor=True)
    yield _stretch(done, lengths, anchor=False)


def _stretch(start: Lengths, stop: Lengths, *, anchor: bool) -> Stretch:
    base, ours, theirs = map(range, start, stop)
    return Stretch(base, ours, theirs, anchor)


def aligned(
    before: Sequence[str],
    after: Sequence[str],
    alike: Callable[[int, int], bool],
) -> dict[int, int]:
    """Give where each item of `before` is in `after`, in rising order.

    Equal items are found first. Between those are found such as were reworded: those
    that are `alike`, which is asked about two places, and where none is, as many new
    ones as old ones.
    """
    equal = alignment.aligned(before, after)
    found: dict[int, int] = {}
    done = (0, 0)
    for here in [*equal.items(), (len(before), len(after))]:
        old, new = range(done[0], here[0]), range(done[1], here[1])
        if old and new:
            found.update(_reworded(old, new, alike))
        found[here[0]] = here[1]
        done = (here[0] + 1, here[1] + 1)
    del found[len(before)]
    return found


def merged_text(base: str, ours: str, theirs: str) -> str | None:
    """Merge two rewordings sentence by sentence, code line by line.

    None if both changed the same sentences, or such as touch each other.
    """
    code = any(_CODE in text for text in (base, ours, theirs))
    ends = _LINE_ENDS if code else _ENDS
    old, mine, yours = (ends.split(text) for text in (base, ours, theirs))
    found: list[str] = []
    lengths = (len(old), len(mine), len(yours))
    ours_at, theirs_at = (alignment.aligned(old, one) for one in (mine, yours))
    for stretch in stretches(lengths, ours_at, theirs_at):
        before, here, there = (
            side[place.start : place.stop]
            for side, place in zip((old, mine, yours), stretch[:3], strict=True)
        )
        if here not in (before, there) and there != before:
            return None
        found += there if here == before else here
    return "".join(found)


def _reworded(
    old: range, new: range, alike: Callable[[int, int], bool]
) -> dict[int, int]:
    """Pair what is alike, then what stands between in equal number."""
    chain = (
        _longest_chain(old, new, alike) if len(old) * len(new) <= _MOST_ALIKE else []
    )
    found: dict[int, int] = {}
    done = (old.start, new.start)
    for here in [*chain, (old.stop, new.stop)]:
        left, right = range(done[0], here[0]), range(done[1], here[1])
        if len(left) == len(right):
            found.update(zip(left, right, strict=True))
        found[here[0]] = here[1]
        done = (here[0] + 1, here[1] + 1)
    del found[old.stop]
    return found


def _longest_chain(
    old: range, new: range, alike: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Give the most pairs of alike items that stand in the same order."""
    best: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for left in old:
        for right in new:
            above = best.get((left - 1, right), [])
            beside = best.get((left, right - 1), [])
            chain = max(above, beside, key=len)
            if alike(left, right):
                corner = best.get((left - 1, right - 1), [])
                chain = max(chain, [*corner, (left, right)], key=len)
            best[left, right] = chain
    return best[old[-1], new[-1]]
