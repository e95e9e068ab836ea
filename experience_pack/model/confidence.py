"""How far an experience is trusted: a pure function of counters and a clock.

    score = PA × (base + UF·w_uf + UA·w_ua + R·w_r) × DS

The document's formula, but for π in PA (DESIGN §8): without it every new
experience scores 0 and its evidence price is lost at the first update.
Nothing here reads a clock or writes; each `after_…` gives a new standing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import exp

from experience_pack.clock import seconds, timestamp
from experience_pack.model.records import Category
from experience_pack.model.standing import Standing, Streak

AUTOMATIC = 0.75  # document: mature, may execute
LEARNING = 0.35  # document: may assist
STREAK_LIMIT = 3  # document: failures in a row that push below learning
STREAK_CAP = 0.34  # the highest two-digit score below LEARNING
SLEEP_FAILURES = 3  # DESIGN §8: one bad day puts nothing to sleep
LOW_FREQUENCY = 1.0  # less than one use since it last decayed: hardly used
FULL_FREQUENCY = 10.0  # document: more recent uses than this add nothing
FREQUENCY_DECAY = 0.7  # document: what a tick leaves of the frequency
WINDOW = 10  # document: outputs that consistency looks back on
DECAY_PER_DAY = 0.05  # document: λ, stated as a half-life of 14 days
DECAY_HALF_LIFE = 14.0  # the half-life that the document states for that λ
STABILITY_FLOOR = 0.80  # a monthly report differs each time, yet may mature

_DAY = 86_400.0

_DECISION_COUNTERS = {
    "execute": "executed",
    "assist": "assisted",
    "delegate": "delegated",
    "reject": "rejected",
    "hint": "hinted",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """Weights inside the bracket of the formula (document: `formula_weights`)."""

    base: float = 0.50
    """What a right prediction is worth alone."""
    uf: float = 0.20
    """Weight of recent use."""
    ua: float = 0.15
    """Weight of what people said."""
    freshness: float = 0.15
    """Weight of the time since the last use."""

    def unused(self) -> float:
        """Give the bracket of an experience nobody used: UF 0, UA ½, R 1."""
        return self.base + self.ua / 2 + self.freshness


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """The parts of a score, each by its name in the formula."""

    prediction: float
    """PA: how often it worked."""
    prior: float
    """π: the evidence price as a fraction of one success."""
    frequency: float
    """UF: recent use, 0–1."""
    acceptance: float
    """UA: what people said, 0–1."""
    freshness: float
    """R: 1 when just used, towards 0 with time."""
    stability: float
    """DS: agreement of the last outputs, 0–1."""
    product: float
    """The formula's value, before cap and floor."""
    cap: float
    """Upper bound; below 1 after failures in a row."""
    floor: float
    """Lower bound from a valid authorisation, else 0."""
    score: float
    """What counts, 0–1."""


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
    weights = conditions.weights
    prior = standing.price / weights.unused()
    tried = standing.success_count + standing.failure_count
    prediction = (standing.success_count + prior) / (tried + 1)
    frequency = min(max(standing.frequency, 0.0), FULL_FREQUENCY) / FULL_FREQUENCY
    acceptance = _acceptance(standing)
    freshness = _freshness(standing.last_used, conditions)
    stability = _stability(standing, conditions)
    bracket = (
        weights.base
        + frequency * weights.uf
        + acceptance * weights.ua
        + freshness * weights.freshness
    )
    product = prediction * bracket * stability
    cap = STREAK_CAP if standing.streak.failure >= STREAK_LIMIT else 1.0
    floor = authorised_floor(standing, conditions.digest)
    return Terms(
        prediction=prediction,
        prior=prior,
        frequency=frequency,
        acceptance=acceptance,
        freshness=freshness,
        stability=stability,
        product=product,
        cap=cap,
        floor=floor,
        score=max(floor, min(cap, max(product, 0.0))),
    )


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
        score(changed, conditions) < conditions.category.sleep_threshold
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


def _acceptance(standing: Standing) -> float:
    rated = standing.positive_fb + standing.negative_fb
    return (standing.positive_fb + 1) / (rated + 2)


def _freshness(last_used: str, conditions: Conditions) -> float:
    """Give R; no known use, or one in the future, counts as fresh."""
    used = seconds(last_used)
    if not used:
        return 1.0
    days = max(0.0, conditions.now - used) / _DAY
    rate = DECAY_PER_DAY * DECAY_HALF_LIFE / max(conditions.category.half_life_days, 1)
    return exp(-rate * days)


def _stability(standing: Standing, conditions: Conditions) -> float:
    """Give DS: 1 when all outputs agree, the floor when no two do."""
    if conditions.stability is not None:
        return min(max(conditions.stability, 0.0), 1.0)
    window = standing.consistency_window[-WINDOW:]
    if len(window) < 2:
        return 1.0
    agreeing = Counter(window).most_common(1)[0][1] - 1
    return STABILITY_FLOOR + (1 - STABILITY_FLOOR) * agreeing / (len(window) - 1)


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
