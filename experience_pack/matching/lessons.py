"""Which lessons come first: those that were seen often, and lately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experience_pack.clock import DAY, seconds
from experience_pack.formats.strict_json import read_back
from experience_pack.model.values import Json
from experience_pack.store import Reader, sightings
from experience_pack.store.sightings import Seen

POLARITIES = DO, AVOID = "do", "avoid"

CORE_ITEMS = 20
"""Lessons in the core, half of each polarity where both exist (upstream)."""

DISTILS = "distils"
"""Relation of a redistilled lesson to those that it stands for."""

REPEAT_BONUS = 0.08
"""Score that each earlier sighting adds to the next one, at most 1 (upstream)."""

FADING = 0.05
"""Score that a lesson loses each day on which it is not seen (upstream)."""


class Lesson(NamedTuple):
    """A lesson as views and models are shown it."""

    id: str
    text: str
    polarity: str
    approved: bool
    digest: str
    hits: int
    last_seen: str
    rank: float
    distils: tuple[str, ...]


def lessons_of(
    db: Reader, now: float, identities: Sequence[str] | None = None
) -> list[Lesson]:
    """Give all lessons, or some, the best first."""
    found = [_lesson(one, now) for one in sightings.lessons(db, identities)]
    return sorted(found, key=lambda one: (-one.rank, -one.hits, one.id))


def core(lessons: Sequence[Lesson], most: int = CORE_ITEMS) -> list[Lesson]:
    """Give the best; half of them of each polarity, as far as there are so many."""
    halves = [
        one
        for polarity in POLARITIES
        for one in [other for other in lessons if other.polarity == polarity][
            : most // 2
        ]
    ]
    rest = [one for one in lessons if one not in halves]
    kept = {one.id for one in [*halves, *rest][:most]}
    return [one for one in lessons if one.id in kept]


def _lesson(one: Seen, now: float) -> Lesson:
    content: Mapping[str, Json] = read_back(one.content, one.id)
    links = content.get("links", ())
    return Lesson(
        one.id,
        " ".join(str(content.get("text") or content["name"]).split()),
        str(content.get("polarity") or DO),
        is_approved(one),
        one.digest,
        one.hits,
        one.last_seen,
        rank(one.hits, seconds(one.last_seen), now),
        tuple(link["target"] for link in links if link["relation"] == DISTILS),
    )


def is_approved(one: Seen) -> bool:
    """Tell whether a person here accepted the lesson exactly as it stands."""
    standing = read_back(one.standing, one.id) if one.standing else {}
    said = standing.get("approved_digest") == one.digest
    return said and standing.get("status", "active") == "active"


def score(hits: int) -> float:
    """Give the score of so many sightings: each counts one and a bonus for the rest.

    s(n) = n + sum over k < n of min(1, 0.08 k), the upstream's sum in closed form.
    """
    full = int(1 / REPEAT_BONUS)
    early = min(hits - 1, full)
    bonus = REPEAT_BONUS * early * (early + 1) / 2 + max(0, hits - 1 - full)
    return hits + bonus


def rank(hits: int, last_seen: float, now: float) -> float:
    """Give what lessons are ordered by: the score, less what faded since."""
    return score(hits) - FADING * max(0.0, now - last_seen) / DAY
