"""Words of a text: search terms for the index, task words for people.

No regular expressions: a request pays for every import and compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from unicodedata import normalize

from experience_pack.text.lexicon import (
    CHINESE_FUNCTION_WORDS,
    CHINESE_KEPT,
    CHINESE_LEADING_VERBS,
    CHINESE_VERBS,
    ENGLISH_FUNCTION_WORDS,
    MOVING_ENDINGS,
)

KEYWORD_LIMIT = 12  # more than that describe a text, not a task

_JOINERS = "_-./\\:@#+~$"  # they hold identifiers, paths and flags together
_TRAILING = "-./\\:#~$"  # at the end they are punctuation (`c++`, `foo_` are not)
_IDEOGRAPHIC = (
    (0x3005, 0x3007),  # 々〆〇
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x20000, 0x3FFFF),  # Han, further planes
)
"""Scripts that are cut into pairs of characters, since they have no spaces."""


class _Table(dict[int, str]):
    """Characters by what `choose` makes of them, worked out once each."""

    def __init__(self, choose: Callable[[str], str]) -> None:
        self.choose = choose

    def __missing__(self, code: int) -> str:
        self[code] = found = self.choose(chr(code))
        return found


def is_ideographic(char: str) -> bool:
    """Tell whether a character belongs to a script without spaces."""
    code = ord(char)
    return any(first <= code <= last for first, last in _IDEOGRAPHIC)


def _in_word(char: str) -> str:
    kept = char in _JOINERS or (char.isalnum() and not is_ideographic(char))
    return char if kept else " "


_IDEOGRAPHS = _Table(lambda char: char if is_ideographic(char) else " ")
_WORDS = _Table(_in_word)
_PARTS = _Table(lambda char: " " if char in _JOINERS else char)


def search_terms(text: str) -> list[str]:
    """Give what index and queries compare, words before pairs, repeats included.

    Lower-cased words; an identifier, path or flag whole and in its parts; two
    neighbouring characters of scripts without spaces (a lone one stands alone).
    Full-width forms are folded (NFKC), traditional characters stay as they are,
    symbols and emoji are no terms.
    """
    if text.isascii():
        return _words(text)
    text = normalize("NFKC", text)
    terms = _words(text)
    for run in text.translate(_IDEOGRAPHS).split():
        terms += map(str.__add__, run, run[1:]) if len(run) > 1 else [run]
    return terms


def task_tokens(text: str) -> list[str]:
    """Give the words of a task, in order: 整理文档 gives 整理 and 文档.

    Function words are where a phrase breaks and are dropped, verbs stand apart
    from their objects; an object is not cut any further.
    """
    tokens: list[str] = []
    for ideographic, run in runs(normalize("NFKC", text)):
        if ideographic:
            tokens += _chinese_words(run)
        else:
            tokens += [
                word
                for word in map(str.lower, whole_words(run))
                if word not in ENGLISH_FUNCTION_WORDS
            ]
    return tokens


def derive_keywords(text: str) -> tuple[str, ...]:
    """Give at most twelve distinct task words, the ones that come first."""
    words = (word for word in task_tokens(text) if len(word) > 1)
    return tuple(dict.fromkeys(words))[:KEYWORD_LIMIT]


def whole_words(text: str) -> Iterator[str]:
    """Give words in their own case, with identifiers, paths and flags whole."""
    for word in text.translate(_WORDS).split():
        if kept := _trimmed(word):
            yield kept


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """Cut a text where its script changes: (without spaces?, run)."""
    start, current = 0, False
    for at, char in enumerate(text):
        kind = _IDEOGRAPHS[ord(char)] != " "
        if kind != current:
            if at > start:
                yield current, text[start:at]
            start, current = at, kind
    if start < len(text):
        yield current, text[start:]


def _words(text: str) -> list[str]:
    terms: list[str] = []
    for word in text.translate(_WORDS).split():
        if word.isalnum() and (word.islower() or word.istitle() or word.isdigit()):
            terms.append(word.lower())
        elif kept := _trimmed(word):
            terms += _whole_and_parts(kept)
    return terms


def _trimmed(word: str) -> str:
    """Drop what surrounds a word; nothing is left of bare punctuation."""
    word = word.rstrip(_TRAILING).lstrip(":+")
    return word if any(map(str.isalnum, word)) else ""


def _whole_and_parts(word: str) -> Iterable[str]:
    whole = word.lower()
    parts = [part.lower() for part in _humps(word.translate(_PARTS)).split()]
    return [whole, *parts] if parts != [whole] else parts


def _humps(word: str) -> str:
    """Put a blank before each capital that follows a small letter: getUser."""
    if word.islower() or word.isupper():
        return word
    return "".join(
        f" {char}" if char.isupper() and before.islower() else char
        for before, char in zip(" " + word, word, strict=False)
    )


_LEXICON = dict.fromkeys(CHINESE_KEPT, "kept")
_LEXICON |= dict.fromkeys(CHINESE_FUNCTION_WORDS, "function")
_LEXICON |= dict.fromkeys(CHINESE_VERBS, "verb")
_LEXICON |= dict.fromkeys(CHINESE_LEADING_VERBS - CHINESE_FUNCTION_WORDS, "leading")
_LONGEST = max(map(len, _LEXICON))


def _chinese_words(run: str) -> Iterator[str]:
    """Give words that carry meaning, a verb of moving without its ending."""
    for word, kind in cut(run):
        base = word[:-1] if word[-1] in MOVING_ENDINGS + "成" else ""
        if kind != "function":
            yield base if kind == "verb" and base in _LEXICON else word


def cut(run: str) -> Iterator[tuple[str, str]]:
    """Cut a run of Chinese into words with their kinds.

    A kind is `verb`, `function`, or empty for all else; the longest word of the
    tables that begins at a place is taken.
    """
    at = start = 0
    while at < len(run):
        word = _table_word(run, at)
        kind = _LEXICON.get(word, "kept")
        if kind == "leading":
            kind = "kept" if at > start else "verb"
        if kind != "kept":
            if at > start:
                yield run[start:at], ""
            yield word, kind
            start = at + len(word)
        at += len(word) or 1
    if start < len(run):
        yield run[start:], ""


def _table_word(run: str, at: int) -> str:
    for length in range(min(_LONGEST, len(run) - at), 0, -1):
        word = run[at : at + length]
        if word in _LEXICON:
            return word
    return ""
