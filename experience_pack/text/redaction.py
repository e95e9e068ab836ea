"""Take secrets and personal data out of a text before it is written anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

OPENING, CLOSING = "‹", "›"
"""They stand around every placeholder, and in no pattern of the table."""

_PLACEHOLDER = re.compile(r"‹(?:secret|personal):[a-z0-9. -]{1,30}›")

SECRET, PERSONAL = FAMILIES = ("secret", "personal")
"""Secrets are taken out before what only says who somebody is."""

_COULD = re.compile(
    r"[A-Za-z0-9_+/=.-]{15}|[@‹]|\d{6}|\d{3}[ -]\d|[/\\](?:home|[Uu]sers)[/\\]"
    r"|(?i:pass|pw|secret|token|key|auth|cred|login|cookie|-u |--user)"
    r"|密码|口令|密钥|令牌|授权码|访问码|私钥|凭证"
)
"""One of these is in whatever the table finds: most texts need no table."""

_ROUNDS = 6
"""Searches of a text: secrets before personal data, then what is left of both."""


class Found(NamedTuple):
    """One thing that was taken out."""

    rule: str
    """Family and name: `secret:aws key`."""
    start: int
    end: int
    """Where it stood in the text that was given."""


class Redacted(NamedTuple):
    """A text without what was found in it."""

    text: str
    found: tuple[Found, ...]


def redact(text: str) -> Redacted:
    """Give a text with a placeholder for every secret that the table finds.

    A redacted text is left as it is. The time is linear in the length of the text.
    """
    found = tuple(found_in(text))
    return Redacted(_written(text, found) if found else text, found)


def redact_values(value: Any) -> Any:
    """Give a JSON value with every text in it redacted; names are left alone.

    A text is read beside its name: `{"password": "hunter22"}` is an assignment.
    """
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {name: _redact_named(name, one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [redact_values(one) for one in value]
    return value


def _redact_named(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return redact_values(value)
    plain = redact(value).text
    named = redact(f'{name}="{value}"')
    start = len(name) + 2
    whole = (start, start + len(value))
    rules = [one.rule for one in named.found if (one.start, one.end) == whole]
    return f"{OPENING}{rules[0]}{CLOSING}" if rules else plain


def found_in(text: str, families: Sequence[str] = FAMILIES) -> Sequence[Found]:
    """Give what `redact` would take out of a text, in its order, none overlapping."""
    if not _COULD.search(text):
        return ()
    from experience_pack.text.secret_search import search

    rest = _PLACEHOLDER.sub(lambda one: OPENING * len(one[0]), text)
    found: list[Found] = []
    for _ in range(_ROUNDS):
        searched = (_apart(search(rest, family)) for family in families)
        fresh = next(filter(None, searched), None)
        if fresh is None:
            break
        found += fresh
        rest = _blanked(rest, fresh)
    return sorted(found, key=lambda one: one.start)


def _apart(hits: Iterable[tuple[str, int, int]]) -> list[Found]:
    """Join what overlaps under the name of what begins first, then is longest."""
    apart: list[Found] = []
    for rule, start, end in sorted(hits, key=lambda one: (one[1], -one[2])):
        if apart and start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, end))
        else:
            apart.append(Found(rule, start, end))
    return apart


def _blanked(text: str, found: Sequence[Found]) -> str:
    return _put(text, found, lambda one: OPENING * (one.end - one.start))


def _written(text: str, found: Sequence[Found]) -> str:
    return _put(text, found, lambda one: f"{OPENING}{one.rule}{CLOSING}")


def _put(text: str, found: Sequence[Found], stand_in: Callable[[Found], str]) -> str:
    parts: list[str] = []
    place = 0
    for one in found:
        parts += text[place : one.start], stand_in(one)
        place = one.end
    return "".join([*parts, text[place:]])
