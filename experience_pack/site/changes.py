"""Changes of a text marked in its own words, for people to read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from experience_pack.formats.alignment import parts
from experience_pack.model import Json

_WORDS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+|\s+|.", re.DOTALL)
"""What is compared: words, Chinese characters, blanks and marks, one by one."""


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
    for same, gone, came in parts(old, new):
        kept = "".join(old[gone.start : gone.stop])
        if same:
            yield Piece("same", kept)
            continue
        if gone:
            yield Piece("gone", kept)
        if came:
            yield Piece("new", "".join(new[came.start : came.stop]))


def _text(change: Mapping[str, Json], side: str) -> str:
    value = change.get(side)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=1)
