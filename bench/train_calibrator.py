"""`python -m bench.train_calibrator`: learn the shipped numbers from public data.

Only train splits are learnt from. `--without NAME` leaves a set out, so that the
others' numbers can be measured on it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.matching_data import (
    NOTHING,
    Task,
    Vectors,
    asked,
    by_intent,
    rows,
    simulated,
    store,
    texts,
)
from experience_pack.matching import alike
from experience_pack.matching.fitting import newton
from experience_pack.matching.ranking import CLIP, Shipped, features_of
from experience_pack.matching.views import Asked, Seen, Views

Floats = NDArray[np.floating[Any]]

TARGET = Path("experience_pack/matching/shipped.json")

SETS = ("clinc150", "banking77", "xsid_zh", "xsid_en")
STORES = 10
"""Stores that are simulated from each set."""

PAIRED = 8
"""Utterances of an intent that are paired for duplicates."""

RANKER_PULL, PULL = 1e-3, 3e-3
"""Penalties on squared weights, a row."""

NEWTON_STEPS = 25

Compared = tuple[Task, Views, list[Seen]]


def main() -> None:
    """Learn, and write the numbers."""
    parser = argparse.ArgumentParser("python -m bench.train_calibrator")
    parser.add_argument("--without", default="", help="a set that is left out")
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    options = parser.parse_args()
    names = [one for one in SETS if not _same(one, options.without)]
    vectors = Vectors()
    tiers: dict[str, Vectors | None] = {"semantic": vectors, "lexical": None}
    found = {
        "ranking": {
            tier: learnt(compared(names, rows))._asdict()
            for tier, rows in tiers.items()
        },
        "alike": {
            tier: pairwise(names, rows)._asdict() for tier, rows in tiers.items()
        },
    }
    text = json.dumps(found, indent=1)
    options.output.write_text(text + "\n", "utf-8")


def _same(name: str, left_out: str) -> bool:
    """Tell whether a set is, or shares its texts with, the one that is left out."""
    return bool(left_out) and name[:4] == left_out[:4]


def compared(names: Sequence[str], vectors: Vectors | None) -> list[Compared]:
    """Simulate stores and compare their requests."""
    tasks = [simulated(name, seed) for name in names for seed in range(STORES)]
    if vectors:
        vectors.ready(texts(tasks))
    found = []
    for task in tasks:
        views = store(task, vectors)
        seen = [views.see(asked(text, vectors)) for text in task.requests]
        found.append((task, views, seen))
    return found


def learnt(stores: Sequence[Compared]) -> Shipped:
    """Learn the ranker, then what says whether its first is right."""
    ranker = _ranker(stores)
    rows, right, weights = [], [], []
    for task, views, seen in stores:
        for one, truth in zip(seen, task.truths, strict=True):
            scores = (one.channels @ ranker).astype(np.float32)
            order = np.argsort(-scores, kind="stable")
            rows.append(features_of(views, one, scores, order))
            right.append(float(order[0] == truth))
            weights.append(1 / len(task.requests))
    table = np.stack(rows)
    means, deviations = table.mean(0), table.std(0) + 1e-3
    steps = np.clip((table - means) / deviations, -CLIP, CLIP)
    scaled = np.array(weights) / np.mean(weights)
    fitted = logistic(steps, np.array(right), scaled)
    return Shipped(
        ranker=_rounded(ranker),
        means=_rounded(means),
        deviations=_rounded(deviations),
        weights=_rounded(fitted[:-1]),
        intercept=_rounded(fitted[-1:])[0],
    )


def _rounded(values: Floats) -> list[float]:
    return [round(float(one), 5) for one in values]


def pairwise(names: Sequence[str], vectors: Vectors | None) -> alike.Shipped:
    """Learn what says whether two texts are the same.

    Each utterance is paired with itself and the nearest of its own intent, which are
    duplicates, and with the nearest and any one of another, which are not.
    """
    features: list[list[float]] = []
    same: list[float] = []
    for name in names:
        chance = random.Random(0)
        found = by_intent(name).items()
        known = {intent: one[:PAIRED] for intent, one in found if len(one) > 1}
        listed = [(query, intent) for intent, one in known.items() for query in one]
        if vectors:
            vectors.ready(query for query, _ in listed)
        for text, intent in chance.sample(listed, min(len(listed), 400)):
            first = asked(text, vectors)
            others = [query for query, other in listed if other != intent]
            own = [one for one in known[intent] if one != text]
            pairs = [(_nearest(first, own, vectors), 1.0), (text, 1.0)]
            pairs += [(_nearest(first, others, vectors), 0.0)]
            pairs += [(chance.choice(others), 0.0)]
            for other, truth in pairs:
                features.append(alike.features_of(first, asked(other, vectors)))
                same.append(truth)
    if vectors:
        for first_text, second_text, truth in _across(names, vectors):
            first, second = asked(first_text, vectors), asked(second_text, vectors)
            features.append(alike.features_of(first, second))
            same.append(truth)
    fitted = logistic(np.array(features), np.array(same), np.ones(len(same)))
    return alike.Shipped(_rounded(fitted[:-1]), _rounded(fitted[-1:])[0])


PARALLEL = ("xsid_en", "xsid_zh")
"""Sets that say the same in two languages, line by line."""


def _across(names: Sequence[str], vectors: Vectors) -> Iterator[tuple[str, str, float]]:
    """Give a text, one in another language, and whether that says the same."""
    if not set(PARALLEL) <= set(names):
        return
    english, chinese = (
        [one for one in rows(name) if one.split == "train"] for name in PARALLEL
    )
    for mine, theirs in zip(english, chinese, strict=True):
        others = [one.query for one in chinese if one.intent != theirs.intent]
        yield mine.query, theirs.query, 1.0
        near = _nearest(asked(mine.query, vectors), others, vectors)
        yield mine.query, near, 0.0


def _nearest(first: Asked, others: Sequence[str], vectors: Vectors | None) -> str:
    return max(others, key=lambda one: _nearness(first, asked(one, vectors)))


def _nearness(first: Asked, second: Asked) -> float:
    if first.vector is None or second.vector is None:
        return alike.dice(first.letters, second.letters)
    return float(first.vector @ second.vector)


def logistic(steps: Floats, right: Floats, weights: Floats) -> Floats:
    """Fit weights and intercept."""
    table = np.hstack([steps, np.ones((len(steps), 1))])
    pull = PULL * weights.sum() * np.eye(table.shape[1])
    pull[-1, -1] = 1e-9
    return newton((table, right, weights), np.zeros(len(pull)), pull)


def _ranker(stores: Sequence[Compared]) -> Floats:
    """Fit a conditional logit: the share of the right one among all (McFadden)."""
    wide = len(stores[0][2][0].channels[0])
    spread = np.mean([one.channels.std(0) for _, _, seen in stores for one in seen], 0)
    found: Floats = 1 / (spread * wide)
    for _ in range(NEWTON_STEPS):
        slope, bend, count = np.zeros(wide), np.zeros((wide, wide)), 0
        for task, _, seen in stores:
            for one, truth in zip(seen, task.truths, strict=True):
                if truth == NOTHING:
                    continue
                scores = one.channels @ found
                shares = np.exp(scores - scores.max())
                shares /= shares.sum()
                mean = shares @ one.channels
                slope += mean - one.channels[truth]
                off = one.channels - mean
                bend += (off * shares[:, None]).T @ off
                count += 1
        pull = RANKER_PULL * np.diag(spread**2)
        step = np.linalg.solve(bend / count + pull, slope / count + pull @ found)
        found = found - step
        if np.abs(step * spread).max() < 1e-3:
            break
    return found


if __name__ == "__main__":
    main()
