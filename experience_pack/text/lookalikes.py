"""Letters that look like others, and what a text reads like to whoever looks at it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

CYRILLIC = (
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТУХІЈЅԌԚԜ",
    "aeopcyxijsdhqwABEKMHOPCTYXIJSGQW",
)
GREEK = (
    "οναριυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ovapiuxABEZHIKMNOPTYX",
)
ARMENIAN = ("օսհոցզԼՕՍ", "ouhngqLOU")
"""Our own choice of letters that most typefaces draw like ASCII ones; all of them are
pairs of Unicode Technical Standard #39 (confusables.txt) or read so at a glance."""

TABLE: Mapping[int, str] = {
    ord(letter): plain
    for letters, like in (CYRILLIC, GREEK, ARMENIAN)
    for letter, plain in zip(letters, like, strict=True)
}

_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_OTHERS = re.compile(
    "[\u0370-\u03ff\u0400-\u058f\u13a0-\u13ff\u1f00-\u1fff\uab70-\uabbf"
    "\uff21-\uff5a\U0001d400-\U0001d7ff]"
)
"""Letters of the other alphabets; most texts have none, and need no closer look."""
_WORD = re.compile(r"[^\W\d_]{2,40}")
_LEAST = 3  # letters; shorter words are formulas
_STYLED = re.compile("[\U0001d400-\U0001d7ff]{2,40}|[\uff41-\uff5a]{2,40}")
_MIXED_WIDTH = re.compile("[a-z][\uff21-\uff3a\uff41-\uff5a]|[\uff21-\uff5a][a-z]")


def has_others(text: str) -> bool:
    """Tell whether a text has letters that could stand for ASCII ones."""
    return _OTHERS.search(text) is not None


def folded(text: str) -> str:
    """Give a text as it reads: letters that look like ASCII as that, one width."""
    return unicodedata.normalize("NFKC", text).translate(TABLE)


def lookalikes(text: str) -> Iterator[tuple[int, int]]:
    """Give the place of every word whose letters are not what they look like.

    A word of two alphabets, one wholly of letters that look like ASCII in a text that
    has no other word of its alphabet, letters of mathematics, and small letters of
    double width, which no typesetting asks for.
    """
    if not has_others(text):
        return
    written = _alphabets(text)
    for found in _WORD.finditer(text):
        word = found[0]
        if not word.isascii() and _deceives(word, written):
            yield found.span()
    for pattern in (_STYLED, _MIXED_WIDTH):
        yield from (found.span() for found in pattern.finditer(text))


def _deceives(word: str, written: set[str]) -> bool:
    own = _alphabet_of(word)
    if len(own) > 1:
        return True
    copied = all(ord(char) in TABLE for char in word)
    return copied and len(word) >= _LEAST and not own & written


def _alphabets(text: str) -> set[str]:
    """Give the alphabets in which a text really writes: with letters of their own."""
    found: set[str] = set()
    for word in _WORD.finditer(text):
        if not word[0].isascii() and any(ord(char) not in TABLE for char in word[0]):
            own = _alphabet_of(word[0])
            found |= own if len(own) == 1 else set()
    return found


def _alphabet_of(word: str) -> set[str]:
    names = {unicodedata.name(char, "").split(" ")[0] for char in word}
    return names & set(_ALPHABETS)
