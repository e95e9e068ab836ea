"""The only place that reads the time."""

from __future__ import annotations

import time
from typing import Protocol

DAY = 86_400.0
"""Seconds of a day."""


class Clock(Protocol):
    """Give the present as seconds since 1970-01-01 UTC."""

    def __call__(self) -> float:
        """Give the time now."""
        ...


def system_clock() -> float:
    """Give the machine's time as seconds since 1970-01-01 UTC."""
    return time.time()


def timestamp(seconds: float) -> str:
    """Write a time as `2026-11-30T23:10:00Z`, the form stored everywhere."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def days_before(now: float, days: float) -> str:
    """Write the time so many days before another, 1970 at the earliest."""
    return timestamp(max(0.0, now - days * DAY))


def seconds(stamp: str) -> float:
    """Read a stored time back; an empty or unreadable one gives 0.0."""
    from datetime import datetime

    try:
        found = datetime.fromisoformat(stamp)
    except ValueError:
        return 0.0
    return found.timestamp() if found.tzinfo else 0.0
