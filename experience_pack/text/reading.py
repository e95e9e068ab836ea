"""One text as the guards see it: facts, words, their roles, and what is quoted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple
from unicodedata import normalize

from experience_pack.text import guard_words as words
from experience_pack.text import synonym_words as synonyms
from experience_pack.text.lexicon import ENGLISH_FUNCTION_WORDS
from experience_pack.text.quantities import dates, identifiers, numbers
from experience_pack.text.tokens import cut, is_ideographic, runs

QUOTE_LENGTH = 200  # characters; a longer quotation is a document of its own

_QUOTES = {ord(mark): '"' for mark in "“”„«»「」『』《》`"} | {ord("’"): "'"}
_QUOTED = re.compile(
    rf"\"([^\"]{{1,{QUOTE_LENGTH}}})\"|(?<!\w)'([^']{{2,{QUOTE_LENGTH}}})'(?!\w)"
)
_ENGLISH = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")

_ENGLISH_ROLES = {
    "to": "to", "into": "to", "onto": "to", "towards": "to", "from": "from",
    "with": "with", "by": "by", "over": "over", "for": "for", "before": "before",
    "after": "after", "than": "than", "of": "of", "in": "in", "on": "in", "at": "in",
    "under": "under", "via": "via", "through": "via", "instead": "instead",
    "against": "against", "above": "over", "below": "under", "as": "as",
}  # fmt: skip
_CHINESE_ROLES = {
    "把": "object", "将": "object", "给": "to", "到": "to", "至": "to", "向": "to",
    "往": "to", "入": "to", "从": "from", "由": "from", "自": "from", "用": "with",
    "以": "with", "比": "than", "被": "by", "为": "as", "成": "as", "让": "by",
    "在": "in", "对": "to", "替": "for", "跟": "with",
}  # fmt: skip
_BEFORE_NOUNS = frozenset(["verb", "the", "a", "an", "my", "our", *_ENGLISH_ROLES]) - {
    "to"
}


class Word(NamedTuple):
    """A content word and the part it plays."""

    text: str
    role: str


class Reading:
    """A text with what the guards look at, each worked out when first asked."""

    def __init__(self, text: str) -> None:
        self.text = normalize("NFKC", text).translate(_QUOTES)
        self.lower = self.text.lower().strip()

    @cached_property
    def _named(self) -> tuple[set[str], str]:
        return identifiers(self.text)

    @property
    def identifiers(self) -> set[str]:
        """Flags, paths, addresses and code names."""
        return self._named[0]

    @cached_property
    def _dated(self) -> tuple[set[str], str]:
        return dates(self._named[1].lower())

    @property
    def dates(self) -> set[str]:
        """Dates, times and periods."""
        return self._dated[0]

    @cached_property
    def numbers(self) -> dict[str, str]:
        """Numbers with their units."""
        return numbers(self._dated[1])[0]

    @cached_property
    def names(self) -> set[str]:
        """Capitalised words, but for the first of each sentence."""
        found = re.findall(r"(?<=[a-z,;:]\s)[A-Z][a-z]+\b", self.text)
        left = set(_ENGLISH.findall(self._dated[1]))
        return {name.lower() for name in found} & left

    @cached_property
    def content(self) -> list[str]:
        """Content words in order, without numbers, dates, names and courtesies."""
        text = self._dated[1]
        for table in (words.NOT_HYPOTHETICAL, words.NOT_NEGATIVE, words.COURTESIES):
            text = phrases(table).sub(" ", text)
        return content_words(numbers(text)[1])

    @cached_property
    def stems(self) -> Counter[str]:
        """Every English word by its stem, with its number of times."""
        return Counter(map(stem_of, _ENGLISH.findall(self.lower)))

    def spelled(self, stem: str) -> str:
        """Give the word of this text that has the stem, or else the stem itself."""
        written = (word for word in _ENGLISH.findall(self.lower))
        return next((word for word in written if stem_of(word) == stem), stem)

    @cached_property
    def quoted(self) -> str:
        """What stands in quotation marks."""
        found = _QUOTED.findall(self.text)
        return " ".join(double or single for double, single in found)

    @cached_property
    def spoken(self) -> str:
        """What stands outside of quotation marks, in small letters."""
        return _QUOTED.sub(" ", self.text).lower()

    @cached_property
    def verbs(self) -> set[str]:
        """Verbs of the tables, or else the first content word."""
        content = list(_content(self.lower))
        return {word for word, verb in content if verb} or {
            word for word, _ in content[:1]
        }

    @cached_property
    def frame(self) -> list[Word]:
        """Content words in order, each with its role."""
        return list(_frame(self.text))


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Give for each word all its opposites, English ones by stem."""
    found: dict[str, set[str]] = {}
    for row in words.OPPOSITES:
        for side, other in (row, row[::-1]):
            for word in side:
                found.setdefault(key_of(word), set()).update(map(key_of, other))
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _chinese_words() -> re.Pattern[str]:
    known = sorted((w for w in opposites() if not w.isascii()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)))


def turning_parts(text: str) -> Counter[str]:
    """Count the words that have an opposite, the longest at each place."""
    return Counter(_chinese_words().findall(text))


def key_of(word: str) -> str:
    """Give the form in which a word is compared: its stem, if it is English."""
    return stem_of(word) if word.isascii() else word


@lru_cache(maxsize=4096)
def stem_of(word: str) -> str:
    """Take the ending off an English word, so that adding and add are one."""
    for ending, least in (("'s", 3), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=16)
def phrases(table: str) -> re.Pattern[str]:
    """Compile a table: English phrases as whole words, Chinese ones anywhere."""
    chinese: list[str] = []
    english: list[str] = []
    for phrase in re.split(r"\|(?![^(]*\))", table):
        (chinese if any(map(is_ideographic, phrase)) else english).append(phrase)
    words_only = rf"(?<![\w'])(?:{'|'.join(english)})(?!\w)"
    return re.compile("|".join([words_only, *chinese]))


def marks(text: str, table: str, harmless: str) -> list[str]:
    """Give the phrases of a table in a small-letter text, without the harmless."""
    text = re.sub(r"n't\b", " not", phrases(harmless).sub(" ", text)).strip()
    return phrases(table).findall(text)


def content_words(text: str) -> list[str]:
    """Give the words that carry meaning, English ones by their stem."""
    return [word for word, _ in _content(text)]


def _content(text: str) -> Iterator[tuple[str, bool]]:
    """Give content words of both languages, English ones by stem, verbs marked."""
    for ideographic, run in runs(text):
        if ideographic:
            yield from (
                (w, kind == "verb") for w, kind in cut(run) if kind != "function"
            )
        else:
            for word in _ENGLISH.findall(run.lower()):
                if word not in ENGLISH_FUNCTION_WORDS and word not in _ENGLISH_ROLES:
                    yield stem_of(word), stem_of(word) in _verb_stems()


@lru_cache(maxsize=1)
def _verb_stems() -> frozenset[str]:
    return frozenset(map(stem_of, synonyms.ENGLISH_VERBS))


def _frame(text: str) -> Iterator[Word]:
    """Give content words with the role that the word before them sets."""
    role = "subject"
    for ideographic, run in runs(text):
        for word, kind in cut(run) if ideographic else _english_pieces(run):
            if kind == "verb":
                role = _CHINESE_ROLES.get(word[-1], "") if len(word) > 1 else ""
                yield Word(word, "verb")
            elif word in _CHINESE_ROLES or word in _ENGLISH_ROLES:
                role = _CHINESE_ROLES.get(word) or _ENGLISH_ROLES[word]
            elif kind == "":
                yield Word(word, role)


def _english_pieces(run: str) -> Iterator[tuple[str, str]]:
    """Give words with their kinds; a verb's name after a verb or `the` is none."""
    before = ""
    for word in re.findall(r"[\w$@#~./\\:+=%*'-]*[\w*]", run):
        small = word.lower().removesuffix("'s")
        kind = "verb" if stem_of(small) in _verb_stems() else ""
        label = len(word) == 1 and word.isupper() and word != "I" and before
        if small in ENGLISH_FUNCTION_WORDS and not label:
            kind = "function"
        elif before in _BEFORE_NOUNS:
            kind = ""
        before = kind if kind == "verb" else small
        yield small, kind
