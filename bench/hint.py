"""How often the right experience is among what is offered to a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.harness import Figure, missed
from bench.match import SEED, WAYS
from bench.matching_data import NOTHING, Vectors, measured, texts

SETS = (("clinc150", 5, 0.975), ("banking77oos", 5, None), ("xsid_zh", 5, None))
"""Set, exemplars, and the recall among three that issue 4 asks for."""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give what is missed among the first and the first three."""
    _ = size, folder
    vectors = Vectors()
    for name, exemplars, least in SETS:
        task = measured(name, exemplars, SEED)
        vectors.ready(texts([task]))
        inside = task.truths != NOTHING
        found = {way: answer(task, vectors) for way, answer in WAYS.items()}
        first = {
            w: float((a.first == task.truths)[inside].mean()) for w, a in found.items()
        }
        third = {way: float(one.third[inside].mean()) for way, one in found.items()}
        for label, values, aim in (("1", first, None), ("3", third, least)):
            what = f"hint {name}, {exemplars}: recall@{label}"
            yield missed(what, values, aim, f"n {int(inside.sum())} seed {SEED}")
