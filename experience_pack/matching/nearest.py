"""Very many utterances: the nearest by meaning alone, eight bits a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from experience_pack.matching.views import unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BLOCK = 2_048
"""Rows that are widened at once; they stay in the processor's cache."""

SPARE = 4
"""Times as many experiences as are wanted are looked at more closely."""

_FULL = 127


class Nearest:
    """Utterances of a store, each by its vector."""

    def __init__(self, experiences: Iterable[Sequence[Floats]]) -> None:
        """Take the vectors, of length one, of each experience's utterances."""
        import numpy as np

        listed = [_small(np.stack(vectors)) for vectors in experiences]
        sizes = [len(rows) for rows in listed]
        self._rows = np.concatenate(listed)
        self._ends = np.cumsum(sizes)
        means = [rows.mean(axis=0, dtype=np.float32) for rows in listed]
        self._centres = np.concatenate([_small(unit(mean)[None]) for mean in means])

    def best(self, vector: Floats, count: int) -> dict[int, float]:
        """Give the cosine of the nearest utterance of the nearest experiences."""
        import numpy as np

        near = np.concatenate(
            [
                self._centres[start : start + BLOCK].astype(np.float32) @ vector
                for start in range(0, len(self._centres), BLOCK)
            ]
        )
        wanted = min(len(near), SPARE * count)
        first = np.argpartition(-near, wanted - 1)[:wanted].tolist()
        found = {at: self._closest(at, vector) for at in first}
        return dict(sorted(found.items(), key=lambda pair: -pair[1])[:count])

    def _closest(self, at: int, vector: Floats) -> float:
        start = self._ends[at - 1] if at else 0
        rows = self._rows[start : self._ends[at]]
        return float((rows @ vector).max()) / _SCALE


_SCALE = 400.0
"""Numbers of a vector of 384 stay below 127/400; what is above is cut off."""


def _small(rows: Floats) -> NDArray[np.int8]:
    import numpy as np

    return np.clip(np.round(rows * _SCALE), -_FULL, _FULL).astype(np.int8)
