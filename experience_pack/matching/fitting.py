"""Fit the shipped numbers to one store: what it knows itself, and what it was told.

A fit is the most probable one of a logistic regression whose weights are expected to
be the shipped ones (maximum a posteriori, a Gaussian around them), so that few rows
change little. The scales of features stay the shipped ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from experience_pack.matching.ranking import Shipped, rank, steps_of
from experience_pack.matching.views import Asked, Utterance, Views

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

FOLDS = 5
"""Parts into which a store is divided to be asked about itself."""

ASKED = 1_500
"""Utterances that a store is asked; more change the fit little and take long."""

OUTSIDE = 0.075
"""Weight of all requests for what a store does not have beside those for what it
has. A fifth of requests would weigh 0.25; but what another experience of the store
means is more like the rest than what really comes from outside (measured on CLINC150,
BANKING77 and xSID: three times as likely to be taken for one of them)."""

STEPS = 25

BEND = 0.1
"""Pull of the intercept beside that of a weight: how common hits are is the store's."""


class Rows(NamedTuple):
    """What the features of rankings were, and whether their first was right."""

    features: Floats
    right: Floats
    weights: Floats


def fitted(start: Shipped, rows: Rows, pull: float) -> Shipped:
    """Give the numbers that explain rows, pulled to where they start."""
    import numpy as np

    expected = np.array([*start.weights, start.intercept])
    pulls = np.full(len(expected), pull)
    pulls[-1] *= BEND
    table = steps_of(start, rows.features)
    table = np.hstack([table, np.ones((len(table), 1))])
    found = newton((table, rows.right, rows.weights), expected, np.diag(pulls))
    return start._replace(weights=found[:-1].tolist(), intercept=float(found[-1]))


def newton(rows: tuple[Floats, ...], expected: Floats, pull: Floats) -> Floats:
    """Give the weights of a penalised logistic regression by Newton's method.

    `rows` are the table, what is right and how much each row counts. A step that
    would make the loss larger is halved, so that it converges from anywhere.
    """
    import numpy as np

    table, right, weights = rows

    def loss(at: Floats) -> float:
        odds = table @ at
        off = at - expected
        told = weights @ (np.logaddexp(0, odds) - right * odds)
        return float(told + off @ pull @ off / 2)

    found, now = expected.copy(), loss(expected)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(table @ found, -30, 30)))
        slope = table.T @ (weights * (chances - right)) + pull @ (found - expected)
        bend = (table * (weights * chances * (1 - chances))[:, None]).T @ table + pull
        step = np.linalg.solve(bend, slope)
        while loss(found - step) > now and np.abs(step).max() > 1e-6:
            step = step / 2
        found = found - step
        before, now = now, loss(found)
        if before - now < 1e-4:
            break
    return found


def rehearsed(utterances: Sequence[Utterance], numbers: Shipped) -> Iterator[Rows]:
    """Ask a store its own utterances; give the rows of each part of it, one by one.

    In each part a fifth of the experiences is left out, and of the others a fifth of
    what means them: what means the former has no experience, what means the latter
    has one (leave-intent-out and leave-exemplar-out). The first utterance of each
    experience, its name, is never left out alone.
    """
    import numpy as np

    chance = np.random.default_rng(0)
    owners = np.array([one.owner for one in utterances], np.int64)
    experiences = int(owners.max()) + 1
    parts = chance.permutation(np.arange(experiences) % FOLDS)
    shares = chance.integers(0, FOLDS, len(owners))
    shares[np.unique(owners, return_index=True)[1]] = FOLDS  # in no share
    for part in range(FOLDS):
        hidden = parts == part
        kept = ~hidden[owners] & (shares != part)
        asked = np.flatnonzero(~kept & (shares < FOLDS))
        asked = chance.permutation(asked)[: ASKED // FOLDS]
        if (~hidden).sum() > 1 and len(asked):
            new = np.cumsum(~hidden) - 1
            listed = [
                one._replace(owner=int(new[one.owner]))
                for one, stays in zip(utterances, kept, strict=True)
                if stays
            ]
            truths = np.where(hidden, -1, new)[owners[asked]]
            questions = [utterances[at] for at in asked.tolist()]
            yield _asked(listed, questions, truths.tolist(), numbers)


def _asked(
    store: Sequence[Utterance],
    questions: Sequence[Utterance],
    truths: Sequence[int],
    numbers: Shipped,
) -> Rows:
    import numpy as np

    views = Views(store, max(one.owner for one in store) + 1)
    ranked = [rank(views, views.see(Asked(*one[1:])), numbers) for one in questions]
    right = [one.order[0] == truth for one, truth in zip(ranked, truths, strict=True)]
    inside = np.array(truths) >= 0
    share = OUTSIDE * max(1, inside.sum()) / max(1, (~inside).sum())
    return Rows(
        np.stack([one.features for one in ranked]),
        np.array(right, float),
        np.where(inside, 1.0, share),
    )


def joined(rows: Sequence[Rows]) -> Rows:
    """Give the rows of several parts as one."""
    import numpy as np

    return Rows(*(np.concatenate(column) for column in zip(*rows, strict=True)))
