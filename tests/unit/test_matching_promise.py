"""What the bar declares, held to public requests that nothing was learnt from."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bench import match, matching_data
from bench.matching_data import Task
from tests.semantic import embedder
from tests.shared_data import shared

DECLARED = 0.95
SLICE = 300


def slice_of(name: str) -> Task:
    """Give every seventh request of a set's test split, with a fifth out of scope."""
    shared("matching", f"{name}.jsonl")
    matching_data.DATA = shared("matching")
    task = matching_data.measured(name, 3)
    inside = np.flatnonzero(task.truths >= 0)[:: max(1, len(task.truths) // SLICE)]
    outside = np.flatnonzero(task.truths < 0)[: len(inside) // 4]
    chosen = np.concatenate([inside, outside])
    requests = [task.requests[at] for at in chosen]
    return task._replace(requests=requests, truths=task.truths[chosen])


class Made(dict[str, NDArray[np.float32]]):
    """Vectors of the real model, made when they are asked for."""

    def __missing__(self, text: str) -> NDArray[np.float32]:
        self[text] = embedder().vectors([text])[0]
        return self[text]


def short_of(answers: match.Answers, task: Task) -> tuple[float, float, int]:
    """Give realised precision, the least that chance allows, and executions."""
    executed = answers.sure >= DECLARED
    right = float((answers.first == task.truths)[executed].mean())
    count = int(executed.sum())
    slack = match.SURE * (DECLARED * (1 - DECLARED) / count) ** 0.5
    return right, DECLARED - slack, count


@pytest.mark.parametrize("name", ["clinc150", "xsid_zh"])
def test_executions_by_words_are_as_right_as_declared(name: str) -> None:
    task = slice_of(name)

    right, least, count = short_of(match.ours(task, None), task)

    assert count >= 10
    assert right >= least


@pytest.mark.parametrize("name", ["clinc150", "xsid_zh"])
def test_executions_by_meaning_are_as_right_as_declared(name: str) -> None:
    task = slice_of(name)

    right, least, count = short_of(match.ours(task, Made()), task)

    assert count >= 40
    assert right >= least
