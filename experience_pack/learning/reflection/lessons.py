"""Lessons: their identity, and what of an answer is admitted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from unicodedata import normalize

from experience_pack.learning.reflection.answers import ITEM_CHARS, MOST_ITEMS, Answer
from experience_pack.learning.reflection.conversation import Message
from experience_pack.matching.lessons import AVOID, DO
from experience_pack.model import Experience, Match, Origin
from experience_pack.model.ids import derived_id
from experience_pack.text.redaction import redact
from experience_pack.text.shingles import SHORTEST, prints
from experience_pack.text.tokens import derive_keywords

ORIGIN = "reflection"

NAME_CHARS = 60
"""Characters of a lesson that are its name: a line of a list."""

_PREFIX = re.compile(r"(?:avoid|do not|don't|避免|不要)\s*[:：]\s*", re.IGNORECASE)
_EDGES = " \t\n\"'“”‘’「」『』`….,;:。，；："


class Admitted(NamedTuple):
    """A lesson that may be stored, with the passage that grounds it."""

    experience: Experience
    quote: str


class Dropped(NamedTuple):
    """What a model said that is not stored, and why."""

    text: str
    reason: str


class Admission(NamedTuple):
    """All that an answer came to; every item of it is in one of the lists."""

    admitted: Sequence[Admitted]
    dropped: Sequence[Dropped]


def key(text: str) -> str:
    """Give what equal lessons have in common: no case, width, edge or spacing."""
    return _comparable(text).strip(_EDGES)


def lesson(text: str, polarity: str, source: str = "", quote: str = "") -> Experience:
    """Give the lesson of a text; the same text and polarity always has the same id."""
    said = plain(text) if polarity == AVOID else text.strip()
    return Experience(
        id=derived_id("exp", "lesson", polarity, key(said)),
        kind="lesson",
        name=titled(said),
        text=said,
        polarity=polarity,
        quote=quote,
        source=source,
        match=Match(keywords=derive_keywords(said)),
        origin=Origin(type=ORIGIN),
    )


def titled(text: str) -> str:
    """Give the beginning of a text as a name."""
    name = text if len(text) <= NAME_CHARS else f"{text[: NAME_CHARS - 1]}…"
    return " ".join(name.split())


def plain(text: str) -> str:
    """Give the text of what is to be avoided without a word that says so."""
    rest = _PREFIX.sub("", text.strip(), count=1) if _PREFIX.match(text.strip()) else ""
    return rest or text.strip()


def admit(
    answer: Answer,
    messages: Sequence[Message],
    source: str,
    turned_down: Callable[[str], bool],
    is_served: Callable[[str], bool],
) -> Admission:
    """Give the lessons of an answer that a passage of the conversation grounds.

    `turned_down` tells of an id that a person deleted, `is_served` of a text that it
    was served by us.
    """
    texts = [_comparable(one.text) for one in messages]
    admitted: dict[str, Admitted] = {}
    dropped: list[Dropped] = []
    for polarity, items in ((AVOID, answer.mistakes), (DO, answer.fixes)):
        for at, item in enumerate(items):
            text, quote = redact(item.text).text, redact(item.quote).text
            place = _place(quote, texts)
            where = f"{source}, message {place + 1}" if place is not None else ""
            made = lesson(text, polarity, where, quote.strip(_EDGES))
            faults = {
                _TOO_MANY: at >= MOST_ITEMS,
                _TOO_LONG: len(text) > ITEM_CHARS,
                "quotes no passage of the conversation": place is None,
                "a person turned it down before": turned_down(made.id),
                "was served by us": is_served(text) or is_served(quote),
                "says the same as another one": made.id in admitted,
            }
            if fault := next((name for name, holds in faults.items() if holds), ""):
                dropped.append(Dropped(text[:ITEM_CHARS], fault))
            else:
                admitted[made.id] = Admitted(made, made.quote)
    return Admission([*admitted.values()], dropped)


_TOO_MANY = f"more than {MOST_ITEMS} of one kind"
_TOO_LONG = f"longer than {ITEM_CHARS} characters"


def grounds(quote: str, text: str) -> bool:
    """Tell whether a passage, long enough to be one, stands in a text."""
    return _place(quote, [_comparable(text)]) is not None


def _place(quote: str, texts: Iterable[str]) -> int | None:
    """Give the number of the message with a passage; a short one is none."""
    wanted = key(quote)
    if sum(prints(wanted).weights) < SHORTEST:
        return None
    return next((at for at, text in enumerate(texts) if wanted in text), None)


def _comparable(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())
