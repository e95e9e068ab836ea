"""How far two texts say the same, however numbers, dates and courtesies are written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from experience_pack.text.guards import LONGEST
from experience_pack.text.reading import Reading


def agreement(request: str, exemplars: Iterable[str]) -> float:
    """Give the agreement with the nearest exemplar, from 0 to 1.

    It is Dice's coefficient over content words, numbers, dates, names and
    identifiers in their normal form. It tells no opposites apart: the guards do.
    """
    if len(request) > LONGEST:
        return 0.0
    asked = _facts(request)
    found = (_facts(text) for text in exemplars if len(text) <= LONGEST)
    return max((_dice(asked, known) for known in found), default=0.0)


def _dice(first: frozenset[str], second: frozenset[str]) -> float:
    size = len(first) + len(second)
    return 2 * len(first & second) / size if size else 0.0


@lru_cache(maxsize=512)
def _facts(text: str) -> frozenset[str]:
    reading = Reading(text)
    return frozenset(
        [
            *reading.content,
            *reading.numbers,
            *reading.dates,
            *reading.names,
            *reading.identifiers,
        ]
    )
