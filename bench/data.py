"""Experiences that look like real ones: seeded, of all kinds, in two languages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

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

_VOCABULARY = 20_000
_SYLLABLES = re.findall("..", "bacedifoguhajekilomunaperisotuvawexiyozu")
_HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动"
    "同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自"
    "二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日"
)

Words = Callable[[int], str]


def experiences(count: int) -> Iterator[Experience]:
    """Give experiences of about 1.3 kB of JSON each; a longer run begins alike."""
    chance = random.Random(SEED)
    vocabularies = {"en": _latin(chance), "zh": _chinese(chance)}
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


def _latin(chance: random.Random) -> Sequence[str]:
    return [
        "".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4)))
        for _ in range(_VOCABULARY)
    ]


def _chinese(chance: random.Random) -> Sequence[str]:
    return [
        "".join(chance.choices(_HAN, k=chance.choice((1, 2, 2, 2, 3))))
        for _ in range(_VOCABULARY)
    ]


_ZIPF = list(accumulate(1 / rank for rank in range(1, _VOCABULARY + 1)))


def _words(
    chance: random.Random, vocabularies: Mapping[str, Sequence[str]], language: str
) -> Words:
    """Give a maker of phrases; a word's chance falls with its rank (Zipf's law)."""

    def phrase(count: int) -> str:
        spoken = chance.choice(("en", "zh")) if language == "mixed" else language
        found = chance.choices(vocabularies[spoken], cum_weights=_ZIPF, k=count)
        return ("" if spoken == "zh" else " ").join(found)

    return phrase


def _content(
    chance: random.Random, words: Words, kind: str, number: int
) -> dict[str, Json]:
    content = {
        "name": words(5),
        "description": words(14),
        "category": chance.choice(CATEGORIES),
        "match": {
            "tags": [words(1) for _ in range(3)],
            "keywords": [words(1) for _ in range(6)],
        },
        "exemplars": [words(8), words(8)],
        "origin": {"type": "user_confirmed", "source": words(3)},
        **_BY_KIND[kind](words),
    }
    if number and chance.random() < 0.2:
        target = _id(chance.randrange(number))
        content["links"] = [{"relation": "see_also", "target": target}]
    if number and chance.random() < 0.1:
        content["parent_id"] = _id(chance.randrange(number))
    return content


def _habit(words: Words) -> dict[str, Json]:
    return {
        "when": words(20),
        "do": words(40),
        "polarity": "do",
        "notes": f"{words(40)}\n\n{words(30)}",
    }


def _lesson(words: Words) -> dict[str, Json]:
    return {
        "text": words(40),
        "polarity": "avoid",
        "quote": words(30),
        "source": words(5),
        "notes": words(40),
    }


def _result(words: Words) -> dict[str, Json]:
    return {
        "exec": {"template": {"reply": words(40), "title": words(8)}},
        "logic": {"goal": words(12), "triggers": [words(4), words(4)]},
        "tests": {"must_match": [words(8)], "must_not_match": [words(8)]},
        "notes": words(30),
    }


def _process(words: Words) -> dict[str, Json]:
    path = [
        {"action": words(9), "tool": words(1), "expect": words(5)} for _ in range(4)
    ]
    return {
        "logic": {
            "goal": words(12),
            "triggers": [words(4), words(4), words(4)],
            "path": path,
            "branches": [{"if": words(6), "then": words(8), "why": words(6)}],
            "references": ["https://example.org/guide"],
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
