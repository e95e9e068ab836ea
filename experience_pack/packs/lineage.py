"""How two texts of one experience are related, by what each descends from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

Node = tuple[str, int]
"""A digest and the how manyeth time a lineage has it: a text may come back."""

MOST = 100
"""Digests of one experience that a pack carries: 6.4 kB, years of edits."""


class Kinship(NamedTuple):
    """What an incoming text is to the one here."""

    state: str
    """`same`: it is ours; `newer`: it descends from ours; `older`: ours from it;
    `apart`: neither."""
    base: int | None
    """Place in our lineage of the newest text that both descend from, if apart."""
    news: tuple[str, ...]
    """What it descends from that ours does not, itself left out."""


def kinship(
    ours: Sequence[str], theirs: Sequence[str], readable: Collection[int]
) -> Kinship:
    """Compare two lineages, each the oldest first and the present text last.

    `readable` holds the places of `ours` whose text is here; only they can be a
    base. The base is the same seen from either side, so that two sides that merge
    each other's text come to the same result.
    """
    here, there = nodes(ours), nodes(theirs)
    known = {node: at for at, node in enumerate(here)}
    news = tuple(node[0] for node in there[:-1] if node not in known)
    if here[-1] == there[-1]:
        return Kinship("same", None, news)
    newer, older = here[-1] in there, there[-1] in known
    if newer != older:
        return Kinship("newer" if newer else "older", None, news)
    common = [
        (min(known[node], at), node)
        for at, node in enumerate(there)
        if known.get(node) in readable and node not in (here[-1], there[-1])
    ]
    base = known[max(common)[1]] if common else None
    return Kinship("apart", base, news)


def nodes(lineage: Sequence[str]) -> list[Node]:
    """Give each digest with the number of times that it has stood there by then."""
    seen: Counter[str] = Counter()
    found = []
    for digest in lineage:
        seen[digest] += 1
        found.append((digest, seen[digest]))
    return found
