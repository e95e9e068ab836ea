"""Characters that cannot be seen: where they hide something, and what that says.

Where such characters do their ordinary work (the flag of Wales, a family emoji, Persian
and Indic joiners, marks beside Hebrew and Arabic letters, one variant of one character)
they are not hidden text. Each of these is a row of `HARMLESS`, as narrow as it can be:
a wide exception would be the next place to hide in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

_RUN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)

_FLAG = "\U0001f3f4"
_FLAGS = ("gbeng", "gbsct", "gbwls")  # England, Scotland, Wales: all that Unicode has
_JOINERS = ("\u200d", "\ufe0f\u200d")
_JOINING_SCRIPTS = (
    "ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "KANNADA", "MALAYALAM", "ORIYA",
    "SINHALA", "SYRIAC", "TAMIL", "TELUGU",
)  # fmt: skip
_MARKS = ("\u061c", "\u200e", "\u200f")

_ZERO, _ONE = "\u200b", "\u200c"
_LEAST_BITS = 16  # two letters; fewer are noise


class Hidden(NamedTuple):
    """A run of characters that cannot be seen."""

    start: int
    end: int


def hidden_runs(text: str) -> Iterator[Hidden]:
    """Give every run that hides something, in order."""
    for found in _RUN.finditer(text):
        before = text[found.start() - 1 : found.start()]
        after = text[found.end() : found.end() + 1]
        if not any(holds(found[0], before, after) for holds in HARMLESS):
            yield Hidden(found.start(), found.end())


def visible(text: str) -> str:
    """Write out what cannot be seen: hidden letters as letters, the rest by name."""
    parts = []
    last = 0
    for found in re.finditer(f"{_RUN.pattern}|[^\\S ]|[\x00-\x1f\x7f-\x9f]", text):
        parts += [text[last : found.start()], f"⟨{said(found[0])}⟩"]
        last = found.end()
    return "".join([*parts, text[last:]])


def has_hidden(text: str) -> bool:
    """Tell whether a text has any character that cannot be seen."""
    return _RUN.search(text) is not None


def plain(text: str) -> str:
    """Give a text without the characters that cannot be seen."""
    return _RUN.sub("", text)


def said(run: str) -> str:
    """Give what a run says: letters of tags and variation selectors, bits, or names."""
    for decode in (_tags, _selectors, _bits):
        if decoded := decode(run):
            return decoded
    names = (unicodedata.name(char, "").lower() or code_of(char) for char in run[:4])
    more = f" and {len(run) - 4} more" if len(run) > 4 else ""
    return ", ".join(names) + more


def code_of(char: str) -> str:
    """Give a character's number as Unicode writes it."""
    return f"U+{ord(char):04X}"


def hidden_bits(text: str) -> str:
    """Give what zero-width characters scattered over a text say together, if letters.

    Two of them are a code: one is 0, the other 1, eight make a letter.
    """
    if text.count(_ZERO) + text.count(_ONE) < _LEAST_BITS:
        return ""
    return _bits("".join(char for char in text if char in (_ZERO, _ONE)))


def _is_flag(run: str, before: str, _: str) -> bool:
    return before == _FLAG and run.endswith("\U000e007f") and _tags(run) in _FLAGS


def _joins_emoji(run: str, before: str, after: str) -> bool:
    parts = _is_symbol(before) and _is_symbol(after)
    return run in _JOINERS and parts


def _joins_letters(run: str, before: str, _: str) -> bool:
    name = unicodedata.name(before, "") if before else ""
    return run in ("\u200c", "\u200d") and name.startswith(_JOINING_SCRIPTS)


def _presents(run: str, before: str, _: str) -> bool:
    """Tell the one selector that says whether a symbol is text or picture."""
    keys = before in "#*0123456789" if before else False
    return run in ("\ufe0e", "\ufe0f") and (keys or _is_symbol(before))


def _varies(run: str, before: str, _: str) -> bool:
    """Tell the one selector that picks a form of a Chinese character."""
    of_kind = "\ufe00" <= run[0] <= "\ufe02" or "\U000e0100" <= run[0] <= "\U000e01ef"
    name = unicodedata.name(before, "") if before else ""
    return len(run) == 1 and of_kind and name.startswith("CJK")


def _marks_direction(run: str, before: str, after: str) -> bool:
    beside = any(
        unicodedata.bidirectional(char) in ("R", "AL") for char in before + after
    )
    return run in _MARKS and beside


def _opens(run: str, before: str, after: str) -> bool:
    return run == "\ufeff" and not before and bool(after)


HARMLESS: tuple[Callable[[str, str, str], bool], ...] = (
    _is_flag,
    _joins_emoji,
    _joins_letters,
    _presents,
    _varies,
    _marks_direction,
    _opens,
)
"""Tests of a run, the character before and the one after: ordinary work."""


def _is_symbol(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in ("So", "Sk")


def _tags(run: str) -> str:
    """Decode tag characters, which repeat ASCII where nobody sees it."""
    codes = [ord(char) - 0xE0000 for char in run]
    letters = "".join(chr(code) for code in codes if 0x20 <= code < 0x7F)
    return letters if all(0 <= code <= 0x7F for code in codes) else ""


def _selectors(run: str) -> str:
    """Decode variation selectors: 256 of them are the bytes of a text."""
    found = bytearray()
    for char in run:
        code = ord(char)
        if 0xFE00 <= code <= 0xFE0F:
            found.append(code - 0xFE00)
        elif 0xE0100 <= code <= 0xE01EF:
            found.append(code - 0xE0100 + 16)
        else:
            return ""
    return _printable(bytes(found)) if len(found) > 1 else ""


def _bits(run: str) -> str:
    kept = run.strip("\u200d\u2060\ufeff")
    if len(kept) < _LEAST_BITS or set(kept) - {_ZERO, _ONE}:
        return ""
    for one in (_ONE, _ZERO):
        digits = "".join("1" if char == one else "0" for char in kept)
        whole = digits[: len(digits) // 8 * 8]
        data = bytes(int(whole[at : at + 8], 2) for at in range(0, len(whole), 8))
        if decoded := _printable(data):
            return decoded
    return ""


def _printable(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""
