"""What the gate decides by: numbers with their reasons, and the settings of a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from experience_pack.errors import UsageError
from experience_pack.model.formula import Weights
from experience_pack.model.settings import BY_KEY
from experience_pack.model.values import Json

EXECUTE_SIMILARITY = 0.50  # document: near enough to run on
ASSIST_SIMILARITY = 0.30  # document: near enough to lean on
STRONG_CONFIDENCE = 0.25  # document: what is new may help …
STRONG_SIMILARITY = 0.35  # … where it fits well; the model still judges
HINT_CONFIDENCE = 0.25  # document: below that even a hint misleads
SAME = 0.999  # agreement in normal form; sums of weights end a little below one
LEAST_SAFETY = 0.3  # document: at or below it is skipped
CLOSE = 0.05  # similarity in which two variants of a family count as equally near
DEMOTING_STREAK = 2  # document: failures in a row that turn to the next branch
DEMOTING_VOICES = 3  # document: negative voices from which their share counts
DEMOTING_SHARE = 0.4  # document: share of positive voices below which it gives way
ASSIST_PROBABILITY = 0.5  # more likely meant than not: worth leaning on
HINT_PROBABILITY = 0.15  # one time in seven: worth a line that says "possibly"
VOUCHERS = 3  # one or two utterances vouch for their own words alone (matching, §3.7)
ACTING_SHARE = 0.1  # of the budget, for what does more than fill in a text
AUDIT_SHARE = 0.03  # of sure executions, left to the model so that they are compared
CHAIN_DEPTH = 3  # document: how far prerequisites are followed

EXECUTING_KINDS = ("result", "reflex")
"""Kinds that may run without a model; the others are read by one."""

CALIBRATED, DOCUMENT = "calibrated", "document"
"""What decides how near is near enough: the probability of being right, or the
similarity of the document. Where there are no vectors it is always the latter."""

METHOD_KINDS = ("reference", "process")
"""Kinds that are offered as hints and assembled."""


class Policy(NamedTuple):
    """The settings of the document's table (R10) that a request depends on."""

    automatic_threshold: float
    assist_threshold: float
    min_similarity: float
    weights: Weights
    composite_max_parts: int
    composite_max_per_family: int
    goal_policy: str
    goal_start: bool
    goal_probability: float
    goal_max_per_task: int
    matching: str
    """`calibrated` or `document`."""
    error_budget: float
    """Share of all requests that may be executed wrongly."""
    lessons: str
    """`advisory`, `strict` or `off`."""
    lessons_max_chars: int
    lessons_context: bool
    """Whether a session begins with the best lessons, whatever it is about."""


def policy_of(settings: Mapping[str, Json] | None = None) -> Policy:
    """Give the policy for some settings by their dotted keys, defaults for the rest."""
    stated = settings or {}
    if unknown := [key for key in stated if key not in BY_KEY]:
        raise UsageError(
            f"there is no setting {', '.join(unknown)}",
            hint="`experience-pack config list` shows all of them.",
        )

    def value(key: str) -> Json:
        return stated.get(key, BY_KEY[key].default)

    return Policy(
        automatic_threshold=value("automatic_threshold"),
        assist_threshold=value("assist_threshold"),
        min_similarity=value("min_similarity"),
        weights=Weights(
            base=value("formula_weights.base"),
            uf=value("formula_weights.uf"),
            ua=value("formula_weights.ua"),
            freshness=value("formula_weights.freshness"),
        ),
        composite_max_parts=value("composite_max_parts"),
        composite_max_per_family=value("composite_max_per_family"),
        goal_policy=value("goal_inject.policy"),
        goal_start=value("goal_inject.start"),
        goal_probability=value("goal_inject.probability"),
        goal_max_per_task=value("goal_inject.max_per_task"),
        matching=value("matching.policy"),
        error_budget=value("error_budget"),
        lessons=value("lessons.delivery"),
        lessons_max_chars=value("lessons.max_chars"),
        lessons_context=value("lessons.context"),
    )
