"""The confidence formula over plain values; cheap to load, for a request waits.

    score = PA × (base + UF·w_uf + UA·w_ua + R·w_r) × DS

The document's formula, but for π in PA (DESIGN §8): without it every new
experience scores 0 and its evidence price is lost at the first update.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any, NamedTuple

from experience_pack.clock import DAY, seconds

STREAK_LIMIT = 3  # document: failures in a row that push below learning
STREAK_CAP = 0.34  # the highest two-digit score below learning
FULL_FREQUENCY = 10.0  # document: more recent uses than this add nothing
WINDOW = 10  # document: outputs that consistency looks back on
DECAY_PER_DAY = 0.05  # document: λ, stated as a half-life of 14 days
DECAY_HALF_LIFE = 14.0  # the half-life that the document states for that λ
STABILITY_FLOOR = 0.80  # a monthly report differs each time, yet may mature

FOREIGN_WEIGHT = 0.25  # other people, tools and tasks, in a file that anybody can write
FOREIGN_HALF_LIFE = 90.0  # days; what worked elsewhere wears out within seasons
FOREIGN_MOST = 2.0  # outcomes: three of one's own outweigh whatever others say
FOREIGN_COUNT = 1_000_000  # more than anybody counts; a file may say anything

EVIDENCE_PRICES = {
    "user_confirmed": 0.30,  # a person said that it worked
    "auto_compiled": 0.25,  # a cluster of three; more members raise it
    "llm_compiled": 0.25,  # a model wrote it, nobody has tried it
}
"""What an experience of that origin is worth before it was ever used."""

DEFAULT_PRICE = 0.25
"""The price of every other origin: no better than unproved text."""


class Weights(NamedTuple):
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


class Counters(NamedTuple):
    """What the formula wants to know of a standing."""

    price: float = DEFAULT_PRICE
    success_count: int = 0
    failure_count: int = 0
    failures_in_a_row: int = 0
    frequency: float = 0.0
    positive_fb: int = 0
    negative_fb: int = 0
    last_used: str = ""
    window: tuple[str, ...] = ()
    """Hashes of the last outputs."""
    floor: float = 0.0
    """Authorised score for the present content, 0 without one."""


class Foreign(NamedTuple):
    """What other installations saw, as so many outcomes of one's own."""

    successes: float = 0.0
    failures: float = 0.0


class Circumstances(NamedTuple):
    """What counters are judged under."""

    now: float
    """Seconds since 1970-01-01 UTC."""
    half_life_days: float = DECAY_HALF_LIFE
    """Days after which freshness has halved."""
    weights: Weights = Weights()
    """Weights of the formula."""
    stability: float | None = None
    """DS in 0–1 from the host; otherwise worked out from the outputs."""
    foreign: Foreign = Foreign()
    """Prior from others; it only moves PA."""


class Terms(NamedTuple):
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
    earned: float
    """What it would be by one's own counters alone."""


def terms_of(counters: Counters, under: Circumstances) -> Terms:
    """Give the score with every term that made it."""
    weights = under.weights
    prior = counters.price / weights.unused()
    tried = counters.success_count + counters.failure_count
    own = (counters.success_count + prior) / (tried + 1)
    prediction = _with_foreign(own, tried, under.foreign)
    frequency = used_share(counters.frequency)
    acceptance = accepted_share(counters.positive_fb, counters.negative_fb)
    freshness = _freshness(counters.last_used, under)
    stability = _stability(counters.window, under.stability)
    bracket = (
        weights.base
        + frequency * weights.uf
        + acceptance * weights.ua
        + freshness * weights.freshness
    )
    trust = bracket * stability
    cap = STREAK_CAP if counters.failures_in_a_row >= STREAK_LIMIT else 1.0
    floor = min(max(counters.floor, 0.0), 1.0)

    def bounded(product: float) -> float:
        return max(floor, min(cap, max(product, 0.0)))

    return Terms(
        prediction=prediction,
        prior=prior,
        frequency=frequency,
        acceptance=acceptance,
        freshness=freshness,
        stability=stability,
        product=prediction * trust,
        cap=cap,
        floor=floor,
        score=bounded(prediction * trust),
        earned=bounded(own * trust),
    )


def foreign_of(rows: Iterable[Mapping[str, Any]], now: float) -> Foreign:
    """Give what others' standings are worth: discounted, aged, and at most so much.

    A row counts by its outcomes and the time of its last use; one without a time
    has no age and counts for nothing. Rights and state of others never count.
    """
    successes = failures = 0.0
    for row in rows:
        weight = FOREIGN_WEIGHT * _worn(row.get("last_used", ""), now)
        successes += weight * _count(row.get("success_count", 0))
        failures += weight * _count(row.get("failure_count", 0))
    share = min(1.0, FOREIGN_MOST / max(successes + failures, FOREIGN_MOST))
    return Foreign(successes * share, failures * share)


def _with_foreign(own: float, tried: int, foreign: Foreign) -> float:
    """Give PA with others' outcomes beside so many of one's own."""
    outcomes = foreign.successes + foreign.failures
    return (own * (tried + 1) + foreign.successes) / (tried + 1 + outcomes)


def _worn(last_used: str, now: float) -> float:
    used = seconds(last_used) if last_used else 0.0
    if not used:
        return 0.0
    days = max(0.0, now - used) / DAY
    return float(0.5 ** (days / FOREIGN_HALF_LIFE))


def _count(stated: int) -> int:
    return min(max(stated, 0), FOREIGN_COUNT)


def price_of(origin_type: str) -> float:
    """Give the starting score for an origin."""
    return EVIDENCE_PRICES.get(origin_type, DEFAULT_PRICE)


def used_share(frequency: float) -> float:
    """Give UF: recent use from 0 to 1."""
    return min(max(frequency, 0.0), FULL_FREQUENCY) / FULL_FREQUENCY


def accepted_share(positive: int, negative: int) -> float:
    """Give UA: what people said from 0 to 1, ½ where nobody spoke."""
    return (positive + 1) / (positive + negative + 2)


def _freshness(last_used: str, under: Circumstances) -> float:
    """Give R; no known use, or one in the future, counts as fresh."""
    used = seconds(last_used) if last_used else 0.0
    if not used:
        return 1.0
    days = max(0.0, under.now - used) / DAY
    rate = DECAY_PER_DAY * DECAY_HALF_LIFE / max(under.half_life_days, 1)
    return exp(-rate * days)


def _stability(window: tuple[str, ...], stated: float | None) -> float:
    """Give DS: 1 when all outputs agree, the floor when no two do."""
    if stated is not None:
        return min(max(stated, 0.0), 1.0)
    seen = window[-WINDOW:]
    if len(seen) < 2:
        return 1.0
    agreeing = max(map(seen.count, seen)) - 1
    return STABILITY_FLOOR + (1 - STABILITY_FLOOR) * agreeing / (len(seen) - 1)
