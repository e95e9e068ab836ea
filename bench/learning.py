"""What one more observation costs, to keep and to analyse, however many there are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.harness import Aim, Figure
from experience_pack.learning.analyze import analyze
from experience_pack.learning.observe import observe
from experience_pack.store import Store, observations

AIM = Aim(most=1.5)
"""Issue 6: the same at 100 and at 100,000; half as much again is the noise of 20 ms."""

FEW, MANY = 100, 100_000

_BATCH = 100
_REPEATS = 9
_REQUEST = (
    "以后先跑测试，再打标签。Always run the tests first, please; it is the rule here."
)
_REPLY = (
    "好的：先运行 make test，通过之后才打标签。Done: all tests pass, the tag is set. "
)


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the cost a record; the number of experiences plays no part."""
    _ = size
    costs = {
        number: _costs(Store.open(folder / f"{number}.db", create=True), number)
        for number in (FEW, MANY)
    }
    for name in costs[FEW]:
        yield Figure(
            name=f"{name} an observation behind {MANY:,}",
            value=costs[MANY][name],
            unit="ms",
            aim=AIM,
            anchor=f"the same behind {FEW}",
            anchor_value=costs[FEW][name],
        )


def _costs(store: Store, number: int) -> dict[str, float]:
    """Give milliseconds a record of appending, and of analysing a batch."""
    values = {"host": "codex", "session": "s", "request": _REQUEST, "reply": _REPLY}
    with store.transaction() as tx:
        for at in range(number):
            observations.put(tx, f"obs_{at}", values)
        observations.commit(tx, observations.last(tx), {})
    appended, analysed = [], []
    for _ in range(_REPEATS):
        appended.append(_milliseconds(lambda: _append(store)))
        analysed.append(_milliseconds(lambda: analyze(store, _model)))
    store.close()
    return {"append": min(appended) / _BATCH, "analyze": min(analysed) / _BATCH}


def _append(store: Store) -> None:
    for at in range(_BATCH):
        observe(store, "codex", "s", _REQUEST, f"{_REPLY} {at}")


def _model(_: str, __: str) -> str:
    quote = "Always run the tests first"
    habit = {"when": "发布", "do": "先跑测试", "exchange": 1, "quote": quote}
    return json.dumps({"habits": [habit]})


def _milliseconds(task: Callable[[], object]) -> float:
    begun = time.process_time()
    task()
    return 1000 * (time.process_time() - begun)
