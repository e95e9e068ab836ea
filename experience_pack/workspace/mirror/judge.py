"""What a card's three digests say: on disk, when last mirrored, in the store."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Digests(NamedTuple):
    """Content digests of one experience at three places; None where it is not."""

    card: str
    mirrored: str | None
    store: str | None


def judge(seen: Digests, older: Collection[str]) -> str:
    """Give `same`, `ahead` (the store is), or a state of `report.STATES`.

    `older` holds the digests of all versions the store has had of it.
    """
    if seen.store is None:
        return "ahead" if seen.card == seen.mirrored else "deleted"
    if seen.card == seen.store:
        return "same"
    if seen.card == seen.mirrored:
        return "ahead"
    if seen.card in older:
        return "older"
    return "edited" if seen.mirrored == seen.store else "conflict"
