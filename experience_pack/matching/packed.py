"""Utterances as bytes: a vector in eight bits a number, and the places of its parts."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from experience_pack.matching.hashes import letters, words
from experience_pack.matching.views import Asked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEAD = struct.Struct("<?fHHH")
"""Whether it means the experience, the vector's scale, and three lengths."""

_FULL = 127


class Kept(NamedTuple):
    """One utterance as it is kept."""

    means: bool
    """False for one that was turned down."""
    asked: Asked


def asked(text: str, vector: NDArray[np.float32]) -> Asked:
    """Give a text in all views."""
    return Asked(vector, letters(text), words(text))


def pack(utterances: Iterable[Kept]) -> bytes:
    """Write utterances one after another."""
    return b"".join(map(_written, utterances))


def unpack(data: bytes) -> Iterator[Kept]:
    """Read what `pack` wrote."""
    import numpy as np

    at = 0
    while at < len(data):
        means, scale, width, first, second = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        vector = np.frombuffer(data, np.int8, width, at).astype(np.float32) * scale
        at += width
        parts = _places(data[at : at + 2 * (first + second)])
        at += 2 * (first + second)
        yield Kept(means, Asked(vector, parts[:first], parts[first:]))


def vectors_of(data: bytes) -> Iterator[NDArray[np.float32]]:
    """Read the vectors alone of those utterances that mean their experience."""
    import numpy as np

    at = 0
    while at < len(data):
        means, scale, width, first, second = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if means:
            yield np.frombuffer(data, np.int8, width, at).astype(np.float32) * scale
        at += width + 2 * (first + second)


def _written(one: Kept) -> bytes:
    import numpy as np

    vector = one.asked.vector
    assert vector is not None
    scale = float(np.abs(vector).max()) / _FULL or 1.0
    small = np.round(vector / scale).astype(np.int8)
    sizes = (len(vector), len(one.asked.letters), len(one.asked.words))
    parts = array("H", [*one.asked.letters, *one.asked.words])
    return _HEAD.pack(one.means, scale, *sizes) + small.tobytes() + _little(parts)


def _places(data: bytes) -> Sequence[int]:
    parts = array("H", data)
    if sys.byteorder == "big":
        parts.byteswap()
    return parts


def _little(parts: array[int]) -> bytes:
    if sys.byteorder == "big":
        parts.byteswap()
    return parts.tobytes()
