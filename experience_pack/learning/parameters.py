"""Literals that differ each time become parameters of a template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from experience_pack.text.templates import escaped
from experience_pack.text.ties import ties

LITERALS: Sequence[tuple[str, re.Pattern[str]]] = (
    (
        "date",
        re.compile(
            r"\d{4}-\d{2}-\d{2}|\d{4}/\d{1,2}/\d{1,2}|\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?"
            r"|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月(?:\d{1,2}日)?"
        ),
    ),
    (
        "path",
        re.compile(r"(?<![\w/])(?:[\w.-]{1,60}/){1,12}[\w-]{1,60}\.[A-Za-z]\w{0,7}"),
    ),
    (
        "name",
        re.compile(
            r"“[^”\n]{1,80}”|「[^」\n]{1,80}」|《[^》\n]{1,80}》|\"[^\"\n]{1,80}\""
        ),
    ),
    ("number", re.compile(r"(?<![A-Za-z0-9_.])-?\d[\d,]*(?:\.\d+)?")),
)
"""What may differ between two reports of the same work, the first that is found at a
place; every pattern runs in linear time."""


class Parametrised(NamedTuple):
    """A template, and the names of the values that it needs."""

    template: str
    requires: tuple[str, ...]


class _Literal(NamedTuple):
    kind: str
    start: int
    end: int


def parametrised(texts: Sequence[str]) -> Parametrised:
    """Give the last text, with a placeholder for each literal that differs.

    Texts are compared that say the same but for their literals; a literal that all of
    them share stays. Where no other text says the same, all stays as it is.
    """
    last = texts[-1]
    found = _literals(last)
    told = _skeleton(last, found)
    others = [_values(one) for one in texts if _skeleton(one, _literals(one)) == told]
    differing = [len({values[at] for values in others}) > 1 for at in range(len(found))]
    names = _named([one.kind for one in found], differing)
    pieces, at = [], 0
    for literal, name in zip(found, names, strict=True):
        if name:
            pieces += [escaped(last[at : literal.start]), f"{{{name}}}"]
            at = literal.end
    template = "".join([*pieces, escaped(last[at:])])
    return Parametrised(template, tuple(filter(None, names)))


def _literals(text: str) -> list[_Literal]:
    """Give the literals of a text in order, none overlapping."""
    found: list[_Literal] = []
    listed = [*(_Literal("path", one.start, one.end) for one in ties(text))]
    listed += _matches(text)
    for one in sorted(listed, key=lambda one: (one.start, -one.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _matches(text: str) -> Iterator[_Literal]:
    for kind, pattern in LITERALS:
        for match in pattern.finditer(text):
            yield _Literal(kind, *match.span())


def _skeleton(text: str, found: Sequence[_Literal]) -> tuple[str, ...]:
    pieces, at = [], 0
    for one in found:
        pieces += [text[at : one.start], one.kind]
        at = one.end
    return (*pieces, text[at:])


def _values(text: str) -> list[str]:
    return [text[one.start : one.end] for one in _literals(text)]


def _named(kinds: Sequence[str], differing: Sequence[bool]) -> list[str]:
    """Name what differs: `number`, or `number_1`, `number_2` … where there are more."""
    chosen = [kind for kind, differs in zip(kinds, differing, strict=True) if differs]
    counted = dict.fromkeys(chosen, 0)
    names = []
    for kind, differs in zip(kinds, differing, strict=True):
        if not differs:
            names.append("")
            continue
        counted[kind] += 1
        alone = chosen.count(kind) == 1
        names.append(kind if alone else f"{kind}_{counted[kind]}")
    return names
