"""From several views to one ranking, and to the probability that its first is right.

The weights are shipped (`shipped.json`, made by `python -m bench.train_calibrator`
from public data) with the means and deviations of their features: figures of the
store itself would be constant where it knows its own utterances, and blow up on the
first request that says something new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import exp, log1p
from typing import TYPE_CHECKING, Any, NamedTuple

from experience_pack.matching.views import Seen, Views

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CLIP = 4.0
"""Deviations beyond which a feature says no more."""


class Shipped(NamedTuple):
    """The learnt numbers of one set of views."""

    ranker: Sequence[float]
    """Weight by view."""
    means: Sequence[float]
    deviations: Sequence[float]
    weights: Sequence[float]
    """Weight by feature, in deviations."""
    intercept: float


class Ranked(NamedTuple):
    """The experiences for one request."""

    order: Sequence[int]
    """Rows of experiences, the likeliest first."""
    scores: Sequence[float]
    """Of each row of the order."""
    probability: float
    """That the first is what the request means."""
    features: Floats


def shipped(*, semantic: bool) -> Shipped:
    """Give the numbers for views with meaning, or of words alone."""
    return Shipped(**learnt_numbers()["ranking"]["semantic" if semantic else "lexical"])


@cache
def stamp() -> str:
    """Give what changes when other numbers are shipped."""
    return sha256(json.dumps(learnt_numbers()).encode()).hexdigest()[:16]


def rank(views: Views, seen: Seen, numbers: Shipped) -> Ranked:
    """Rank all experiences for a request, and say how sure that is."""
    import numpy as np

    scores = seen.channels @ np.array(numbers.ranker, np.float32)
    order = np.argsort(-scores, kind="stable")
    features = features_of(views, seen, scores, order)
    odds = float(steps_of(numbers, features) @ numbers.weights) + numbers.intercept
    probability = float(1 / (1 + np.exp(-odds)))
    return Ranked(order.tolist(), scores[order].tolist(), probability, features)


def steps_of(numbers: Shipped, features: Floats) -> NDArray[np.float64]:
    """Give features, of one ranking or a row each, in deviations."""
    import numpy as np

    steps = (features - np.array(numbers.means)) / np.array(numbers.deviations)
    clipped: NDArray[np.float64] = np.clip(steps, -CLIP, CLIP)
    return clipped


def shares_of(ranked: Ranked) -> list[float]:
    """Give the probability of each of an order; the others share what is left."""
    first, *others = [exp(score - ranked.scores[0]) for score in ranked.scores]
    rest = (1 - ranked.probability) / (first + sum(others))
    return [ranked.probability, *(rest * one for one in others)]


def features_of(
    views: Views, seen: Seen, scores: Floats, order: NDArray[np.int64]
) -> Floats:
    """Give what says whether the first of a ranking is right.

    Its score, lead, share and the entropy of all; its value, lead and first place in
    each view; how the nearest utterances vote and how near they are; how much of the
    request is unknown, its size, and how many utterances and experiences there are.
    """
    import numpy as np

    first = int(order[0])
    shares = np.exp(scores - scores[first])
    shares /= shares.sum()
    entropy = -float((shares * np.log(shares + 1e-9)).sum())
    found = [scores[first], _lead(scores, first), shares[first], entropy]
    for channel in seen.channels.T:
        lead = _lead(channel, first)
        found += [channel[first], lead, float(lead >= 0)]
    found += [
        float((seen.votes == first).mean()) if len(seen.votes) else 0.0,
        float(seen.near.mean()),
        float(seen.near[0]),
        seen.unknown,
        log1p(seen.size),
        log1p(float(views.sizes[first])),
        log1p(views.count),
    ]
    return np.array(found, np.float32)


def _lead(values: Floats, first: int) -> float:
    """Give how far one is ahead of the best other."""
    import numpy as np

    if len(values) == 1:
        return float(values[first])
    others = np.delete(values, first)
    return float(values[first] - others.max())


@cache
def learnt_numbers() -> Mapping[str, Any]:
    """Give everything that is shipped: `ranking` and `alike`, each by tier."""
    text = files(__package__ or "").joinpath("shipped.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
