"""The encoder of multilingual-e5-small as an ONNX graph, from its four-bit weights.

Nothing is rounded: a block of 32 weights with one scale is what onnxruntime's
operator MatMulNBits takes. The table of words is left out; its rows come in. At the
end the languages' own directions are taken out (see `languages`).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from experience_pack.matching.embedder.protobuf import Field, message, real
from experience_pack.matching.embedder.weights import BLOCK, Quantised, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INPUT, OUTPUT = "words", "vector"
"""Names of what goes in (1 x pieces x hidden) and comes out (1 x hidden)."""

_FLOAT, _BYTE, _LONG = 1, 2, 7  # onnx.proto, TensorProto.DataType
_IR_VERSION = 10
_OPSETS = (("", 21), ("com.microsoft", 1))
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_INTS = 1, 2, 7


class Subspace(NamedTuple):
    """What a vector owes to its language alone."""

    mean: NDArray[np.float32]
    """Of all languages."""
    directions: NDArray[np.float32]
    """In which languages differ, orthonormal, a row each."""


def encoder(weights: Weights, languages: Subspace) -> bytes:
    """Give the ONNX file; the same weights give the same bytes."""
    return _Graph(weights).built(languages)


class _Graph:
    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._sizes = weights.sizes
        self._nodes: list[Field] = []
        self._constants: list[Field] = []

    def built(self, languages: Subspace) -> bytes:
        hidden = self._embedded()
        self._shapes()
        for layer in range(self._sizes.layers):
            hidden = self._layer(hidden, f"l{layer}.")
        self._pooled(hidden, languages)
        width = self._sizes.hidden
        graph = message(
            [
                *self._nodes,
                (2, "multilingual-e5-small"),
                *self._constants,
                (11, _value(INPUT, [1, "pieces", width])),
                (12, _value(OUTPUT, [1, width])),
            ]
        )
        opsets = [(8, message([(1, name), (2, number)])) for name, number in _OPSETS]
        return message([(1, _IR_VERSION), (7, graph), *opsets])

    def _embedded(self) -> str:
        """Add positions and kind to the rows of words."""
        import numpy as np

        width = self._sizes.hidden
        places = self._weights.values("emb.pos").reshape(-1, width)
        places = places + self._weights.values("emb.type").reshape(-1, width)[0]
        self._constant("places", places)
        self._constant("one", np.array([1], np.int64))
        self._constant("zero", np.array([0], np.int64))
        self._node("Shape", [INPUT], "count", start=1, end=2)
        self._node("Slice", ["places", "zero", "count", "zero"], "place")
        return self._norm(self._node("Add", [INPUT, "place"], "placed"), "emb.ln")

    def _shapes(self) -> None:
        import numpy as np

        sizes = self._sizes
        each = sizes.hidden // sizes.heads
        self._constant("by_head", np.array([0, 0, sizes.heads, each], np.int64))
        self._constant("joined", np.array([0, 0, sizes.hidden], np.int64))
        self._constant("scale", np.array(1 / sqrt(each), np.float32))

    def _layer(self, hidden: str, name: str) -> str:
        sizes = self._sizes
        attended = self._attention(hidden, name)
        summed = self._node("Add", [hidden, attended], f"{name}attended")
        middle = self._norm(summed, f"{name}aln")
        inner = self._product(middle, [f"{name}fi"], sizes.hidden)
        bent = self._node("Gelu", [inner], f"{name}bent", domain="com.microsoft")
        outer = self._product(bent, [f"{name}fo"], sizes.inner)
        return self._norm(
            self._node("Add", [middle, outer], f"{name}summed"), f"{name}oln"
        )

    def _attention(self, hidden: str, name: str) -> str:
        width = self._sizes.hidden
        parts = [f"{name}{part}" for part in "qkv"]
        joint = self._product(hidden, parts, width)
        self._node("Split", [joint], *parts, axis=-1, num_outputs=3)
        # keys stand across, so that their product with the queries is a table
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        queries, keys, values = (
            self._turned(part, "by_head", order)
            for part, order in zip(parts, orders, strict=True)
        )
        near = self._node("MatMul", [queries, keys], f"{name}near")
        scaled = self._node("Mul", [near, "scale"], f"{name}scaled")
        shares = self._node("Softmax", [scaled], f"{name}shares", axis=-1)
        mixed = self._node("MatMul", [shares, values], f"{name}mixed")
        turned = self._node("Transpose", [mixed], f"{name}back", perm=[0, 2, 1, 3])
        flat = self._node("Reshape", [turned, "joined"], f"{name}flat")
        return self._product(flat, [f"{name}ao"], width)

    def _turned(self, source: str, shape: str, order: list[int]) -> str:
        split = self._node("Reshape", [source, shape], f"{source}_split")
        return self._node("Transpose", [split], f"{source}_turned", perm=order)

    def _pooled(self, hidden: str, languages: Subspace) -> None:
        """Give the mean over all pieces, without the languages' directions."""
        import numpy as np

        self._node("ReduceMean", [hidden, "one"], "mean", keepdims=0)
        self._node("LpNormalization", ["mean"], "raw", axis=-1, p=2)
        across = languages.directions
        kept = np.eye(self._sizes.hidden, dtype=np.float32) - across.T @ across
        self._constant("of_all", languages.mean)
        self._constant("kept", kept.astype(np.float32))
        self._node("Sub", ["raw", "of_all"], "centred")
        self._node("MatMul", ["centred", "kept"], "plain")
        self._node("LpNormalization", ["plain"], OUTPUT, axis=-1, p=2)

    def _norm(self, source: str, name: str) -> str:
        weight = self._stored(f"{name}.w")
        bias = self._stored(f"{name}.b")
        epsilon = self._sizes.epsilon
        inputs = [source, weight, bias]
        return self._node("LayerNormalization", inputs, name, axis=-1, epsilon=epsilon)

    def _product(self, source: str, names: list[str], columns: int) -> str:
        """Multiply by one or several matrices side by side, and add their biases."""
        import numpy as np

        found = [self._weights.matrix(f"{name}.w", columns) for name in names]
        scales = np.concatenate([one.scales for one in found])
        nibbles = np.concatenate([one.nibbles for one in found])
        biases = [self._weights.values(f"{name}.b") for name in names]
        name = "+".join(names)
        rows = len(nibbles)
        packed = _packed(Quantised(scales, nibbles))
        inputs = [
            source,
            self._constant(f"{name}.q", packed),
            self._constant(f"{name}.s", scales.astype(np.float32).reshape(-1)),
            "",
            "",
            self._constant(f"{name}.b", np.concatenate(biases)),
        ]
        # accuracy level 4 is: products of whole numbers, eight bits by eight
        return self._node(
            "MatMulNBits",
            inputs,
            f"{name}.out",
            domain="com.microsoft",
            K=columns,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,
        )

    def _stored(self, name: str) -> str:
        return self._constant(name, self._weights.values(name))

    def _constant(self, name: str, value: NDArray[np.generic]) -> str:
        kinds = {"float32": _FLOAT, "uint8": _BYTE, "int64": _LONG}
        data = value.astype(value.dtype.newbyteorder("<")).tobytes()
        dims = [(1, size) for size in value.shape]
        fields = [*dims, (2, kinds[value.dtype.name]), (8, name), (9, data)]
        self._constants.append((5, message(fields)))
        return name

    def _node(
        self, kind: str, inputs: list[str], *outputs: str, domain: str = "", **given: _V
    ) -> str:
        fields: list[Field] = [(1, name) for name in inputs]
        fields += [(2, name) for name in outputs]
        fields += [(4, kind)]
        fields += [(5, _attribute(name, value)) for name, value in given.items()]
        fields += [(7, domain)] if domain else []
        self._nodes.append((1, message(fields)))
        return outputs[0]


_V = int | float | list[int]
"""Value of an attribute."""


def _attribute(name: str, value: _V) -> bytes:
    if isinstance(value, float):
        kind = (20, _ATTRIBUTE_FLOAT)
        return message([(1, name)]) + real(2, value) + message([kind])
    if isinstance(value, int):
        return message([(1, name), (3, value), (20, _ATTRIBUTE_INT)])
    return message([(1, name), *((8, one) for one in value), (20, _ATTRIBUTE_INTS)])


def _value(name: str, shape: list[int | str]) -> bytes:
    dims = [(1, message([(2 if isinstance(size, str) else 1, size)])) for size in shape]
    tensor = message([(1, _FLOAT), (2, message(dims))])
    return message([(1, name), (2, message([(1, tensor)]))])


def _packed(matrix: Quantised) -> NDArray[np.uint8]:
    """Give two neighbouring weights a byte, in rows of blocks."""
    import numpy as np

    even, odd = matrix.nibbles[:, 0::2], matrix.nibbles[:, 1::2]
    rows, columns = matrix.nibbles.shape
    pairs: NDArray[np.uint8] = even | np.left_shift(odd, np.uint8(4))
    return pairs.reshape(rows, columns // BLOCK, BLOCK // 2)
