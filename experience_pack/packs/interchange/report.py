"""What a conversion says about its source: where lines went, what went wrong."""

from __future__ import annotations

from dataclasses import dataclass

LEFT_OUT = "left out"
"""Place of lines that are in no experience; such an entry has a reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """Where a run of lines of one source file is found again."""

    file: str
    """Path relative to the converted folder, with `/`."""
    first: int
    """First line, counted from 1; 0 stands for a whole file without lines."""
    last: int
    """Last line, included."""
    where: str
    """`notes`, `description`, `extra.skill.license`, `documents[0].text` …"""
    reason: str = ""
    """Why the lines are `left out`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Something in the source that a person should look at."""

    file: str
    """Path relative to the converted folder, with `/`."""
    line: int
    """Line, counted from 1; 0 when it is about the whole file."""
    reason: str
    """What is wrong."""
    next_step: str
    """What the person can do about it."""
    skipped: bool = True
    """False when the file was read in spite of it."""
