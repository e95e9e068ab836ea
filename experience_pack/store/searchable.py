"""What is searched of an experience: its words, phrases, tags and event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from experience_pack.model.values import Json
from experience_pack.store.postings import HABITS, LESSONS, REQUESTS
from experience_pack.text.lexicon import ENGLISH_FUNCTION_WORDS
from experience_pack.text.tokens import search_terms

SCOPES = {"habit": HABITS, "lesson": LESSONS}
"""Kinds that have an index of their own; all others answer requests."""

_TEXTS = ("name", "description", "when", "do", "text")

OWN_PHRASE = 2
"""A trigger of fewer words is too general to be a whole phrase by itself."""


class Searchable(NamedTuple):
    """One experience as the index holds it; lists are separated texts."""

    scope: int
    kind: str
    terms: str
    """All search terms with repeats, by spaces."""
    phrases: str
    """A phrase a line: its distinct terms but for English function words, each
    between two blanks."""
    tags: str
    """A tag a line, each its terms."""
    event: str
    """The event that triggers it."""
    conditions: str
    """Reuse mode, frequency and condition: no words, but fields of matching."""


def searchable(content: Mapping[str, Json]) -> Searchable:
    """Give what the index holds of an experience's content."""
    match, trigger = content.get("match", {}), content.get("trigger", {})
    kind, event = content["kind"], trigger.get("event", "")
    tags = [search_terms(tag) for tag in match.get("tags", ())]
    phrases = [*_phrases(content)]
    names = f"{content.get('family', '')}\n{content.get('category', '')}\n{event}"
    rest = (
        content.get("reuse_mode", ""),
        trigger.get("frequency", ""),
        trigger.get("condition", ""),
    )
    return Searchable(
        SCOPES.get(kind, REQUESTS),
        kind,
        " ".join(chain(*phrases, *tags, search_terms(names))),
        "\n".join(filter(None, map(_distinct, phrases))),
        "\n".join(filter(None, map(" ".join, tags))),
        event.strip().casefold(),
        "\n".join(rest),
    )


def _phrases(content: Mapping[str, Json]) -> Iterator[list[str]]:
    logic = content.get("logic", {})
    triggers = [search_terms(trigger) for trigger in logic.get("triggers", ())]
    words = search_terms("\n".join(content.get("match", {}).get("keywords", ())))
    words += chain(*(trigger for trigger in triggers if len(trigger) < OWN_PHRASE))
    yield words
    yield from (trigger for trigger in triggers if len(trigger) >= OWN_PHRASE)
    texts = [content.get(field, "") for field in _TEXTS]
    texts += [logic.get("goal", ""), *content.get("exemplars", ())]
    yield from map(search_terms, filter(None, texts))


def _distinct(terms: Iterable[str]) -> str:
    kept = dict.fromkeys(terms)
    for word in ENGLISH_FUNCTION_WORDS.intersection(kept):
        del kept[word]
    return f" {' '.join(kept)} " if kept else ""
