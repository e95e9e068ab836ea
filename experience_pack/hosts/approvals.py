"""What waits for a code that only the person can read."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from experience_pack.clock import Clock, system_clock

VALID_SECONDS = 15 * 60.0
"""As long as a draft is kept elsewhere: a person who left comes back to nothing."""

MOST_TRIES = 5
"""Wrong codes after which one has to be asked for anew: one in 200,000 guesses."""


@dataclass(kw_only=True, slots=True)
class Waiting:
    """One approval that a model asked for."""

    code: str
    subject: str
    text: str
    digest: str
    until: float
    tries: int = 0


class Approvals:
    """The approvals that wait in this process; nothing of it is written anywhere."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock
        self._waiting: dict[str, Waiting] = {}

    def ask(self, subject: str, text: str, digest: str) -> None:
        """Have a question wait for its code; the same question keeps its code."""
        known = self._current(subject)
        if known is not None and known.digest == digest:
            return
        self._waiting[subject] = Waiting(
            code=f"{secrets.randbelow(1_000_000):06}",
            subject=subject,
            text=text,
            digest=digest,
            until=self._clock() + VALID_SECONDS,
        )

    def settle(self, subject: str, digest: str, code: str) -> bool:
        """Tell whether a code allows exactly this text now; a code holds once."""
        known = self._current(subject)
        if known is None or known.digest != digest:
            return False
        known.tries += 1
        right = secrets.compare_digest(known.code.encode(), code.strip().encode())
        if right or known.tries >= MOST_TRIES:
            del self._waiting[subject]
        return right

    def listed(self) -> Iterator[Waiting]:
        """Give what still waits, for the person's terminal or dashboard alone."""
        for subject in [*self._waiting]:
            known = self._current(subject)
            if known is not None:
                yield known

    def _current(self, subject: str) -> Waiting | None:
        known = self._waiting.get(subject)
        if known is not None and known.until <= self._clock():
            del self._waiting[subject]
            return None
        return known
