"""Branches of one family: which comes first, and which has to give way."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.model.formula import accepted_share, used_share
from experience_pack.runtime import policy as limits
from experience_pack.runtime.trust import Trust
from experience_pack.runtime.types import Candidate

Weighed = tuple[Candidate, Trust]

VOICE_SHARE = 0.7  # what people said outweighs how often it was used …
USE_SHARE = 0.3  # … but tells nothing of what nobody rated


def quality(trust: Trust) -> float:
    """Give how well a branch did, 0 to 1: what people said, and recent use."""
    counters = trust.counters
    voices = accepted_share(counters.positive_fb, counters.negative_fb)
    return VOICE_SHARE * voices + USE_SHARE * used_share(counters.frequency)


def demotion(candidate: Candidate, trust: Trust) -> str:
    """Say why a branch gives way to the next candidate, or nothing."""
    if not (candidate.family or candidate.parent_id):
        return ""
    counters = trust.counters
    failures = counters.failures_in_a_row
    if failures >= limits.DEMOTING_STREAK:
        return f"it failed {failures} times in a row"
    negative, rated = counters.negative_fb, counters.positive_fb + counters.negative_fb
    share = counters.positive_fb / rated if rated else 1.0
    if negative >= limits.DEMOTING_VOICES and share < limits.DEMOTING_SHARE:
        return f"{negative} of {rated} voices were against it"
    return ""


def arranged(weighed: Sequence[Weighed]) -> list[Weighed]:
    """Order candidates by similarity; near branches of one family by merit.

    A family keeps its places among the others. Of its members that are about as
    near as its nearest the better one leads, then the more special one.
    """
    listed = sorted(weighed, key=_nearness)
    families: dict[str, list[Weighed]] = {}
    for one in listed:
        families.setdefault(_family(one), []).append(one)
    waiting = {name: iter(_by_merit(members)) for name, members in families.items()}
    return [next(waiting[_family(one)]) for one in listed]


def _nearness(one: Weighed) -> tuple[float, float, float]:
    candidate, _ = one
    return -(candidate.probability or 0.0), -candidate.similarity, -candidate.bm25


def _family(one: Weighed) -> str:
    candidate, _ = one
    return candidate.family or candidate.id


def _by_merit(members: list[Weighed]) -> list[Weighed]:
    nearest = members[0][0].similarity
    parents = {candidate.parent_id for candidate, _ in members}

    def merit(one: Weighed) -> tuple[float, ...]:
        candidate, trust = one
        if nearest - candidate.similarity > limits.CLOSE:
            return (1, -candidate.similarity)
        return (0, -quality(trust), candidate.id in parents, -candidate.similarity)

    return sorted(members, key=merit)
