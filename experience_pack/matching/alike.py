"""How probably two texts say the same, for duplicates: one scale for all encoders.

The weights are shipped beside those of the ranker; they were learnt on pairs of
utterances of the same and of the nearest other intents.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from experience_pack.matching.ranking import learnt_numbers
from experience_pack.matching.views import Asked


class Shipped(NamedTuple):
    """The learnt numbers: a weight by feature of `features_of`, and one for all."""

    weights: Sequence[float]
    intercept: float


class Sides(NamedTuple):
    """The two fields in which duplicates agree, and their sense."""

    condition: Asked
    behaviour: Asked
    polarity: str


REVIEW = 0.5
"""More probably the same than not: worth a person's look."""

STRONG = 0.8
"""Four of five are the same: named first, and never merged by itself."""


def shipped(*, semantic: bool) -> Shipped:
    """Give the numbers for texts with vectors, or of words alone."""
    found = learnt_numbers()["alike"]["semantic" if semantic else "lexical"]
    return Shipped(**found)


def twins(first: Sides, second: Sides, numbers: Shipped) -> float:
    """Give the probability that two are the same: the lower of both fields.

    What has the opposite sense is never the same, however alike its words are.
    """
    if first.polarity != second.polarity:
        return 0.0
    return min(
        probability(first.condition, second.condition, numbers),
        probability(first.behaviour, second.behaviour, numbers),
    )


def probability(first: Asked, second: Asked, numbers: Shipped) -> float:
    """Give the probability that two texts mean the same."""
    pairs = zip(numbers.weights, features_of(first, second), strict=True)
    odds = numbers.intercept + sum(weight * value for weight, value in pairs)
    return 1 / (1 + exp(-odds))


def features_of(first: Asked, second: Asked) -> list[float]:
    """Give cosine of meaning, and Dice's coefficients of letters and of words.

    The last two are 1 and the cosine where no letter is shared, as in two languages,
    of which the other features say nothing.
    """
    near = 0.0
    if first.vector is not None and second.vector is not None:
        near = float(first.vector @ second.vector)
    letters = dice(first.letters, second.letters)
    apart = float(not letters)
    return [near, letters, dice(first.words, second.words), apart, near * apart]


def dice(first: Sequence[int], second: Sequence[int]) -> float:
    """Give the share of parts that two texts have in common, 0 to 1."""
    size = len(first) + len(second)
    return 2 * len({*first} & {*second}) / size if size else 0.0
