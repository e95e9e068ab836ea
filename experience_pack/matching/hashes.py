"""What a text is made of, as numbers: words, pairs of words, and short runs of letters.

Each is hashed into one of 65,536 places, so that a store keeps a few bytes an
utterance and a comparison needs no texts. Chinese gives its characters, pairs and
triples; other scripts give the letters of each word, its bounds included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from unicodedata import normalize
from zlib import crc32

from experience_pack.text.tokens import runs, whole_words

PLACES = 1 << 16

LETTERS = (2, 3, 4)
"""Lengths of runs in a word of letters."""

CHARACTERS = (1, 2, 3)
"""Lengths of runs in a script without spaces."""

ENDINGS = ("'s", "ing", "ed", "es", "s")
"""Endings of English words that change nothing of what is asked for."""

SHORTEST = 3
"""Letters that a word keeps at least."""


def letters(text: str) -> list[int]:
    """Give the places of all runs of letters, ascending, each once."""
    return _places("g", _letter_runs(_folded(text)))


def words(text: str) -> list[int]:
    """Give the places of all words and of pairs of neighbours, each once."""
    found = [*_words(_folded(text))]
    pairs = (f"{first}_{second}" for first, second in pairwise(found))
    return _places("w", [*found, *pairs])


def _folded(text: str) -> str:
    return normalize("NFKC", text).casefold()


def _places(kind: str, parts: Iterable[str]) -> list[int]:
    return sorted({crc32((kind + part).encode()) % PLACES for part in parts})


def _letter_runs(text: str) -> Iterator[str]:
    for ideographic, run in runs(text):
        if ideographic:
            yield from _cut(run, CHARACTERS)
        else:
            for word in whole_words(run):
                yield from _cut(f" {word} ", LETTERS)


def _cut(text: str, lengths: Iterable[int]) -> Iterator[str]:
    for length in lengths:
        for at in range(len(text) - length + 1):
            yield text[at : at + length]


def _words(text: str) -> Iterator[str]:
    for ideographic, run in runs(text):
        if ideographic:
            yield from map(str.__add__, run, run[1:]) if len(run) > 1 else [run]
        else:
            yield from map(_stem, whole_words(run))


def _stem(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word[: -len(ending)]
    return word
