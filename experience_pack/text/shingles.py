"""Fingerprints of passages, by which a quotation is known wherever it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize
from zlib import crc32

PASSAGE = 10
"""Weight of a passage: five words, or ten characters of a script without spaces.
Shorter ones are phrases that anybody writes."""

SHORTEST = 6
"""Weight from which a text below a passage has a fingerprint, as a whole."""

_WORD, _CHARACTER = 2, 1  # a Chinese word has about two characters

_IDEOGRAPHS = "々-〇぀-ヿ㐀-䶿一-鿿가-힯豈-﫿\U00020000-\U0003ffff"
_UNITS = re.compile(rf"([{_IDEOGRAPHS}])|[^\W_{_IDEOGRAPHS}]+")

_BASE, _MODULUS = 0x1F3D5B79, 2**61 - 1  # a prime; a fingerprint fits SQLite's integer


class Print(NamedTuple):
    """The fingerprint of one passage, and which units of its text it covers."""

    value: int
    start: int
    end: int


class Prints(NamedTuple):
    """All fingerprints of a text."""

    passages: Sequence[Print]
    weights: Sequence[int]
    """Weight of each unit, a word or a character."""
    whole: int
    """Fingerprint of the text as a whole."""


def prints(text: str) -> Prints:
    """Give the fingerprint of every passage, whatever case and punctuation it has.

    A rolling polynomial hash (Karp and Rabin 1987) of the CRC-32 of units; the time
    is linear. A text below `SHORTEST` has none.
    """
    found = [*_UNITS.finditer(normalize("NFKC", text).casefold())]
    weights = [_CHARACTER if one[1] else _WORD for one in found]
    hashes, powers = _rolled(
        [crc32(one[0].encode("utf-8", "replace")) for one in found]
    )

    def between(start: int, end: int) -> int:
        return (hashes[end] - hashes[start] * powers[end - start]) % _MODULUS

    spans = _spans(weights)
    return Prints(
        [Print(between(start, end), start, end) for start, end in spans],
        weights,
        between(0, len(found)),
    )


def _rolled(units: Sequence[int]) -> tuple[list[int], list[int]]:
    hashes, powers = [0], [1]
    for unit in units:
        hashes.append((hashes[-1] * _BASE + unit + 1) % _MODULUS)
        powers.append(powers[-1] * _BASE % _MODULUS)
    return hashes, powers


def _spans(weights: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the shortest passage that begins at each unit, or all of a short text."""
    if SHORTEST <= sum(weights) < PASSAGE:
        yield 0, len(weights)
    end = weight = 0
    for start, own in enumerate(weights):
        while end < len(weights) and weight < PASSAGE:
            weight += weights[end]
            end += 1
        if weight < PASSAGE:
            return
        yield start, end
        weight -= own
