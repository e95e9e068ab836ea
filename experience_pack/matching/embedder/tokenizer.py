"""Cut a text into the pieces that the model was trained on (XLM-R, unigram).

The cut is the one of highest probability (Viterbi over the sum of log-probabilities,
Kudo 2018, arXiv 1804.10959), word by word, as SentencePiece makes it.
"""

from __future__ import annotations

from unicodedata import normalize

from experience_pack.matching.embedder.weights import Pieces

BLANK = "\u2581"
"""How a piece writes the blank before a word."""

UNKNOWN_PENALTY = 10.0
"""What an unknown character costs beyond the least likely piece (SentencePiece)."""


class Tokenizer:
    """Turns texts into numbers of pieces."""

    def __init__(self, pieces: Pieces) -> None:
        self._numbers = {
            text: number
            for number, text in enumerate(pieces.texts)
            if number not in pieces.special
        }
        self._scores = pieces.scores
        self._longest = max(map(len, self._numbers))
        self._least = min(pieces.scores) - UNKNOWN_PENALTY
        self._forms = pieces.forms
        self._begin, self._end = pieces.begin, pieces.end
        self._unknown = pieces.unknown

    def numbers(self, text: str, limit: int) -> list[int]:
        """Give at most `limit` numbers, begin and end marks included."""
        found = [self._begin]
        for word in self._words(text):
            if len(found) >= limit:
                break
            found += self._cut(word)
        return [*found[: limit - 1], self._end]

    def _words(self, text: str) -> list[str]:
        plain = normalize("NFC", text).translate(self._forms)
        return [BLANK + word for word in plain.split(" ") if word]

    def _cut(self, word: str) -> list[int]:
        """Give the likeliest pieces of a word."""
        size = len(word)
        best = [0.0] + [float("-inf")] * size
        ends: list[tuple[int, int]] = [(0, self._unknown)] * (size + 1)
        number_of, scores = self._numbers.get, self._scores
        for start in range(size):
            before = best[start]
            for stop in range(start + 1, min(size, start + self._longest) + 1):
                number = number_of(word[start:stop])
                if number is not None and before + scores[number] > best[stop]:
                    best[stop] = before + scores[number]
                    ends[stop] = start, number
            if before + self._least > best[start + 1]:
                best[start + 1] = before + self._least
                ends[start + 1] = start, self._unknown
        return _backwards(ends, self._unknown)


def _backwards(ends: list[tuple[int, int]], unknown: int) -> list[int]:
    """Follow the ends back to the start; unknown characters in a row are one piece."""
    found: list[int] = []
    at = len(ends) - 1
    while at:
        at, number = ends[at]
        if number != unknown or found[-1:] != [unknown]:
            found.append(number)
    return found[::-1]
