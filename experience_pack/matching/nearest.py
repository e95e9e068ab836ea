"""Very many utterances: the nearest by meaning alone, eight bits a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BLOCK = 2_048
"""Rows that are widened at once; they stay in the processor's cache."""

_FULL = 127


class Nearest:
    """Utterances of a store, each by its vector."""

    def __init__(self, vectors: Sequence[Floats], owners: Sequence[int]) -> None:
        """Take vectors of length one, and the row of the experience of each."""
        import numpy as np

        self._owners = np.array(owners)
        self._rows = np.empty((len(vectors), len(vectors[0])), np.int8)
        self._scales = np.empty(len(vectors), np.float32)
        for at, vector in enumerate(vectors):
            scale = float(np.abs(vector).max()) / _FULL or 1.0
            self._scales[at] = scale
            self._rows[at] = np.round(vector / scale)

    def best(self, vector: Floats, count: int) -> dict[int, float]:
        """Give the cosine of the nearest experiences, by row."""
        import numpy as np

        near = np.concatenate(
            [
                self._rows[start : start + BLOCK].astype(np.float32) @ vector
                for start in range(0, len(self._rows), BLOCK)
            ]
        )
        near *= self._scales
        wanted = min(len(near), 4 * count)
        found: dict[int, float] = {}
        for at in np.argpartition(-near, wanted - 1)[:wanted]:
            owner = int(self._owners[at])
            found[owner] = max(found.get(owner, -1.0), float(near[at]))
        first = sorted(found, key=lambda owner: -found[owner])[:count]
        return {owner: found[owner] for owner in first}
