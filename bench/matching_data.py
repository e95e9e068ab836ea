"""Public intents as experiences, requests with and without one, and their vectors."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from experience_pack.errors import NotFoundError
from experience_pack.matching.hashes import letters, words
from experience_pack.matching.views import Asked, Utterance, Views
from experience_pack.workspace import models

DATA = Path(os.environ.get("MATCHING_DATA", "../shared/data/matching"))
"""Where the sets are (`{query, intent, split, lang}` a line)."""

CACHE = Path(os.environ.get("BENCH_CACHE", tempfile.gettempdir()))
"""Where vectors are kept between runs."""

NOTHING = -1
"""Truth of a request that no experience answers."""

TEST_LIMITS = {"clinc150": (1500, 700), "banking77oos": (800, 800)}
"""Requests in and out of scope, as the reference measured them; else at most 1,000."""


class Row(NamedTuple):
    """One line of a set."""

    query: str
    intent: str
    split: str
    lang: str

    @property
    def means_nothing(self) -> bool:
        return self.intent.startswith("oos")


class Task(NamedTuple):
    """A store of exemplars, and requests with what they mean."""

    exemplars: list[str]
    owners: list[int]
    experiences: int
    requests: list[str]
    truths: NDArray[np.int64]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Give a set."""
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        raise NotFoundError(f"there is no {path}", hint="Set MATCHING_DATA.")
    lines = path.read_text("utf-8").split("\n")
    return tuple(Row(**json.loads(line)) for line in lines if line)


def by_intent(name: str, split: str = "train") -> dict[str, list[str]]:
    """Give the queries of each intent that has ten or more."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows(name):
        if row.split == split and not row.means_nothing:
            found[row.intent].append(row.query)
    return {key: list(dict.fromkeys(one)) for key, one in found.items()}


def measured(name: str, size: int, seed: int = 0) -> Task:
    """Give `size` exemplars an intent from the train split, requests from the test."""
    chance = random.Random(seed)
    known = {key: one for key, one in by_intent(name).items() if len(one) >= 10}
    for listed in known.values():
        chance.shuffle(listed)
    numbers = {intent: at for at, intent in enumerate(sorted(known))}
    asked = [(one.query, one.intent) for one in rows(name) if one.split == "test"]
    inside = [one for one in asked if one[1] in numbers]
    outside = [one for one in asked if one[1].startswith("oos")]
    chance.shuffle(inside)
    chance.shuffle(outside)
    most, beyond = TEST_LIMITS.get(name, (1000, 0))
    chosen = inside[:most] + outside[:beyond]
    pairs = [
        (text, at)
        for intent, at in numbers.items()
        for text in (named(intent), *known[intent][:size])
    ]
    return Task(
        [query for query, _ in pairs],
        [owner for _, owner in pairs],
        len(numbers),
        [query for query, _ in chosen],
        np.array([numbers.get(intent, NOTHING) for _, intent in chosen]),
    )


def named(intent: str) -> str:
    """Give the name of the experience that an intent stands for."""
    return intent.replace("_", " ").replace("/", " ")


class Lookup(Protocol):
    """Vectors by text."""

    def __getitem__(self, text: str, /) -> NDArray[np.float32]: ...


class Vectors:
    """Vectors of texts, made by the prepared model and kept between runs."""

    def __init__(self) -> None:
        self._embedder = models.opened(models.default_folder())
        self._path = CACHE / f"vectors-{models.IDENTITY}.npz"
        self._known: dict[str, NDArray[np.float32]] = {}
        if self._path.exists():
            kept = np.load(self._path)
            self._known = dict(zip(kept["texts"].tolist(), kept["rows"], strict=True))

    def ready(self, texts: Iterable[str]) -> None:
        """Make what is missing, and keep it."""
        missing = [one for one in dict.fromkeys(texts) if one not in self._known]
        if not missing:
            return
        if self._embedder is None:
            raise NotFoundError(
                "the model is not prepared", hint="Run `experience-pack model prepare`."
            )
        for text in missing:
            self._known[text] = self._embedder.vectors([text])[0]
        CACHE.mkdir(parents=True, exist_ok=True)
        np.savez(
            self._path,
            texts=np.array([*self._known]),
            rows=np.stack([*self._known.values()]),
        )

    def __getitem__(self, text: str) -> NDArray[np.float32]:
        return self._known[text]


_letters, _words = cache(letters), cache(words)


def asked(text: str, vectors: Lookup | None) -> Asked:
    """Give a request in all views."""
    vector = None if vectors is None else vectors[text]
    return Asked(vector, _letters(text), _words(text))


def store(task: Task, vectors: Lookup | None) -> Views:
    """Give the store of a task."""
    return Views(utterances(task, vectors), task.experiences)


def utterances(task: Task, vectors: Lookup | None) -> list[Utterance]:
    """Give the exemplars of a task as a store keeps them."""
    listed = zip(task.owners, task.exemplars, strict=True)
    return [_utterance(*one, vectors) for one in listed]


def _utterance(owner: int, text: str, vectors: Lookup | None) -> Utterance:
    return Utterance(owner, *asked(text, vectors))


def simulated(name: str, seed: int) -> Task:
    """Give a store of a random size from the train split, a third of it hidden.

    What means a hidden intent, or nothing, has no experience: such requests are a
    quarter of all.
    """
    chance = random.Random(seed)
    known = {key: one for key, one in by_intent(name).items() if len(one) >= 6}
    intents = chance.sample(sorted(known), max(6, round(len(known) * _share(chance))))
    hidden = set(intents[: len(intents) // 3])
    shown = [intent for intent in intents if intent not in hidden]
    most = chance.choice((3, 5, 10, 15))
    exemplars, owners, inside = [], [], []
    for at, intent in enumerate(shown):
        listed = chance.sample(known[intent], len(known[intent]))
        size = min(chance.randint(3, most), len(listed) - 2)
        exemplars += [named(intent), *listed[:size]]
        owners += [at] * (size + 1)
        inside += [(query, at) for query in listed[size : size + 12]]
    outside = [(query, NOTHING) for intent in hidden for query in known[intent][:12]]
    outside += [
        (row.query, NOTHING)
        for row in rows(name)
        if row.split == "train" and row.means_nothing
    ]
    chance.shuffle(outside)
    pairs = inside + outside[: len(inside) // 3]
    return Task(
        exemplars,
        owners,
        len(shown),
        [query for query, _ in pairs],
        np.array([truth for _, truth in pairs]),
    )


def _share(chance: random.Random) -> float:
    return chance.choice((0.2, 0.5, 1.0))


def texts(tasks: Sequence[Task]) -> Iterator[str]:
    """Give every text of some tasks."""
    for task in tasks:
        yield from task.exemplars
        yield from task.requests
