"""Several views of how near a request is to each experience's utterances.

Meaning (vectors), words and letters each give a mean and a best agreement with the
utterances of an experience; for meaning there are three more that learn from the
store which directions tell its experiences apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from experience_pack.matching.hashes import PLACES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

MEANING_VIEWS = ("centre", "best", "two", "apart", "ridge")
LETTER_VIEWS = ("letters", "letters_best")
WORD_VIEWS = ("words", "words_best", "form")

SHRINKAGE = 0.7
"""Share of the identity in the spread of utterances; a store has few of each."""

RIDGE = 0.5
"""What keeps the regression from learning utterances by heart."""

SKETCH = 512
"""Columns into which letters and words are folded beside the vector."""

SKETCH_SHARE = 0.5
"""Weight of these columns beside the vector's."""

SAMPLE = 4_000
"""Utterances from which spread and regression are worked out; more change nothing."""

NEIGHBOURS = 5
"""Nearest utterances: their vote counts, their nearness tells how known a place is."""


class Utterance(NamedTuple):
    """One confirmed utterance, as the store keeps it."""

    owner: int
    """Row of the experience that it means."""
    vector: Floats | None
    letters: Sequence[int]
    words: Sequence[int]


class Asked(NamedTuple):
    """A request in all views."""

    vector: Floats | None
    letters: Sequence[int]
    words: Sequence[int]


class Seen(NamedTuple):
    """What the views say of one request."""

    channels: Floats
    """Experience by view."""
    votes: Numbers
    """Owners of the nearest utterances, the nearest first."""
    near: Floats
    """How near these are."""
    unknown: float
    """Share of the request's words that no utterance has."""
    size: int
    """How many words and pairs of words the request has."""


class Views:
    """All utterances of a store, ready to be compared with requests."""

    def __init__(self, utterances: Sequence[Utterance], experiences: int) -> None:
        import numpy as np

        listed = sorted(utterances, key=lambda one: one.owner)
        self.count = experiences
        self.owners = np.array([one.owner for one in listed], np.int64)
        self.sizes = np.bincount(self.owners, minlength=experiences)
        self._counts: Floats = self.sizes.astype(np.float32)
        self._starts = np.searchsorted(self.owners, np.arange(experiences))
        self._letters = _Bag([one.letters for one in listed])
        self._words = _Bag([one.words for one in listed])
        self._meaning: _Meaning | None = None
        vectors = [one.vector for one in listed if one.vector is not None]
        form = np.hstack([self._letters.folded(), self._words.folded()])
        self._form = _regression(form, self.sums(form), self.owners)
        if vectors and len(vectors) == len(listed):
            self._meaning = _Meaning(np.stack(vectors), form, self)

    @property
    def names(self) -> tuple[str, ...]:
        """Give the names of the channels, in their order."""
        meaning = MEANING_VIEWS if self._meaning else ()
        return (*meaning, *LETTER_VIEWS, *WORD_VIEWS)

    def see(self, asked: Asked) -> Seen:
        """Compare a request with every experience."""
        import numpy as np

        letters = self._letters.against(asked.letters)
        words = self._words.against(asked.words)
        parts = []
        nearness = letters
        form = np.hstack(
            [self._letters.fold(asked.letters), self._words.fold(asked.words)]
        )
        if self._meaning is not None and asked.vector is not None:
            nearness = self._meaning.nearness(asked.vector)
            parts += self._meaning.channels(asked.vector, form, nearness)
        for found in (letters, words):
            parts += [self.mean(found), self.best(found)]
        parts.append((self._form @ form).astype(np.float32))
        order = np.argsort(-nearness)[:NEIGHBOURS]
        return Seen(
            np.stack(parts, axis=1),
            self.owners[order],
            nearness[order],
            self._words.unknown(asked.words),
            len(asked.words),
        )

    def closest(self, vector: Floats) -> Floats:
        """Give the plain cosine of a vector with the nearest of each experience."""
        assert self._meaning is not None
        return self.best(self._meaning.plain @ vector)

    def mean(self, values: Floats) -> Floats:
        """Give the mean over the utterances of each experience."""
        import numpy as np

        return (np.add.reduceat(values, self._starts) / self._counts).astype(np.float32)

    def best(self, values: Floats) -> Floats:
        """Give the highest value among the utterances of each experience."""
        import numpy as np

        found: Floats = np.maximum.reduceat(values, self._starts)
        return found

    def sums(self, rows: Floats) -> Floats:
        """Give the sum of the rows of each experience."""
        import numpy as np

        found: Floats = np.add.reduceat(rows, self._starts, axis=0)
        return found

    def two_best(self, values: Floats) -> Floats:
        """Give the mean of the two highest values of each experience."""
        import numpy as np

        top = self.best(values)
        rest = np.where(values >= top[self.owners], -np.inf, values)
        second = np.maximum.reduceat(rest, self._starts)
        found: Floats = np.where(np.isfinite(second), (top + second) / 2, top)
        return found


class _Bag:
    """Hashed parts of utterances, weighed by how rare they are."""

    def __init__(self, utterances: Sequence[Sequence[int]]) -> None:
        import numpy as np

        lengths = np.array([len(one) for one in utterances], np.int64)
        self._rows = np.repeat(np.arange(len(utterances)), lengths)
        self._places = np.concatenate([np.array(one, np.int64) for one in utterances])
        self._count = len(utterances)
        frequency = np.bincount(self._places, minlength=PLACES)
        self._known = frequency > 0
        rarity = np.log((1 + self._count) / (1 + frequency)) + 1
        self._rarity = rarity.astype(np.float32)
        squared = np.bincount(
            self._rows, self._rarity[self._places] ** 2, minlength=self._count
        )
        self._norms = np.sqrt(squared).astype(np.float32) + 1e-6

    def against(self, parts: Sequence[int]) -> Floats:
        """Give the cosine of a request with each utterance."""
        import numpy as np

        asked = np.zeros(PLACES, np.float32)
        listed = np.array(parts, np.int64)
        asked[listed] = self._rarity[listed] ** 2
        norm = float(np.sqrt(asked.sum())) + 1e-6
        shared = np.bincount(self._rows, asked[self._places], minlength=self._count)
        found: Floats = (shared / (self._norms * norm)).astype(np.float32)
        return found

    def unknown(self, parts: Sequence[int]) -> float:
        """Give the share of parts that no utterance has."""
        if not parts:
            return 1.0
        return 1 - float(self._known[list(parts)].mean())

    def fold(self, parts: Sequence[int]) -> Floats:
        """Fold weighed parts into few columns, with signs so that they cancel."""
        import numpy as np

        listed = np.array(parts, np.int64)
        found = _fold(listed, np.zeros(len(listed), np.int64), self._rarity, 1)[0]
        row: Floats = found
        return row

    def folded(self) -> Floats:
        """Fold all utterances."""
        return _fold(self._places, self._rows, self._rarity, self._count)


def _fold(places: Numbers, rows: Numbers, rarity: Floats, count: int) -> Floats:
    import numpy as np

    mixed = places * 2654435761 & 0xFFFFFFFF  # Knuth's multiplicative hash
    columns = (mixed >> 7) % SKETCH
    signs = np.where(mixed >> 20 & 1, 1.0, -1.0)
    cells = np.bincount(
        rows * SKETCH + columns, signs * rarity[places], minlength=count * SKETCH
    )
    return unit(cells.reshape(count, SKETCH).astype(np.float32))


class _Meaning:
    """The views of vectors."""

    def __init__(self, vectors: Floats, folded: Floats, views: Views) -> None:
        import numpy as np

        self._views = views
        self.plain = vectors
        self._centre = vectors.mean(axis=0)
        self._rows = unit(vectors - self._centre)
        means = views.sums(self._rows) / views.sizes.astype(np.float32)[:, None]
        self._means = unit(means)
        inverse = _inverse_spread(self._rows - means[views.owners], views.count)
        across = means @ inverse
        self._apart = across
        self._apart_base = (across * means).sum(axis=1) / 2
        self._spread = inverse
        self._middle = self._rows.mean(axis=0)
        joint = np.hstack([self._rows, SKETCH_SHARE * folded])
        self._ridge = _regression(joint, views.sums(joint), views.owners)

    def nearness(self, vector: Floats) -> Floats:
        """Give the cosine with each utterance, both without what all share."""
        found: Floats = self._rows @ self._centred(vector)
        return found

    def channels(
        self, vector: Floats, folded: Floats, nearness: Floats
    ) -> list[Floats]:
        """Give the views in the order of `MEANING_VIEWS`."""
        import numpy as np

        asked = self._centred(vector)
        off = asked - self._middle
        background = float(off @ self._spread @ off) / 2
        own = float(asked @ self._spread @ asked) / 2
        apart = (self._apart @ asked - self._apart_base - own + background) / 50
        joint = np.concatenate([asked, SKETCH_SHARE * folded])
        return [
            self._means @ asked,
            self._views.best(nearness),
            self._views.two_best(nearness),
            apart.astype(np.float32),
            (self._ridge @ joint).astype(np.float32),
        ]

    def _centred(self, vector: Floats) -> Floats:
        return unit(vector - self._centre)


def _inverse_spread(residues: Floats, experiences: int) -> Floats:
    """Give the inverse of the shrunk covariance within experiences."""
    import numpy as np

    width = residues.shape[1]
    sample = residues[:: 1 + len(residues) // SAMPLE]
    free = max(1.0, len(sample) * (1 - experiences / len(residues)))
    spread = sample.T @ sample / free
    level = max(float(np.trace(spread)) / width, 1e-4)
    mixed = (1 - SHRINKAGE) * spread + SHRINKAGE * level * np.eye(width)
    found: Floats = np.linalg.inv(mixed).astype(np.float32)
    return found


def _regression(rows: Floats, sums: Floats, owners: Numbers) -> Floats:
    """Give a row of weights an experience: ridge regression of who is meant."""
    import numpy as np

    width = rows.shape[1]
    if len(rows) <= width:
        inner = rows @ rows.T + RIDGE * np.eye(len(rows))
        solved = np.linalg.solve(inner, rows)
        starts = np.searchsorted(owners, np.arange(len(sums)))
        dual: Floats = np.add.reduceat(solved, starts, axis=0).astype(np.float32)
        return dual
    sample = rows[:: 1 + len(rows) // SAMPLE]
    share = len(rows) / len(sample)
    inner = share * sample.T @ sample + RIDGE * np.eye(width)
    found: Floats = np.linalg.solve(inner, sums.T).T.astype(np.float32)
    return found


def unit(rows: Floats) -> Floats:
    """Give rows with the length one."""
    import numpy as np

    found: Floats = rows / (np.linalg.norm(rows, axis=-1, keepdims=True) + 1e-9)
    return found
