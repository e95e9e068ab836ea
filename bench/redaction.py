"""What redacting 64 KiB costs at the worst, beside one search for words in it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.harness import Aim, Figure
from experience_pack.text.redaction import redact

AIM = Aim(most=50, of="value")
"""Issue 6: milliseconds for any 64 KiB, whatever somebody wrote into it."""

_SIZE = 65_536
_REPEATS = 5
_WORDS = re.compile(r"\w+")

WORST = {
    "a run": "a",
    "names": "pwd=",
    "prefixes": "-ghp_",
    "begin of jwt": "-eyJ",
    "begin of url": "://a:",
    "begin of pem": "-----BEGIN ",
    "options": "--a-",
    "secrets": 'password="abc123"\n',
    "people": "+8613812345678 ",
    "prose": "The report of 2024 is due on Monday; 月报周一交。 ",
}
"""What a text is filled with: each was the slowest of its kind."""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the cost a text; the number of experiences plays no part."""
    _ = size, folder
    for name, seed in WORST.items():
        text = (seed * _SIZE)[:_SIZE]
        yield Figure(
            name=f"redact 64 KiB, {name}",
            value=_milliseconds(partial(redact, text)),
            unit="ms",
            aim=AIM,
            anchor="a search for words in the same text",
            anchor_value=_milliseconds(partial(_WORDS.findall, text)),
        )


def _milliseconds(task: Callable[[], object]) -> float:
    def once() -> float:
        begun = time.process_time()
        task()
        return 1000 * (time.process_time() - begun)

    return min(once() for _ in range(_REPEATS))
