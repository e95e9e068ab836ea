"""What a request costs with meanings compared, beside the model's own time for it.

Experiences have three utterances each, with vectors of chance: what is measured is
the search. A process of its own asks, so that its memory is that of a host.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.harness import Aim, Figure
from bench.request_data import experiences
from experience_pack.learning import review
from experience_pack.matching.packed import Kept, asked, pack
from experience_pack.store import Store, meanings
from experience_pack.store import experiences as rows
from experience_pack.store.meanings import Due
from experience_pack.workspace import models

TIME_AIM = Aim(most=1.6)
MEMORY_AIM = Aim(most=220, of="value")
"""Issue 4."""

UTTERANCES = 3

_ASK = """
import json, pathlib, statistics, sys, time
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.request import request
from experience_pack.runtime.reviewer import Host
from experience_pack.runtime.semantic import Semantic
from experience_pack.store import Store
from experience_pack.workspace import models
store = Store.open(pathlib.Path(sys.argv[1]))
semantic = Semantic(lambda: models.opened(models.default_folder()))
host = Host(policy_of(), semantic=semantic)
model, whole = [], []
for number in range(120):
    text = f"please send the report of week {number} to the team"
    start = time.process_time()
    semantic.embedder().vectors([text])
    middle = time.process_time()
    request(store, host, text)
    model.append(middle - start)
    whole.append(time.process_time() - middle)
peak = [line.split()[1] for line in open("/proc/self/status") if "VmHWM" in line]
print(json.dumps([
    1000 * statistics.median(whole[20:]),
    1000 * statistics.median(model[20:]),
    int(peak[0]) / 1024,
]))
"""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give time and memory of a request at that size."""
    path = folder / "exp.db"
    _fill(path, size)
    done = subprocess.run(
        [sys.executable, "-c", _ASK, path], check=True, capture_output=True
    )
    whole, model, peak = json.loads(done.stdout)
    yield Figure(
        name=f"request with meanings, {size}",
        value=whole,
        unit="ms",
        aim=TIME_AIM,
        anchor="the model's own time for the text",
        anchor_value=model,
    )
    yield Figure(
        name=f"memory of a process with meanings, {size}",
        value=peak,
        unit="MB",
        aim=MEMORY_AIM,
    )


def _fill(path: Path, size: int) -> None:
    pool = [*experiences(size)]
    store = Store.open(path, create=True)
    with store.transaction() as tx:
        rows.save_all(tx, pool)
        for one in pool:
            review.confirm(store, tx, one)
    chance = np.random.default_rng(0)
    due = meanings.due(store, models.IDENTITY)
    with store.transaction() as tx:
        made = [(one, _made(one, chance)) for one in due]
        meanings.put_all(tx, models.IDENTITY, made)
        meanings.moved(tx)
    store.close()


def _made(one: Due, chance: np.random.Generator) -> bytes:
    found = []
    for number in range(UTTERANCES):
        vector = chance.standard_normal(384).astype(np.float32)
        vector /= np.linalg.norm(vector)
        text = f"{one.id} utterance {number}"
        found.append(Kept(means=True, asked=asked(text, vector)))
    return pack(found)
