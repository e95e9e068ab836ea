"""How well requests find what they mean, and how far the probability can be believed.

Exemplars come from train splits, requests from test splits that nothing was learnt
from; what is out of scope is weighed to a fifth of all requests, as the reference
measured it. Beside ours stand the document's formula, BM25 and the nearest neighbour
by cosine, on the same data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.harness import Aim, Figure, missed
from bench.matching_data import (
    NOTHING,
    Lookup,
    Task,
    Vectors,
    asked,
    measured,
    store,
    texts,
)
from experience_pack.matching.ranking import rank, shipped
from experience_pack.matching.similarity import DEFAULT_WEIGHTS
from experience_pack.text.tokens import search_terms

Floats = NDArray[np.floating[Any]]

SETS = (("clinc150", 10), ("clinc150", 5), ("banking77", 10), ("banking77oos", 10))
CHINESE = (("xsid_zh", 10),)
SEED = 0

OUTSIDE = 0.2
"""Share of requests that no experience answers."""

LEAST_EXECUTED = 30
"""Executions below which a precision says nothing."""

DECLARED = 0.95
"""Precision that a cut at this probability declares."""

SURE = 1.645
"""One-sided 95 % of the normal distribution, for the bound on what was realised."""

TOP_AIMS = {"clinc150, 10": 0.88, "banking77, 10": 0.84, "xsid_zh, 10": 0.94}
COVERAGE_AIMS = {"clinc150, 10": 0.74, "xsid_zh, 10": 0.92}
RECALL_AIMS = {"clinc150, 5": 0.975}
"""Issue 4."""


class Answers(NamedTuple):
    """What one way of matching answers to the requests of a task."""

    first: NDArray[np.int64]
    sure: Floats
    third: Floats
    """Whether the right one is among the first three."""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give top-1, coverage and calibration on each set."""
    _ = size, folder
    vectors = Vectors()
    for name, exemplars in (*SETS, *CHINESE):
        task = measured(name, exemplars, SEED)
        vectors.ready(texts([task]))
        label = f"{name}, {exemplars}"
        found = {way: answer(task, vectors) for way, answer in WAYS.items()}
        yield from _quality(label, task, found)
        yield from _calibration(label, task, found["ours"])


def ours(task: Task, vectors: Lookup | None) -> Answers:
    """Answer by all views, the calibrated probability as certainty."""
    views, numbers = store(task, vectors), shipped(semantic=vectors is not None)
    ranked = [rank(views, views.see(asked(q, vectors)), numbers) for q in task.requests]
    third = [t in one.order[:3] for one, t in zip(ranked, task.truths, strict=True)]
    return Answers(
        np.array([one.order[0] for one in ranked]),
        np.array([one.probability for one in ranked]),
        np.array(third, float),
    )


def nearest(task: Task, vectors: Vectors) -> Answers:
    """Answer with the owner of the utterance of the highest cosine."""
    kept = np.stack([vectors[text] for text in task.exemplars])
    return _answers(task, lambda text: _best(task, kept @ vectors[text]))


def bm25(task: Task, _: Vectors) -> Answers:
    """Answer by BM25 over all utterances of an experience."""
    documents: list[list[str]] = [[] for _ in range(task.experiences)]
    for owner, text in zip(task.owners, task.exemplars, strict=True):
        documents[owner] += search_terms(text)
    counts = [Counter(one) for one in documents]
    rarity = _rarity(counts)
    mean = sum(map(len, documents)) / len(documents)

    def scores(text: str) -> Floats:
        terms = set(search_terms(text)) & rarity.keys()
        return np.array([
            sum(rarity[t] * one[t] * 2.2 / (one[t] + 1.2 * (0.25 + 0.75 * n / mean))
                for t in terms if t in one)
            for one, n in zip(counts, map(len, documents), strict=True)
        ])  # fmt: skip

    return _answers(task, scores)


def document(task: Task, vectors: Vectors) -> Answers:
    """Answer by the document's weighted sum: keywords, tags and the mean vector."""
    keywords = _keywords(task)
    kept = np.stack([vectors[text] for text in task.exemplars])
    centres = np.zeros((task.experiences, kept.shape[1]))
    np.add.at(centres, task.owners, kept)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    rule, tags, vector = DEFAULT_WEIGHTS

    def scores(text: str) -> Floats:
        said = set(search_terms(text))
        worded = [len(said & {*one}) / max(1, len(said)) for one in keywords]
        tagged = [len(said & {*one[:5]}) / 5 for one in keywords]
        near = np.clip(centres @ vectors[text], 0, 1)
        found: Floats = rule * np.array(worded) + tags * np.array(tagged)
        return found + vector * near

    return _answers(task, scores)


WAYS: Mapping[str, Callable[[Task, Vectors], Answers]] = {
    "document": document,
    "bm25": bm25,
    "nearest": nearest,
    "ours": ours,
    "words": lambda task, _: ours(task, None),
}
"""Everything that is compared; `words` is ours without vectors."""


def _answers(task: Task, scores: Callable[[str], Floats]) -> Answers:
    table = np.stack([scores(text) for text in task.requests])
    order = np.argsort(-table, axis=1, kind="stable")
    third = (order[:, :3] == task.truths[:, None]).any(axis=1)
    return Answers(order[:, 0], table.max(axis=1), third.astype(float))


def _best(task: Task, values: Floats) -> Floats:
    found = np.full(task.experiences, -1.0)
    np.maximum.at(found, task.owners, values)
    return found


def _rarity(counts: Sequence[Counter[str]]) -> dict[str, float]:
    frequency = Counter(term for one in counts for term in one)
    total = len(counts)
    return {t: log(1 + (total - n + 0.5) / (n + 0.5)) for t, n in frequency.items()}


def _keywords(task: Task) -> list[list[str]]:
    """Give each experience's twelve best words, as a person might have listed them."""
    counts: list[Counter[str]] = [Counter() for _ in range(task.experiences)]
    for owner, text in zip(task.owners, task.exemplars, strict=True):
        counts[owner].update(set(search_terms(text)))
    rarity = _rarity(counts)
    return [
        sorted(one, key=lambda term: -one[term] * rarity[term])[:12] for one in counts
    ]


def weights_of(truths: NDArray[np.int64]) -> Floats:
    """Weigh what is out of scope to its share of all requests."""
    inside = truths != NOTHING
    found = np.ones(len(truths))
    if not inside.all():
        found[~inside] = OUTSIDE / (1 - OUTSIDE) * inside.sum() / (~inside).sum()
    return found


def coverage(task: Task, answers: Answers, precision: float = DECLARED) -> float:
    """Give the share answered rightly at the largest cut of that precision."""
    weights, right = weights_of(task.truths), answers.first == task.truths
    order = np.argsort(-answers.sure, kind="stable")
    rights = np.cumsum((weights * right)[order])
    precise = rights / np.cumsum(weights[order]) >= precision
    precise &= np.arange(len(order)) + 1 >= LEAST_EXECUTED
    inside = float((task.truths != NOTHING).sum())
    return float(rights[precise][-1]) / inside if precise.any() else 0.0


def _quality(label: str, task: Task, found: Mapping[str, Answers]) -> Iterator[Figure]:
    inside = task.truths != NOTHING
    n = f"n {len(task.truths)} seed {SEED}"
    top = {w: float((a.first == task.truths)[inside].mean()) for w, a in found.items()}
    third = {way: float(one.third[inside].mean()) for way, one in found.items()}
    covered = {way: coverage(task, one) for way, one in found.items()}
    for name, values, aims in (
        ("top-1", top, TOP_AIMS),
        ("recall@3", third, RECALL_AIMS),
        ("coverage at 95 %", covered, COVERAGE_AIMS),
    ):
        yield missed(f"match {label}: {name}", values, aims.get(label), n)


def _calibration(label: str, task: Task, found: Answers) -> Iterator[Figure]:
    """Give how far probabilities are off, and a cut's promise and what came of it."""
    weights = weights_of(task.truths)
    right = (found.first == task.truths).astype(float)
    bins = np.minimum((found.sure * 10).astype(int), 9)
    off = np.bincount(bins, weights * (right - found.sure), minlength=10)
    yield Figure(
        name=f"match {label}: calibration error",
        value=float(np.abs(off).sum() / weights.sum()),
        unit="",
        aim=Aim(most=0.05, of="value"),
    )
    executed = found.sure >= DECLARED
    total = float((weights * executed).sum())
    realised = float((weights * right * executed).sum()) / total if total else 1.0
    slack = SURE * (DECLARED * (1 - DECLARED) / max(total, 1)) ** 0.5
    yield Figure(
        name=f"match {label}: precision short of the declared 95 %",
        value=DECLARED - realised,
        unit="",
        aim=Aim(most=round(slack, 4), of="value"),
        digest=f"executed {int(executed.sum())} of {len(executed)}",
    )
