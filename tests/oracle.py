"""The program in a process of its own, and what a refusal must leave as it was."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from experience_pack.cli.run import run

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 300
REFUSALS = (2, 3, 4, 8, 9, 10, 11)
"""Exit codes of the table by which an input may be refused."""


class Answer(NamedTuple):
    """What one command said."""

    code: int
    said: str
    """Standard error, then standard output."""
    peak: int
    """Megabytes that the program took at most since it was asked."""


class Program:
    """A process that runs one command after another."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.codes: Counter[int] = Counter()
        self.peak = 0

    def __call__(self, *arguments: str, cwd: Path) -> Answer:
        """Run a command in a folder."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = json.dumps({"arguments": arguments, "cwd": str(cwd)})
        self._process.stdin.write(asked + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the program died of {arguments}"
        answer = Answer(**json.loads(line))
        self.codes[answer.code] += 1
        self.peak = max(self.peak, answer.peak)
        return answer

    def refuses(self, *arguments: str, cwd: Path, case: str = "") -> Answer:
        """Run a command that has to be refused, with every file left as it was."""
        before = state_of(cwd)
        answer = self(*arguments, cwd=cwd)
        why = f"{case} {arguments}: {answer}"[:2_000]
        assert answer.code in REFUSALS, why
        assert "Traceback" not in answer.said, why
        assert "internal error" not in answer.said, why
        assert answer.peak < MOST_MEGABYTES, why
        assert state_of(cwd) == before, why
        return answer


@contextmanager
def program() -> Iterator[Program]:
    """Give the program; it ends with the block."""
    words = [sys.executable, "-m", "tests.oracle"]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        yield Program(process)
        assert process.stdin is not None
        process.stdin.close()


def state_of(folder: Path) -> dict[str, str]:
    """Give the digest of every file; SQLite's and our locks are no state."""
    return {
        str(one): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in sorted(folder.rglob("*"))
        if one.is_file() and not one.name.endswith(("-lock", "-shm"))
    }


def _serve() -> None:
    answers = sys.stdout
    for line in sys.stdin:
        asked = json.loads(line)
        os.chdir(asked["cwd"])
        _forget_peak()
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(asked["arguments"])
        said = (err.getvalue() + out.getvalue())[:100_000]
        print(json.dumps(Answer(code, said, _peak())._asdict()), file=answers)
        answers.flush()


def _forget_peak() -> None:
    """Begin to count the peak anew (proc(5), `clear_refs`)."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")


def _peak() -> int:
    status = Path("/proc/self/status").read_text("ascii")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) // 1024 if found else 0


if __name__ == "__main__":
    _serve()
