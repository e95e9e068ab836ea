"""Experiences and requests in two languages, where it is known what should be found.

Words follow Zipf's law; half of the experiences are English, a third Chinese, the
rest both. Seven requests in ten say one experience's name and example in other
order and with words left out and added; three in ten match nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bench.words import chinese, han, latin, word, zipf
from experience_pack.model import Experience, derived_id

SEED = 20261130
LANGUAGES = ("en", "zh", "en", "mixed", "en", "zh")
KINDS = ("process", "process", "reference", "result", "reflex")

_VOCABULARY = 30_000
_ZIPF = zipf(_VOCABULARY)
_FOREIGN = ["qra", "qle", "qri", "qlo", "qru"]
_KEPT = 0.75  # of the words of what is paraphrased
_NOTHING = 0.3  # of the requests


class Request(NamedTuple):
    """What is asked, and which experience is meant."""

    text: str
    language: str
    truth: str
    """Id of the experience; empty where nothing should be found."""


def experiences(count: int) -> Iterator[Experience]:
    """Give experiences of about 40 search terms each; a longer run begins alike."""
    chance = random.Random(SEED)
    english = [latin(chance) for _ in range(_VOCABULARY)]
    han_words = [chinese(chance) for _ in range(_VOCABULARY)]
    for number in range(count):
        language = LANGUAGES[number % len(LANGUAGES)]
        yield _experience(number, _speaker(chance, language, english, han_words))


def requests(pool: Sequence[Experience], count: int) -> list[Request]:
    """Give requests about a sample of experiences that `experiences` gave."""
    chance = random.Random(SEED + 1)
    found = []
    for _ in range(count):
        at = chance.randrange(len(pool))
        language = LANGUAGES[at % len(LANGUAGES)]
        if chance.random() < _NOTHING:
            found.append(Request(_nothing(chance, language), language, ""))
        else:
            one = pool[at]
            said = f"{one.name} {one.exemplars[0]}"
            found.append(Request(_reworded(chance, said), language, one.id))
    return found


def _experience(number: int, say: Callable[[int], str]) -> Experience:
    return Experience.from_dict(
        {
            "id": derived_id("exp", "request", str(number)),
            "kind": KINDS[number % len(KINDS)],
            "name": say(4),
            "description": say(9),
            "family": f"family{number // 40}",
            "match": {"keywords": [say(1) for _ in range(4)], "tags": [say(1), say(1)]},
            "exemplars": [say(6)],
            "logic": {
                "goal": say(6),
                "triggers": [say(2)],
                "path": [{"action": say(8), "tool": say(1)} for _ in range(6)],
            },
            "notes": say(30),
        }
    )


def _speaker(
    chance: random.Random, language: str, english: list[str], han_words: list[str]
) -> Callable[[int], str]:
    def say(count: int) -> str:
        spoken = chance.choice(("en", "zh")) if language == "mixed" else language
        words = english if spoken == "en" else han_words
        return " ".join(chance.choices(words, cum_weights=_ZIPF, k=count))

    return say


def _reworded(chance: random.Random, said: str) -> str:
    words = said.split()
    chance.shuffle(words)
    kept = words[: max(3, round(len(words) * _KEPT))]
    if said.isascii():
        return f"please {' '.join(kept)} {word(chance, _FOREIGN)}"
    return "请帮我" + "".join(f" {one} " if one.isascii() else one for one in kept)


def _nothing(chance: random.Random, language: str) -> str:
    if language == "zh":
        return "".join(han(chance, 0x8000, 600) for _ in range(9))
    return " ".join(word(chance, _FOREIGN) for _ in range(6))
