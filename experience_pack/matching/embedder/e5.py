"""multilingual-e5-small at work: texts in, vectors out, one thread, no network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from experience_pack.matching.embedder.graph import INPUT
from experience_pack.matching.embedder.tokenizer import Tokenizer
from experience_pack.matching.embedder.weights import BLOCK, BLOCK_BYTES, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECES = 128
"""Pieces of a text that are read; a request says what it wants before that."""

PREFIX = "query: "
"""What the model was trained to see before a text that is compared with others."""


class Embedder(Protocol):
    """Turns texts into vectors that are near where the texts mean the same."""

    @property
    def id(self) -> str:
        """Give the name under which its vectors are kept; others cannot be compared."""
        ...

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a row of length one for each text; no text depends on another."""
        ...


class E5:
    """An `Embedder` from the bytes of a prepared model."""

    def __init__(self, identity: str, encoder: bytes, weights: Weights) -> None:
        import numpy as np

        self.id = identity
        self._tokenizer = Tokenizer(weights.pieces)
        width = weights.sizes.hidden
        table = np.frombuffer(weights.stored("emb.word"), np.uint8)
        self._table = table.reshape(-1, width // BLOCK, BLOCK_BYTES)
        self._session = _session(encoder)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a row of length one for each text, each read by itself."""
        import numpy as np

        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        numbers = self._tokenizer.numbers(PREFIX + text, PIECES)
        found = self._session.run(None, {INPUT: self._rows(numbers)[None]})
        vector: NDArray[np.float32] = found[0][0]
        return vector

    def _rows(self, numbers: Sequence[int]) -> NDArray[np.float32]:
        """Give the words' rows of the table, in full precision."""
        import numpy as np

        blocks = self._table[[*numbers]]
        scales = blocks[..., :2].copy().view("<f2").astype(np.float32)
        halves = blocks[..., 2:]
        nibbles = np.concatenate([halves & 15, halves >> 4], axis=-1)
        found = (nibbles.astype(np.float32) - 8) * scales
        rows: NDArray[np.float32] = found.reshape(len(blocks), -1)
        return rows


def _session(encoder: bytes) -> _Session:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session: _Session = onnxruntime.InferenceSession(
        encoder, options, providers=["CPUExecutionProvider"]
    )
    return session


class _Session(Protocol):
    def run(
        self, outputs: None, inputs: dict[str, NDArray[np.float32]]
    ) -> list[NDArray[np.float32]]: ...
