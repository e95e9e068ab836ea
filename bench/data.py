"""Experiences of a stated shape, seeded: the same on every machine.

A record has 41 words in the fields of the document's format: half of the records are
English, a third Chinese (words of two or three characters), the rest both; all kinds,
a fifth with links, a tenth with a parent. Words follow Zipf's law, so that 1,000,
10,000 and 100,000 records know about 5,400, 25,000 and 64,000 different ones.
With every key written out (`to_v2`) a record has about 1.6 kB of JSON, of which 1.2
are keys and empty values; what is stored leaves those out and has 0.7 kB.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from bench.words import chinese, distinct, latin, zipf
from experience_pack.model import Experience, Json, Standing, derived_id

SEED = 20261130

LANGUAGES = ("en", "zh", "en", "mixed", "en", "zh")
"""In turn: half English, a third Chinese, the rest both in one record."""

KINDS = (
    ("process", 40),  # what people write down most
    ("reference", 20),
    ("result", 15),
    ("habit", 10),
    ("lesson", 10),
    ("reflex", 5),
)
"""Kinds and their shares in a hundred."""

CATEGORIES = (
    "documents",
    "office",
    "release",
    "运维",
    "报表",
    "会议",
    "support",
    "research",
)

_VOCABULARY = 38_000  # words a language; with the exponent it gives the numbers above
_ZIPF = zipf(_VOCABULARY, 1.25)

Words = Callable[[int], str]


def experiences(count: int) -> Iterator[Experience]:
    """Give so many experiences; a longer run begins alike."""
    chance = random.Random(SEED)
    vocabularies = {
        "en": distinct(chance, latin, _VOCABULARY),
        "zh": distinct(chance, chinese, _VOCABULARY),
    }
    kinds = [kind for kind, _ in KINDS]
    shares = [share for _, share in KINDS]
    for number in range(count):
        language = LANGUAGES[number % len(LANGUAGES)]
        words = _words(chance, vocabularies, language)
        (kind,) = chance.choices(kinds, shares)
        content = {
            "id": _id(number),
            "kind": kind,
            **_content(chance, words, kind, number),
        }
        yield Experience.from_dict(content)


def standings(count: int) -> Iterator[tuple[str, Standing]]:
    """Give counters for every third experience, by id."""
    chance = random.Random(SEED)
    for number in range(0, count, 3):
        uses = chance.randint(1, 40)
        yield (
            _id(number),
            Standing(
                success_count=uses,
                failure_count=uses // 7,
                total_usage=uses,
                frequency=uses / 4,
                last_used="2026-11-30T12:00:00Z",
            ),
        )


def _id(number: int) -> str:
    return derived_id("exp", "bench", str(number))


def _words(
    chance: random.Random, vocabularies: Mapping[str, Sequence[str]], language: str
) -> Words:
    """Give a maker of phrases of so many words."""

    def phrase(count: int) -> str:
        spoken = chance.choice(("en", "zh")) if language == "mixed" else language
        found = chance.choices(vocabularies[spoken], cum_weights=_ZIPF, k=count)
        return ("" if spoken == "zh" else " ").join(found)

    return phrase


def _content(
    chance: random.Random, words: Words, kind: str, number: int
) -> dict[str, Json]:
    content = {
        "name": words(4),
        "description": words(7),
        "family": f"family-{number // 40}",
        "category": chance.choice(CATEGORIES),
        "match": {
            "tags": [words(1) for _ in range(2)],
            "keywords": [words(1) for _ in range(3)],
        },
        "exemplars": [words(4)],
        "origin": {"type": "user_confirmed", "source": "llm_output"},
        **_BY_KIND[kind](words),
    }
    if number and chance.random() < 0.2:
        target = _id(chance.randrange(number))
        content["links"] = [{"relation": "see_also", "target": target}]
    if number and chance.random() < 0.1:
        content["parent_id"] = _id(chance.randrange(number))
    return content


def _habit(words: Words) -> dict[str, Json]:
    return {"when": words(8), "do": words(13), "polarity": "do"}


def _lesson(words: Words) -> dict[str, Json]:
    return {
        "text": words(11),
        "polarity": "avoid",
        "quote": words(7),
        "source": words(3),
    }


def _result(words: Words) -> dict[str, Json]:
    return {
        "logic": {"goal": words(4), "triggers": [words(1), words(2)]},
        "exec": {"template": {"reply": words(11), "title": words(3)}},
    }


def _process(words: Words) -> dict[str, Json]:
    return {
        "logic": {
            "goal": words(4),
            "triggers": [words(1), words(2)],
            "path": [{"action": words(3), "tool": words(1)} for _ in range(2)],
            "branches": [{"if": words(3), "then": words(3)}],
        },
    }


_BY_KIND: Mapping[str, Callable[[Words], dict[str, Json]]] = {
    "process": _process,
    "reference": _process,
    "result": _result,
    "reflex": _result,
    "habit": _habit,
    "lesson": _lesson,
}
"""What each kind adds: 21 words."""
