"""Search a text by the table of secrets: tokens, names, forms, in one pass each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from experience_pack.text.redaction import SECRET
from experience_pack.text.secret_rules import FORMS
from experience_pack.text.secret_tokens import TOKENS
from experience_pack.text.secret_values import (
    named_key,
    named_value,
    quoted_password,
)

Hit = tuple[str, int, int]

_PREFIXES = sorted(
    {one for row in TOKENS for one in row.prefixes}, key=len, reverse=True
)


def _branches() -> str:
    """Give an alternative a first letter: many times quicker than one a prefix."""
    rests: dict[str, list[str]] = {}
    for one in _PREFIXES:
        rests.setdefault(one[0], []).append(re.escape(one[1:]))
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())


_STARTS = re.compile(rf"(?<![A-Za-z0-9_])(?:{_branches()})")

_BY_PREFIX: Mapping[str, list[tuple[str, re.Pattern[str], Callable[[str], bool]]]] = {
    prefix: [
        (row.name, re.compile(row.body), row.check)
        for row in TOKENS
        if prefix in row.prefixes
    ]
    for prefix in _PREFIXES
}

_NAME = re.compile(
    r"(?:(?P<password>passw(?:or)?d|passphrase|pass_?wd|pwd|[_-](?:pass|pw)(?![a-z]))"
    r"|(?P<token>secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
    r"|encryption[_-]?key|license[_-]?key|credential|cookie|session[_-]?id)"
    r"|(?P<key>[_-]key|key|_auth|_pat(?![a-z])|_sk(?![a-z]))(?![a-z]))"
    r"[\w-]{0,24}+(?<!_name)(?<!_file)(?<!_path)(?<!_url)(?<!_type)"
    r"\\?[\"'`\]]{0,2}+[ \t]{0,12}+"
    r"(?::{1,3}=|value=|is(?= )|=>|\?=|[:=：>]"
    r"|(?<=[\"'] ),|(?<=[\"']),|(?<=[ \t])(?=[\"']))"
    r"[ \t]{0,12}+"
)
"""A name and what joins it to a value; held against text in lower case."""

_VALUE = re.compile(
    r"\\?[\"'`]{1,3}(?P<quoted>[^\"'`\r\n‹›]{4,400})\\?[\"'`]"
    r"|(?P<bare>[^\s\"'`,;<>{}()\[\]‹›&|\\]{6,400}+)(?![(\[‹])"
)
_CHECKS = {"password": quoted_password, "token": named_value, "key": named_key}
_LEAST = {"password": 4, "token": 8, "key": 14}
"""Characters that a value must have under each kind of name."""


def search(text: str, family: str) -> Iterator[Hit]:
    """Give `(family:rule, start, end)` of all of a family; it may overlap."""
    lowered = text.replace("İ", "I").lower()
    if family == SECRET:
        yield from _tokens(text)
        yield from _named(text, lowered)
    for row in FORMS:
        if row.family == family and any(word in lowered for word in row.words):
            group = "v" if "v" in row.pattern.groupindex else 0
            for one in row.pattern.finditer(text):
                if row.check(one[group]):
                    yield f"{row.family}:{row.name}", *one.span(group)


def _tokens(text: str) -> Iterator[Hit]:
    place = 0
    while start := _STARTS.search(text, place):
        place = start.start() + 1
        for name, body, check in _BY_PREFIX[start[0]]:
            if one := body.match(text, start.end()):
                place = one.end()
                if check(one[0]):
                    yield f"{SECRET}:{name}", start.start(), one.end()
                    break


def _named(text: str, lowered: str) -> Iterator[Hit]:
    place = 0
    while name := _NAME.search(lowered, place):
        place = name.end()
        kind = name.lastgroup or ""
        if one := _VALUE.match(text, place):
            value = one.lastgroup or ""
            secret = len(one[value]) >= _LEAST[kind] and _CHECKS[kind](one[value])
            if secret or value == "bare":
                place = one.end(value)
            if secret:
                yield f"{SECRET}:{kind}", *one.span(value)
