"""Kill a command at each call by which it changes anything, and look at what is left.

strace counts the calls and sends the signal (strace(1), "Tampering"), so the process
dies as it does when the power goes or a person is impatient: in the middle.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

STRACE = shutil.which("strace")
ROOT = Path(__file__).parents[2]

CHANGING = (
    "pwrite64", "write", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "rmdir",
    "ftruncate", "fsync", "fdatasync", "link", "symlink", "chmod", "fchmod",
)  # fmt: skip
"""System calls after which the disk may hold something else."""


class Step(NamedTuple):
    """The n-th call of a kind in one process."""

    call: str
    number: int


def steps(arguments: Sequence[str], project: Path) -> list[Step]:
    """Run a command to its end and give every step that changed something."""
    log = project.with_name("calls.txt")
    options = ["-e", f"trace={','.join(CHANGING)}", "-o", str(log)]
    done = _traced(options, arguments, project)
    assert done.returncode in (0, 11), done.stderr
    lines = re.findall(r"^(\d+) +(\w+)\(", log.read_text(), re.MULTILINE)
    counted: Counter[tuple[str, str]] = Counter(lines)
    most: Counter[str] = Counter()
    for (_, call), times in counted.items():
        most[call] = max(most[call], times)
    return [
        Step(call, number)
        for call in sorted(most)
        for number in range(1, most[call] + 1)
    ]


def killed_at(step: Step, arguments: Sequence[str], project: Path) -> bool:
    """Run a command and kill it, or the git below it, at a step; tell if it died."""
    inject = f"inject={step.call}:signal=KILL:when={step.number}"
    log = project.with_name("killed.txt")
    options = ["-e", f"trace={step.call}", "-e", inject, "-o", str(log)]
    done = _traced(options, arguments, project)
    assert "Traceback" not in done.stderr
    return done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)


def command(
    arguments: Sequence[str], project: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command as a person would after the accident."""
    words = [sys.executable, "-m", "experience_pack", *arguments]
    return subprocess.run(
        words, cwd=project, env=_environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def sample(found: Sequence[Step], most: int) -> Iterator[Step]:
    """Give at most so many steps, spread evenly, the first and the last among them."""
    if len(found) <= most:
        yield from found
        return
    for at in range(most):
        yield found[at * (len(found) - 1) // (most - 1)]


def _traced(
    options: Sequence[str], arguments: Sequence[str], project: Path
) -> subprocess.CompletedProcess[str]:
    assert STRACE is not None
    words = [STRACE, "-f", "-qq", *options]
    words += [sys.executable, "-m", "experience_pack", *arguments]
    return subprocess.run(
        words, cwd=project, env=_environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def _environment() -> dict[str, str]:
    """Give an environment in which two runs make the same calls."""
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, "PYTHONPATH": str(ROOT), **fixed}
