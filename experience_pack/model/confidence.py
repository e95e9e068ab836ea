"""How far an experience is trusted: a pure function of counters and a clock.

The formula itself is in `model.formula`. Nothing here reads a clock or writes;
each `after_…` gives a new standing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from experience_pack.clock import seconds, timestamp
from experience_pack.model.formula import (
    DECAY_PER_DAY,
    WINDOW,
    Circumstances,
    Counters,
    Foreign,
    Terms,
    Weights,
    terms_of,
)
from experience_pack.model.records import Category
from experience_pack.model.standing import Standing, Streak

__all__ = [
    "AUTOMATIC",
    "DECAY_PER_DAY",
    "LEARNING",
    "Conditions",
    "Outcome",
    "Terms",
    "Weights",
    "after_decision",
    "after_feedback",
    "after_tick",
    "authorised_floor",
    "level",
    "score",
    "terms",
]

AUTOMATIC = 0.75  # document: mature, may execute
LEARNING = 0.35  # document: may assist
SLEEP_FAILURES = 3  # DESIGN §8: one bad day puts nothing to sleep
LOW_FREQUENCY = 1.0  # less than one use since it last decayed: hardly used
FREQUENCY_DECAY = 0.7  # document: what a tick leaves of the frequency

_DECISION_COUNTERS = {
    "execute": "executed",
    "assist": "assisted",
    "delegate": "delegated",
    "reject": "rejected",
    "hint": "hinted",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Conditions:
    """What a standing is judged under."""

    now: float
    """Seconds since 1970-01-01 UTC."""
    digest: str = ""
    """Current content digest; an authorisation counts for that one only."""
    category: Category = field(default_factory=lambda: Category(name="general"))
    """Area of work, for half-life and sleep threshold."""
    weights: Weights = field(default_factory=Weights)
    """Weights of the formula."""
    stability: float | None = None
    """DS in 0–1 from the host; otherwise worked out from the outputs."""
    foreign: Foreign = field(default_factory=Foreign)
    """What others saw of it, discounted (`formula.foreign_of`)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of one use."""

    worked: bool | None = None
    """Whether it worked; None when nobody can tell, then it is no use."""
    rating: int = 0
    """What a person said: positive, negative, or 0 for nothing."""
    output_hash: str = ""
    """Hash of the output; the empty one is left out of the window."""


def score(standing: Standing, conditions: Conditions) -> float:
    """Give the confidence in 0–1."""
    return terms(standing, conditions).score


def terms(standing: Standing, conditions: Conditions) -> Terms:
    """Give the score with every term that made it, as `why-score` shows it."""
    counters = Counters(
        price=standing.price,
        success_count=standing.success_count,
        failure_count=standing.failure_count,
        failures_in_a_row=standing.streak.failure,
        frequency=standing.frequency,
        positive_fb=standing.positive_fb,
        negative_fb=standing.negative_fb,
        last_used=standing.last_used,
        window=standing.consistency_window,
        floor=authorised_floor(standing, conditions.digest),
    )
    under = Circumstances(
        now=conditions.now,
        half_life_days=conditions.category.half_life_days,
        weights=conditions.weights,
        stability=conditions.stability,
        foreign=conditions.foreign,
    )
    return terms_of(counters, under)


def level(score: float) -> str:
    """Give `automatic`, `learning` or `raw` for a score."""
    if score >= AUTOMATIC:
        return "automatic"
    return "learning" if score >= LEARNING else "raw"


def authorised_floor(standing: Standing, digest: str) -> float:
    """Give the authorised score while it was given for this digest, else 0.0."""
    given = standing.authorisation
    if given is None or not digest or given.digest != digest:
        return 0.0
    return min(max(given.score, 0.0), 1.0)


def after_feedback(
    standing: Standing, outcome: Outcome, conditions: Conditions
) -> Standing:
    """Give the standing once an outcome is known; it may sleep or wake by it."""
    changed = _rated(standing, outcome.rating)
    if outcome.worked is not None:
        changed = _used(changed, outcome.worked, conditions.now)
    if outcome.output_hash:
        window = (*changed.consistency_window, outcome.output_hash)[-WINDOW:]
        changed = replace(
            changed, consistency_window=window, last_output_hash=outcome.output_hash
        )
    asleep = _failing(changed, conditions) and (
        terms(changed, conditions).earned < conditions.category.sleep_threshold
    )
    return _with_sleep(changed, asleep=asleep)


def after_decision(standing: Standing, decision: str) -> Standing:
    """Count `execute`, `assist`, `delegate`, `hint` or `reject`; KeyError else."""
    counter = _DECISION_COUNTERS[decision]
    counts = standing.decision_counts
    counts = replace(counts, **{counter: getattr(counts, counter) + 1})
    return replace(standing, decision_counts=counts)


def after_tick(standing: Standing, conditions: Conditions) -> Standing:
    """Let recent use fade; what is hardly used and mostly fails falls asleep."""
    faded = replace(
        standing,
        frequency=standing.frequency * FREQUENCY_DECAY,
        last_decay_at=timestamp(conditions.now),
    )
    if _failing(faded, conditions) and faded.frequency < LOW_FREQUENCY:
        return _with_sleep(faded, asleep=True)
    return faded


def _rated(standing: Standing, rating: int) -> Standing:
    if rating > 0:
        return replace(standing, positive_fb=standing.positive_fb + 1)
    if rating < 0:
        return replace(standing, negative_fb=standing.negative_fb + 1)
    return standing


def _used(standing: Standing, worked: bool, now: float) -> Standing:  # noqa: FBT001 - an Outcome's field
    streak = standing.streak
    return replace(
        standing,
        success_count=standing.success_count + worked,
        failure_count=standing.failure_count + (not worked),
        streak=Streak(
            success=streak.success + 1 if worked else 0,
            failure=0 if worked else streak.failure + 1,
        ),
        frequency=standing.frequency + 1,
        total_usage=standing.total_usage + 1,
        last_used=timestamp(max(now, seconds(standing.last_used))),
    )


def _failing(standing: Standing, conditions: Conditions) -> bool:
    failures = standing.failure_count
    return (
        failures >= SLEEP_FAILURES
        and failures >= standing.success_count
        and not authorised_floor(standing, conditions.digest)
    )


def _with_sleep(standing: Standing, *, asleep: bool) -> Standing:
    """Move between active and sleeping; any other status is a person's choice."""
    if standing.status not in ("active", "sleeping"):
        return standing
    return replace(standing, status="sleeping" if asleep else "active")
