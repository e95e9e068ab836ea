"""Measure a subject beside its anchor: interleaved, in processes of their own."""

from __future__ import annotations

import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

Work = Callable[[], str]
"""What is timed; gives the digest of its output, or an empty text."""

Task = Callable[[], Work]
"""Prepares, untimed, and gives the work."""


class Run(NamedTuple):
    """One run: CPU seconds (user and system), peak memory, digest of the output."""

    seconds: float
    megabytes: float
    digest: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Aim:
    """How far a figure may go, as a multiple of its anchor or in its own unit."""

    most: float
    of: str = "ratio"
    """`ratio` or `value`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One measured figure beside its anchor."""

    name: str
    value: float
    unit: str
    aim: Aim | None = None
    anchor: str = ""
    anchor_value: float = 0.0
    digest: str = ""

    @property
    def ratio(self) -> float | None:
        """Give the multiple of the anchor, or None where there is no anchor."""
        return self.value / self.anchor_value if self.anchor_value else None

    @property
    def holds(self) -> bool | None:
        """Tell whether the aim is met; None where there is no aim."""
        if self.aim is None:
            return None
        measured = self.ratio if self.aim.of == "ratio" else self.value
        return measured is not None and measured <= self.aim.most

    def to_dict(self) -> dict[str, Any]:
        """Give the line of `--json`."""
        found: dict[str, Any] = {
            "figure": self.name,
            "value": round(self.value, 4),
            "unit": self.unit,
            "anchor": self.anchor or None,
            "anchor_value": round(self.anchor_value, 4) or None,
            "ratio": None if self.ratio is None else round(self.ratio, 3),
            "aim": None if self.aim is None else f"{self.aim.of} <= {self.aim.most:g}",
            "holds": self.holds,
        }
        return {**found, "digest": self.digest} if self.digest else found


def missed(
    name: str, found: Mapping[str, float], least: float | None, told: str
) -> Figure:
    """Give the share that was missed, with what every way found beside it."""
    beside = " ".join(f"{way} {value:.3f}" for way, value in found.items())
    return Figure(
        name=f"{name} missed",
        value=1 - found["ours"],
        unit="",
        aim=Aim(most=round(1 - least, 4), of="value") if least else None,
        anchor="nearest neighbour",
        anchor_value=1 - found["nearest"],
        digest=f"{beside} {told}",
    )


def interleaved(tasks: Mapping[str, Task], repeats: int) -> dict[str, list[Run]]:
    """Run every task in turn, `repeats` times after a warm-up that is not counted."""
    found: dict[str, list[Run]] = {name: [] for name in tasks}
    for turn in range(repeats + 1):
        for name, task in tasks.items():
            run = in_fork(task)
            if turn:
                found[name].append(run)
    return found


def median_seconds(runs: Sequence[Run]) -> float:
    """Give the median CPU time."""
    return statistics.median(run.seconds for run in runs)


def digests(runs: Sequence[Run]) -> set[str]:
    """Give the different digests that the runs came to."""
    return {run.digest for run in runs}


def in_fork(task: Task) -> Run:
    """Run a task in a fork, so that nothing of one run weighs on the next."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(writing, json.dumps(_timed(task)).encode())
            code = 0
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    if os.waitpid(child, 0)[1]:
        raise SystemExit("a measured run failed; see its traceback above")
    return Run(*json.loads(answer))


def _timed(task: Task) -> Run:
    try:
        work = task()
        gc.collect()
        gc.freeze()
        start = _cpu_seconds()
        digest = work()
        seconds = _cpu_seconds() - start
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Run(seconds, peak, digest)


def _cpu_seconds() -> float:
    """Give the CPU time of this process and of those that it waited for."""
    waited = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited.ru_utime + waited.ru_stime


def process_seconds(command: Sequence[str], folder: Path) -> float:
    """Give the CPU seconds of a whole process, compiled files kept as for a user."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
