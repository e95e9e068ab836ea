"""Texts that tell the same, found by an index of their rarest words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from experience_pack.text.tokens import search_terms

LIKE = 0.5
"""Share of words (Jaccard) from which two texts tell the same (document)."""

IN_COMMON = 3
"""Rare words that texts have to share before they are compared: one is often chance."""


def groups(texts: Sequence[str]) -> list[list[int]]:
    """Group texts by their words; each joins the group whose first text is likest.

    Gives places in `texts`. Sets that share half of their words share some rare ones
    (prefix filter, Chaudhuri, Ganti and Kaushik 2006), so that only texts with such
    words in common are compared; the time grows with those, not with all pairs.
    """
    words = [_words(text) for text in texts]
    counts = Counter(word for one in words for word in one)
    leaders: dict[str, list[int]] = {}
    found: dict[int, list[int]] = {}
    alike: dict[frozenset[str], int] = {}
    for place, own in enumerate(words):
        rarest = _rarest(own, counts)
        leader = alike.get(own, -1)
        if leader < 0:
            leader = _likest(own, words, leaders, rarest)
        if leader < 0:
            leader = place
            found[place] = []
            for word in rarest:
                leaders.setdefault(word, []).append(place)
        alike[own] = leader
        found[leader].append(place)
    return [*found.values()]


def _words(text: str) -> frozenset[str]:
    """Give what texts are compared by: words that are no mere number, if there are."""
    terms = frozenset(search_terms(text))
    return frozenset(one for one in terms if not one.isdecimal()) or terms


def _rarest(words: frozenset[str], counts: Counter[str]) -> list[str]:
    """Give so many of the rarest words that texts alike share `_shared` of them."""
    most = len(words) - ceil(LIKE * len(words)) + _shared(words)
    return sorted(words, key=lambda word: (counts[word], word))[:most]


def _shared(words: frozenset[str]) -> int:
    return min(IN_COMMON, ceil(LIKE * len(words)))


def _likest(
    own: frozenset[str],
    words: Sequence[frozenset[str]],
    leaders: dict[str, list[int]],
    rarest: Sequence[str],
) -> int:
    """Give the first text of the group that is likest, -1 where none is like it."""
    hits: Counter[int] = Counter()
    for word in rarest:
        hits.update(leaders.get(word, ()))
    near = [
        (_jaccard(own, words[place]), -place)
        for place, times in hits.items()
        if times >= IN_COMMON or times >= min(_shared(own), _shared(words[place]))
    ]
    share, place = max(near, default=(0.0, 0))
    return -place if share >= LIKE else -1


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    together = len(first | second)
    return len(first & second) / together if together else 0.0
