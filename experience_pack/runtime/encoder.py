"""Encode a request by rules: its terms, task words, tags, numbers and event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any
from unicodedata import normalize

from experience_pack.runtime.types import State
from experience_pack.text.tokens import search_terms, task_tokens

TAG_KEYS = ("task", "intent", "action", "event", "category", "family", "tags")
"""What of the context is a tag: each names the work, not its data."""

TAG_LENGTH = 80
"""Characters; a longer value is a text, not a tag."""


def encode(text: str, context: Mapping[str, Any] | None = None) -> State:
    """Give the state of a request.

    Tags are the texts under `TAG_KEYS` of the context (one or a list of them) and
    the numbers of the text; all of them are searched for beside its own terms.
    """
    context = context or {}
    numbers = numbers_in(text)
    tags = frozenset(chain(_tags(context), numbers))
    terms = chain(search_terms(text), *map(search_terms, sorted(tags)))
    event = context.get("event", "")
    return State(
        text,
        tuple(dict.fromkeys(terms)),
        tuple(task_tokens(text)),
        tags,
        context,
        numbers,
        event.strip().casefold() if isinstance(event, str) else "",
    )


def numbers_in(text: str) -> tuple[str, ...]:
    """Give the numbers of a text in plain form: `1,000.50` is `1000.50`."""
    if not any(map(str.isdecimal, text)):
        return ()
    kept = (
        char if char.isdecimal() or char in ",." else " "
        for char in normalize("NFKC", text)
    )
    runs = "".join(kept).split()
    return tuple(chain.from_iterable(map(_numbers, runs)))


def _tags(context: Mapping[str, Any]) -> Iterator[str]:
    for key in TAG_KEYS:
        value = context.get(key)
        for tag in value if isinstance(value, list | tuple | set) else (value,):
            if isinstance(tag, str) and 0 < len(tag) <= TAG_LENGTH:
                yield tag.strip().casefold()


def _numbers(run: str) -> Iterator[str]:
    """Cut a run of digits, commas and points: groups of three are one number."""
    first, *groups = run.strip(",.").split(",")
    if all(len(group.partition(".")[0]) == 3 for group in groups):
        groups, first = [], first + "".join(groups)
    for number in (first, *groups):
        if kept := number.strip("."):
            yield kept
