"""A store that begins empty and learns only from what it had to delegate.

All texts of a set come in one stream. A delegated request shows afterwards what it
meant; of executions three in a hundred are audited, and of wrong ones three in ten
are complained about. The bar is the budget's own. Beside it stand the nearest
neighbour by a fixed cosine, and the document's formula with its gate.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.harness import Aim, Figure, missed
from bench.match import document
from bench.matching_data import NOTHING, Task, Vectors, asked, named, rows, store
from experience_pack.matching.ranking import rank, shipped
from experience_pack.matching.views import Views
from experience_pack.runtime.budget import LABELS, bar_of, offset_of
from experience_pack.runtime.policy import AUDIT_SHARE, EXECUTE_SIMILARITY, VOUCHERS
from experience_pack.store.outcomes import Outcome

SETS = ("clinc150", "banking77oos")
SEEDS = (0, 1, 2)

ALLOWED = 0.01
"""Wrong executions of all requests."""

COMPLAINTS = 0.3
"""Share of wrong executions that somebody complains about."""

LEARNT = 10
"""Exemplars that are kept of each."""

RENEWED = 25
"""Requests between two looks at what was learnt; a request of the product looks each
time, which changes little and takes long."""

COSINE = 0.8

SAFE_AIMS = {"clinc150": (0.46, 0.65), "banking77oos": (0.15, 0.0)}
"""Issue 4: safe hit rate, and that of the last third."""


class Stream(NamedTuple):
    """Requests in an order, and what each means."""

    requests: list[str]
    truths: NDArray[np.int64]
    names: list[str]


class Ran(NamedTuple):
    """What became of each request."""

    executed: NDArray[np.bool_]
    right: NDArray[np.bool_]


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the safe hit rate on each set, in three orders."""
    _ = size, folder
    vectors = Vectors()
    for name in SETS:
        for seed in SEEDS:
            stream = streamed(name, seed)
            vectors.ready([*stream.requests, *stream.names])
            found = {way: run(stream, vectors) for way, run in WAYS.items()}
            if seed:
                del found["document"]  # slow, and the same in every order
            yield from _figures(name, seed, stream, found)


def streamed(name: str, seed: int) -> Stream:
    """Give a set's texts in a random order; a tenth of a large set's train split."""
    chance = random.Random(seed)
    kept: dict[str, str] = {}
    seen: Counter[str] = Counter()
    listed = [*rows(name)]
    random.Random(0).shuffle(listed)
    for row in listed:
        seen[row.split + row.intent] += 1
        if (
            row.means_nothing
            or row.split != "train"
            or seen["train" + row.intent] <= 10
        ):
            kept.setdefault(row.query, "" if row.means_nothing else row.intent)
    inside = [pair for pair in kept.items() if pair[1]]
    outside = [pair for pair in kept.items() if not pair[1]]
    pairs = _sample(chance, inside, 3500) + _sample(chance, outside, 875)
    chance.shuffle(pairs)
    names = sorted({intent for _, intent in pairs if intent})
    numbers = {intent: at for at, intent in enumerate(names)}
    truths = np.array([numbers.get(intent, NOTHING) for _, intent in pairs])
    return Stream([query for query, _ in pairs], truths, [*map(named, names)])


def _sample(
    chance: random.Random, pairs: list[tuple[str, str]], most: int
) -> list[tuple[str, str]]:
    return chance.sample(pairs, min(most, len(pairs)))


class _Learner:
    """Utterances by experience, and the store of those that have enough."""

    def __init__(self, stream: Stream, vectors: Vectors) -> None:
        self._stream = stream
        self._vectors = vectors
        self._told: dict[int, list[str]] = defaultdict(list)
        self.active: list[int] = []
        self.task: Task | None = None

    def learn(self, request: str, truth: int) -> None:
        if truth != NOTHING and len(self._told[truth]) < LEARNT:
            self._told[truth].append(request)

    def renew(self) -> Views | None:
        """Give the store of what was learnt, None while nothing has enough."""
        self.active = [at for at, one in self._told.items() if len(one) >= VOUCHERS]
        if len(self.active) < 2:
            return None
        pairs = [
            (text, owner)
            for owner, at in enumerate(self.active)
            for text in (self._stream.names[at], *self._told[at])
        ]
        texts, owners = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        self.task = Task(texts, owners, len(self.active), [], np.array([]))
        return store(self.task, self._vectors)


def ours(stream: Stream, vectors: Vectors) -> Ran:
    """Run the stream under the product's views, probability and budget."""
    chance = random.Random(1)
    learner, numbers = _Learner(stream, vectors), shipped(semantic=True)
    views: Views | None = None
    labels: list[tuple[int, bool, bool]] = []
    executed = np.zeros(len(stream.requests), bool)
    right = np.zeros(len(stream.requests), bool)
    for at, (text, truth) in enumerate(
        zip(stream.requests, stream.truths, strict=True)
    ):
        if at % RENEWED == 0:
            views = learner.renew()
        first, likely = NOTHING - 1, 0.0
        if views is not None:
            found = rank(views, views.see(asked(text, vectors)), numbers)
            first, likely = learner.active[found.order[0]], found.probability
        told = [Outcome(at - when, ran, wrong) for when, ran, wrong in labels[-LABELS:]]
        if likely < bar_of(ALLOWED, offset_of(told, ALLOWED)):
            learner.learn(text, int(truth))
            labels.append((at, False, first != truth))
        elif chance.random() < AUDIT_SHARE:
            labels.append((at, True, first != truth))
            learner.learn(text, int(truth))
        else:
            executed[at], right[at] = True, first == truth
            if first != truth and chance.random() < COMPLAINTS:
                labels.append((at, True, True))
    return Ran(executed, right)


def nearest(stream: Stream, vectors: Vectors) -> Ran:
    """Execute what the nearest known request meant, from a fixed cosine on."""
    kept = np.stack([vectors[text] for text in stream.requests])
    executed = np.zeros(len(kept), bool)
    right = np.zeros(len(kept), bool)
    known: list[int] = []
    for at, truth in enumerate(stream.truths):
        if known:
            near = kept[known] @ kept[at]
            best = int(near.argmax())
            if near[best] >= COSINE:
                executed[at] = True
                right[at] = truth != NOTHING and stream.truths[known[best]] == truth
                continue
        known.append(at)
    return Ran(executed, right)


def by_document(stream: Stream, vectors: Vectors) -> Ran:
    """Execute from the document's similarity on, everything mature."""
    learner = _Learner(stream, vectors)
    executed = np.zeros(len(stream.requests), bool)
    right = np.zeros(len(stream.requests), bool)
    for start in range(0, len(stream.requests), RENEWED * 4):
        part = slice(start, start + RENEWED * 4)
        texts, truths = stream.requests[part], stream.truths[part]
        if learner.renew() is not None and learner.task is not None:
            task = learner.task._replace(requests=texts, truths=truths)
            found = document(task, vectors)
            executed[part] = found.sure >= EXECUTE_SIMILARITY
            active = np.array(learner.active)
            right[part] = active[found.first] == truths
        for text, truth, ran in zip(texts, truths, executed[part], strict=True):
            if not ran:
                learner.learn(text, int(truth))
    return Ran(executed, right)


WAYS: Mapping[str, Callable[[Stream, Vectors], Ran]] = {
    "ours": ours,
    "nearest": nearest,
    "document": by_document,
}


def _figures(
    name: str, seed: int, stream: Stream, found: Mapping[str, Ran]
) -> Iterator[Figure]:
    inside = stream.truths != NOTHING
    last = np.arange(len(inside)) >= len(inside) * 2 // 3
    n = f"n {len(inside)} seed {seed}"
    for label, part, aim in (
        ("safe hits", np.ones(len(inside), bool), SAFE_AIMS[name][0]),
        ("safe hits, last third", last, SAFE_AIMS[name][1]),
    ):
        hits = {way: _hits(one, inside & part) for way, one in found.items()}
        yield missed(f"stream {name}, order {seed}: {label}", hits, aim, n)
    wrong = {
        way: float((one.executed & ~one.right).mean()) for way, one in found.items()
    }
    told = " ".join(f"{way} {100 * value:.2f} %" for way, value in wrong.items())
    yield Figure(
        name=f"stream {name}, order {seed}: wrong of all requests",
        value=wrong["ours"],
        unit="",
        aim=Aim(most=ALLOWED, of="value"),
        digest=f"{told} {n}",
    )


def _hits(ran: Ran, part: NDArray[np.bool_]) -> float:
    return float((ran.executed & ran.right)[part].sum() / part.sum())
