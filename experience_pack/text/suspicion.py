"""What in a text a reviewer should look at twice. It informs; it is no defence.

The rules are a table. Every pattern runs in linear time: no nested repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from experience_pack.text.hidden import (
    has_hidden,
    hidden_bits,
    hidden_runs,
    plain,
    visible,
)
from experience_pack.text.lookalikes import folded, has_others, lookalikes
from experience_pack.text.redaction import SECRET, found_in
from experience_pack.text.suspicious_words import (
    COMMAND,
    INJECTION,
    LINK,
    Phrase,
)
from experience_pack.text.ties import ties

EXCERPT = 60
"""Characters of the text that a flag shows."""


class Flag(NamedTuple):
    """One thing that was found in a text."""

    rule: str
    excerpt: str
    """The passage; what cannot be seen is written out."""
    suggestion: str = ""
    """What could stand in its place; empty where nothing simple could."""


class Passage(NamedTuple):
    """Where something was found."""

    start: int
    end: int
    suggestion: str = ""


Finder = Callable[[str], Iterator[Passage]]


def _by(table: Sequence[Phrase]) -> Finder:
    def find(text: str) -> Iterator[Passage]:
        lowered = text.lower()
        for words, pattern in table:
            if any(word in lowered for word in words):
                yield from (Passage(*one.span()) for one in pattern.finditer(text))

    return find


def _secrets(text: str) -> Iterator[Passage]:
    for one in found_in(text, (SECRET,)):
        yield Passage(one.start, one.end)


def _hidden(text: str) -> Iterator[Passage]:
    return (Passage(*run) for run in hidden_runs(text))


def _lookalikes(text: str) -> Iterator[Passage]:
    for start, end in lookalikes(text):
        yield Passage(start, end, folded(text[start:end]))


def _ties(text: str) -> Iterator[Passage]:
    return (Passage(one.start, one.end, one.suggestion) for one in ties(text))


RULES: Sequence[tuple[str, Finder, str]] = (
    (
        "hidden",
        _hidden,
        "characters that cannot be seen, or turn the direction of reading",
    ),
    (
        "injection",
        _by(INJECTION),
        "words that speak to a model rather than to a reader",
    ),
    ("secret", _secrets, "what looks like a key, a token or a password"),
    (
        "command",
        _by(COMMAND),
        "a command that destroys, escalates, or runs what it fetched",
    ),
    ("link", _by(LINK), "an address outside"),
    (
        "project-bound",
        _ties,
        "a place, a host or a person of one project; a placeholder would free it",
    ),
    (
        "lookalike",
        _lookalikes,
        "letters that are not what they look like",
    ),
)
"""Name, finder and meaning of every rule, in the order in which flags are shown."""

MEANINGS = {name: meaning for name, _, meaning in RULES}

DISGUISED = ("injection", "secret", "command")
"""Rules that are also held against the text as it reads, without what is hidden."""


def suspected(text: str) -> tuple[str, ...]:
    """Give the rules that may find something in parts of a text.

    Asking a whole once is much cheaper than asking each of its many parts.
    """
    reads = _reading(text)
    return tuple(
        name
        for name, find, _ in RULES
        if next(find(text), None)
        or (name in DISGUISED and reads and next(find(reads), None))
        or (name == "lookalike" and reads)
        or (name == "hidden" and hidden_bits(text))
    )


def flags_of(text: str, rules: Collection[str] = tuple(MEANINGS)) -> Iterator[Flag]:
    """Give what a reviewer should look at, rule by rule, of some rules or all."""
    reads = _reading(text)
    for name, find, _ in RULES:
        if name not in rules:
            continue
        found = [*find(text)]
        for one in found:
            yield Flag(name, _excerpt(text, one.start, one.end), one.suggestion)
        if reads and name in DISGUISED:
            seen = {_reading_of(text[one.start : one.end]) for one in found}
            for one in find(reads):
                if reads[one.start : one.end] not in seen:
                    said = _excerpt(reads, one.start, one.end)
                    yield Flag(name, f"{said} (as it reads)")
    if "hidden" in rules and (said := hidden_bits(text)):
        yield Flag("hidden", f"zero-width characters say: {visible(said)}"[:200])


def adds(text: str, source: str) -> bool:
    """Tell whether a text holds something to look at that is not in its source."""
    rules = suspected(text)
    for name, find, _ in RULES:
        passages = [text[one.start : one.end] for one in find(text)]
        if name in rules and not (passages and all(one in source for one in passages)):
            return True
    return False


def _reading(text: str) -> str:
    """Give a text as it reads, where that may differ from what it says; else empty."""
    disguised = has_hidden(text) or has_others(text)
    return _reading_of(text) if disguised else ""


def _reading_of(text: str) -> str:
    return folded(plain(text))


def _excerpt(text: str, start: int, end: int) -> str:
    """Give a passage with what is around it, on one line, all of it to be seen."""
    passage = visible(text[start:end])
    if len(passage) > EXCERPT:
        passage = f"{passage[:EXCERPT]}…"
    before, after = text[max(0, start - 20) : start], text[end : end + 10]
    return " ".join(f"{visible(before)}{passage}{visible(after)}".split())
