"""Fuzz one reader, guided by the code that it reaches (atheris).

`python -m tests.fuzz.guided READER SECONDS` ends with a code other than 0 at a find,
and leaves the bytes in a file `crash-…` that goes into `tests/fixtures/fuzz`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["experience_pack"]):
    from tests.fuzz.readers import TARGETS, check

_LONGEST = 4_096  # bytes of an input
_SLOWEST = 10  # seconds of one; a find as well


def main() -> None:
    """Fuzz for so many seconds."""
    name, seconds = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(TARGETS[name].seeds):
            Path(corpus, str(number)).write_bytes(seed)
        options = {
            "max_total_time": seconds,
            "max_len": _LONGEST,
            "timeout": _SLOWEST,
            "verbosity": 0,
            "print_final_stats": 1,
        }
        words = [f"-{key}={value}" for key, value in options.items()]
        atheris.Setup([sys.argv[0], corpus, *words], lambda data: check(name, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
