"""What ties a text to one machine, project or person, and what could stand instead.

The rules are a table; every pattern runs in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_PART = r"[^\s/\\:\"'`<>|，。；：、（）“”]{1,80}"
_REST = rf"(?:[/\\]{_PART}){{0,20}}"

TIES: Sequence[tuple[str, re.Pattern[str], str]] = (
    (
        "home folder",
        re.compile(
            rf"(?<![\w/])(?:/home/|/Users/|/root\b)(?:{_PART})?{_REST}"
            rf"|\b[A-Za-z]:[/\\]+Users[/\\]+{_PART}{_REST}"
            rf"|(?<!\w)~(?:{_PART})?[/\\]{_PART}{_REST}"
            rf"|%USERPROFILE%{_REST}"
        ),
        "{home}",
    ),
    (
        "drive path",
        re.compile(
            rf"(?<![\w/])[A-Za-z]:\\+{_PART}{_REST}|\\\\[\w.-]{{2,60}}\\{_PART}{_REST}"
        ),
        "{project}",
    ),
    (
        "absolute path",
        re.compile(
            rf"(?<![\w/:.~}}])/(?:srv|opt|work|workspace|workspaces|data|mnt|media|Volumes"
            rf"|repos?|projects?|app|code|builds?|var/(?:www|lib|log))/{_PART}{_REST}"
        ),
        "{project}",
    ),
    (
        "e-mail",
        re.compile(
            r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}"
        ),
        "{email}",
    ),
    (
        "host",
        re.compile(
            r"(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,5}"
            r"(?:local|internal|intranet|corp|lan|home|localdomain)\b(?!\()"
            r"|(?<![\w.])(?:10|127)(?:\.\d{1,3}){3}(?![\w.]\d)"
            r"|(?<![\w.])192\.168(?:\.\d{1,3}){2}"
            r"|(?<![\w.])172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}"
            r"|\blocalhost:\d{2,5}\b"
        ),
        "{host}",
    ),
)
"""What it is, how it is found, and the placeholder that frees the text of it."""

_EXAMPLES = re.compile(
    r"@(?:[\w-]+\.)*example\.(?:com|org|net)$|@(?:users\.)?noreply\.|"
    r"/(?:home|Users)/(?:user|username|you|me|name|<|\{|\$)",
    re.IGNORECASE,
)
"""What documents use to name nobody (RFC 2606)."""


class Tie(NamedTuple):
    """One tie, and the text without it."""

    start: int
    end: int
    kind: str
    suggestion: str
    """The passage with a placeholder in place of what ties it."""


def ties(text: str) -> Iterator[Tie]:
    """Give what ties a text to one place, rule by rule."""
    taken: list[tuple[int, int]] = []
    for kind, pattern, placeholder in TIES:
        for found in pattern.finditer(text):
            if _covered(found.span(), taken) or _EXAMPLES.search(found[0]):
                continue
            insort(taken, found.span())
            yield Tie(*found.span(), kind, _freed(kind, found[0], placeholder))


def _covered(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a place meets one of those that are in order and apart."""
    at = bisect(taken, span)
    beside = taken[max(0, at - 1) : at + 1]
    return any(start < span[1] and span[0] < end for start, end in beside)


_HOME = re.compile(
    r"(?:/home/|/Users/|[A-Za-z]:[/\\]+Users[/\\]+)[^\s/\\]+|/root|~[^\s/\\]*"
    r"|%USERPROFILE%"
)


def _freed(kind: str, passage: str, placeholder: str) -> str:
    """Give a passage with its placeholder; what lies below a home stays readable."""
    if kind == "home folder":
        return _HOME.sub(placeholder, passage, count=1)
    if kind in ("drive path", "absolute path"):
        parts = re.split(r"[/\\]+", passage.strip("/\\"))
        return "/".join([placeholder, *parts[2:]])
    return placeholder
