"""The shipped numbers, fitted to this store by what it knows and what it was told.

First the store is asked its own utterances (`rehearse`, in the background of
commands); then what people said of requests is learnt (`learn`, a few milliseconds).
Both start from the shipped numbers and are pulled back to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from experience_pack.runtime.types import Watch
from experience_pack.store import Store, estimates, meanings
from experience_pack.store.estimates import Kept, Label

if TYPE_CHECKING:
    from experience_pack.matching.fitting import Rows
    from experience_pack.matching.ranking import Shipped
    from experience_pack.matching.views import Utterance

LABELS = 60
"""Labels from which they are learnt; the budget begins to move at as many."""

MORE = 100
"""Labels after which everything is learnt again."""

GROWN = 0.2
"""Share by which utterances become more or fewer before a store is asked again."""

ENOUGH = 20
"""Rows of each sort, from inside and outside, below which a store knows too little."""

MOST = 2_000
"""Experiences beyond which no probabilities are worked out."""

TOLD_PULL, REHEARSED_PULL = 25.0, 200.0
"""Pulls to the start: what was said of real requests may move much, what a store
says of itself little, since its utterances are more alike than requests are (CLINC150,
BANKING77, xSID: 200 halves the calibration error, 50 ranks no better)."""


def rehearse(store: Store, watch: Watch = iter) -> bool:
    """Fit the numbers to what a store has, where that has changed; tell whether."""
    model = meanings.model(store)
    return bool(model) and Calibration(store, model).rehearse(watch)


class Calibration:
    """The numbers of one store under one model."""

    def __init__(self, store: Store, model: str) -> None:
        from experience_pack.matching.ranking import shipped, stamp

        self._store, self._model = store, model
        self._basis = f"{model} {stamp()}"
        self._shipped = shipped(semantic=True)
        self._kept = estimates.fitted(store, self._basis)

    def numbers(self) -> Shipped:
        """Give the numbers to rank with; labels that came since are learnt first."""
        kept = self._kept or Kept(0, 0, "", "")
        count = estimates.count_labels(self._store)
        due = count >= LABELS and count - kept.labels >= (MORE if kept.labels else 1)
        if due and self._store.writable:
            kept = self._learn(kept, count)
        return self._read(kept.data or kept.rehearsed)

    def rehearse(self, watch: Watch = iter) -> bool:
        """Ask the store its own utterances if they have changed; tell whether."""
        kept = self._kept or Kept(0, 0, "", "")
        size = meanings.size(self._store, self._model)
        changed = abs(size - kept.size)
        if changed <= GROWN * kept.size or not self._store.writable:
            return False
        utterances = [*_utterances(self._store, self._model)]
        rows = _rehearsed(utterances, self._shipped, watch)
        kept = kept._replace(size=size, rehearsed="")
        if rows is not None:
            from experience_pack.matching.fitting import fitted

            found = fitted(self._shipped, rows, REHEARSED_PULL)
            kept = kept._replace(rehearsed=_written(found))
        self._learn(kept, estimates.count_labels(self._store))
        return True

    def _learn(self, kept: Kept, count: int) -> Kept:
        data = ""
        if count >= LABELS:
            from experience_pack.matching.fitting import fitted

            start = self._read(kept.rehearsed)
            rows = _rows(estimates.labels(self._store))
            data = _written(fitted(start, rows, TOLD_PULL))
        self._kept = kept._replace(labels=count if data else 0, data=data)
        with self._store.transaction(durable=False) as tx:
            estimates.keep(tx, self._basis, self._kept)
        return self._kept

    def _read(self, written: str) -> Shipped:
        if not written:
            return self._shipped
        *weights, intercept = json.loads(written)
        return self._shipped._replace(weights=weights, intercept=intercept)


def _written(numbers: Shipped) -> str:
    found = [*numbers.weights, numbers.intercept]
    return json.dumps([round(one, 5) for one in found])


def _rows(told: Sequence[Label]) -> Rows:
    import numpy as np

    from experience_pack.matching.fitting import Rows

    return Rows(
        np.stack([np.frombuffer(one.features, np.float32) for one in told]),
        np.array([one.right for one in told], float),
        np.array([1 / one.share for one in told]),
    )


def _rehearsed(
    utterances: Sequence[Utterance], numbers: Shipped, watch: Watch
) -> Rows | None:
    from experience_pack.matching.fitting import FOLDS, joined, rehearsed

    if not utterances:
        return None
    parts = rehearsed(utterances, numbers)
    steps = zip(watch(range(FOLDS)), parts, strict=False)
    found = [part for _, part in steps]
    if not found:
        return None
    return enough(joined(found))


def enough(rows: Rows) -> Rows | None:
    """Give rows of a store's own, None where there are too few of a sort."""
    inside = int((rows.weights == 1).sum())
    return rows if min(inside, len(rows.right) - inside) >= ENOUGH else None


def _utterances(store: Store, model: str) -> Iterable[Utterance]:
    from experience_pack.matching.packed import unpack
    from experience_pack.matching.views import Utterance

    if meanings.count_made(store, model) > MOST:
        return
    owner = 0
    for one in meanings.made(store, model):
        told = [each.asked for each in unpack(one.data) if each.means]
        yield from (Utterance(owner, *each) for each in told)
        owner += bool(told)
