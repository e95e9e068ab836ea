"""Invented words of two languages, and how often each is said."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import accumulate

_SYLLABLES = [first + last for first in "bdfghjklmnprstvwz" for last in "aeo"]
_FIRST_HAN, _HAN = 0x4E00, 2500


def latin(chance: random.Random) -> str:
    """Give a word of two to four syllables."""
    return word(chance, _SYLLABLES)


def chinese(chance: random.Random) -> str:
    """Give a word of two characters, or one time in four of three."""
    length = chance.choice((2, 2, 2, 3))
    return "".join(han(chance, _FIRST_HAN, _HAN) for _ in range(length))


def word(chance: random.Random, syllables: Sequence[str]) -> str:
    """Give a word of two to four of the syllables."""
    return "".join(chance.choices(syllables, k=chance.randint(2, 4)))


def han(chance: random.Random, first: int, size: int) -> str:
    """Give one of `size` characters from the code point `first` on."""
    return chr(first + chance.randrange(size))


def distinct(
    chance: random.Random, make: Callable[[random.Random], str], size: int
) -> list[str]:
    """Give so many different words, in the order in which they were made."""
    found: dict[str, None] = {}
    while len(found) < size:
        found[make(chance)] = None
    return list(found)


def zipf(size: int, exponent: float = 1.0) -> list[float]:
    """Give cumulative weights of ranks: a word's chance falls as rank ** -exponent."""
    return list(accumulate(rank**-exponent for rank in range(1, size + 1)))
