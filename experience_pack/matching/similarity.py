"""The three-part similarity of a request and an experience, from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

DEFAULT_WEIGHTS = (0.55, 0.25, 0.20)
"""Rule, tags and vector of a kind that has no row of its own."""

KIND_WEIGHTS = {
    # told in other words in each project: what it means counts most
    "reference": (0.30, 0.20, 0.50),
    # the words of the action and their meaning count alike
    "process": (0.45, 0.25, 0.30),
    # acts: it must be named, not resembled
    "result": (0.60, 0.20, 0.20),
    # acts with no model behind it: strictest
    "reflex": (0.65, 0.20, 0.15),
}
"""Weights of rule, tags and vector by kind (document, typed matching)."""

EVENT_SHARE = 0.5
"""How much of what is missing in words an event makes up: it says when, not what."""


class Parts(NamedTuple):
    """How far a request and an experience agree, part by part."""

    rule: float
    """Agreement in words and event."""
    tags: float
    """Share of the experience's tags that the request has."""
    vector: float | None = None
    """Agreement in meaning; None without vectors."""


class Asked(NamedTuple):
    """The request's side of the comparison, worked out once."""

    weights: Mapping[str, float]
    """What each of its search terms says at all, the rarest most."""
    top: float
    """The highest of the weights."""
    words: Sequence[tuple[str, float]]
    """Each term between blanks, and what it says of the task: 0 for those that
    only hold it together."""
    total: float
    """Sum of what all terms say of the task."""
    named: frozenset[str] = frozenset()
    """Terms of the context's tags."""
    event: str = ""
    """The event that the host names, case folded."""


def asked(
    weights: Mapping[str, float],
    task: Iterable[Sequence[str]],
    named: Iterable[str] = (),
    event: str = "",
) -> Asked:
    """Give the request's side from the weight of each term of the search.

    `task` has the terms of each word of the task. The n terms of one word weigh
    1/√n each: a long Chinese object says more than a verb, but not n times more.
    Terms outside it (function words, the seams between Chinese words) say nothing,
    unless there is no task.
    """
    said = dict.fromkeys(weights, 0.0)
    for word in task:
        known = [term for term in word if term in said]
        for term in known:
            said[term] += weights[term] / sqrt(len(known))
    if not any(said.values()):
        said = dict(weights)
    words = [(f" {term} ", weight) for term, weight in said.items()]
    top = max(weights.values(), default=0.0)
    return Asked(weights, top, words, sum(said.values()), frozenset(named), event)


def similarity(kind: str, parts: Parts) -> float:
    """Give the weighted sum; without a vector the other weights sum to one."""
    rule, tags, vector = KIND_WEIGHTS.get(kind, DEFAULT_WEIGHTS)
    total = rule * parts.rule + tags * parts.tags
    if parts.vector is None:
        return total / (rule + tags)
    return total + vector * parts.vector


def rule_part(asked: Asked, phrases: str, event: str) -> float:
    """Give the agreement in words, raised where the event is the same.

    In words it is the mean of two: F1 of the best phrase, and how much of the
    request's weight all phrases together answer. F1 is the harmonic mean of what
    the phrase answers of the request and what the request uses of the phrase.
    `phrases` has a phrase a line, each term between two blanks.
    """
    present = [one for one in asked.words if one[0] in phrases]
    best = 0.0
    for phrase in phrases.split("\n"):
        shared = [weight for word, weight in present if word in phrase]
        if answered := sum(shared) / asked.total:
            used = len(shared) / (phrase.count(" ") - 1)
            best = max(best, 2 * answered * used / (answered + used))
    best = (best + sum(weight for _, weight in present) / asked.total) / 2
    if event and event == asked.event:
        best += EVENT_SHARE * (1 - best)
    return best


def tag_part(asked: Asked, tags: str) -> float:
    """Give the share of tags that the request has, from 0 to 1.

    A tag that the context names counts one. One that only the text says counts
    what it weighs beside the rarest word there: that everything is tagged
    `report` tells nothing. `tags` has a tag a line, its terms by spaces; an
    experience without tags has no share.
    """
    if not tags:
        return 0.0
    lines = tags.split("\n")
    return sum(_tag(asked, line.split(" ")) for line in lines) / len(lines)


def _tag(asked: Asked, terms: Sequence[str]) -> float:
    if asked.named.issuperset(terms):
        return 1.0
    if not all(term in asked.weights for term in terms):
        return 0.0
    return sum(asked.weights[term] for term in terms) / (len(terms) * asked.top)
