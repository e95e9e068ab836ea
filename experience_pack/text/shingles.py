"""Fingerprints of passages, by which a quotation is known wherever it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize
from zlib import adler32, crc32

PASSAGE = 10
"""Weight of a passage: five words, or ten characters of a script without spaces.
Shorter ones are phrases that anybody writes."""

SHORTEST = 6
"""Weight from which a text below a passage has a fingerprint, as a whole."""

_WORD, _CHARACTER = 2, 1  # a Chinese word has about two characters

_IDEOGRAPHS = "々-〇぀-ヿ㐀-䶿一-鿿가-힯豈-﫿\U00020000-\U0003ffff"
_UNITS = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+")

_FIRST_IDEOGRAPH = _IDEOGRAPHS[0]

_BASE, _MODULUS = 0x1F3D5B79, 2**61 - 1  # a prime; a fingerprint fits SQLite's integer


class Prints(NamedTuple):
    """All fingerprints of a text."""

    values: Sequence[int]
    """The fingerprint of each passage."""
    spans: Sequence[tuple[int, int]]
    """First unit of each passage, and the one behind its last."""
    weights: Sequence[int]
    """Weight of each unit, a word or a character."""


def prints(text: str) -> Prints:
    """Give the fingerprint of every passage, whatever case and punctuation it has.

    A rolling polynomial hash (Karp and Rabin 1987) of the CRC-32 of units; the time
    is linear. A text below `SHORTEST` has none.
    """
    units = _UNITS.findall(normalize("NFKC", text).casefold())
    weights = [_WORD if unit < _FIRST_IDEOGRAPH else _CHARACTER for unit in units]
    hashes, powers = _rolled(units)
    spans = [*_spans(weights)]
    values = [
        (hashes[end] - hashes[start] * powers[end - start]) % _MODULUS
        for start, end in spans
    ]
    return Prints(values, spans, weights)


def stamp(text: str) -> int:
    """Give a number by which the very same text is known again at once."""
    data = text.encode("utf-8", "replace")
    return crc32(data) << 28 ^ adler32(data)


def _rolled(units: Sequence[str]) -> tuple[list[int], list[int]]:
    """Give the hash of every beginning, and the powers to take a beginning off."""
    hashes, powers = [0], [1]
    value, power = 0, 1
    for unit in units:
        code = crc32(unit.encode("utf-8", "replace")) + 1
        value = (value * _BASE + code) % _MODULUS
        power = power * _BASE % _MODULUS
        hashes.append(value)
        powers.append(power)
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
