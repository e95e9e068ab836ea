"""Changes of a text marked in its own words, for people to read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from experience_pack.model import Json

_WORDS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+|\s+|.", re.DOTALL)
"""What is compared: words, Chinese characters, blanks and marks, one by one."""

LONGEST = 4_000
"""Words of a text that are compared one by one; a longer one is shown whole."""


class Piece(NamedTuple):
    """Part of a changed text."""

    op: str
    """`same`, `gone` or `new`."""
    text: str


class Shown(NamedTuple):
    """One change as a page shows it."""

    path: str
    pieces: tuple[Piece, ...]


def shown(changes: Iterable[Mapping[str, Json]]) -> list[Shown]:
    """Give changes (`{path, op, before?, after?}`) with their texts in pieces."""
    return [
        Shown(one["path"], tuple(pieces(_text(one, "before"), _text(one, "after"))))
        for one in changes
    ]


def pieces(before: str, after: str) -> Iterator[Piece]:
    """Give what stayed, went and came, in the order in which it is read."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > LONGEST:
        old, new = [before], [after]
    for op, at, end, start, stop in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if op == "equal":
            yield Piece("same", "".join(old[at:end]))
            continue
        if end > at:
            yield Piece("gone", "".join(old[at:end]))
        if stop > start:
            yield Piece("new", "".join(new[start:stop]))


def _text(change: Mapping[str, Json], side: str) -> str:
    value = change.get(side)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=1)
