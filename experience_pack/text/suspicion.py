"""What in a text a reviewer should look at twice. It informs; it is no defence.

The rules are a table. Every pattern runs in linear time: no nested repetition.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

EXCERPT = 60
"""Characters of the text that a flag shows."""


class Flag(NamedTuple):
    """One thing that was found in a text."""

    rule: str
    excerpt: str
    """The passage; what cannot be seen is written out."""


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


RULES: Sequence[tuple[str, re.Pattern[str], str]] = (
    (
        "hidden",
        re.compile(
            "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
            "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
        ),
        "characters that cannot be seen, or turn the direction of reading",
    ),
    (
        "injection",
        _pattern(
            r"\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my )?"
            r"(?:of )?(?:the |your )?(?:previous|prior|above|earlier|preceding|former)",
            r"\b(?:ignore|disregard) (?:all|any|your) "
            r"(?:instructions|rules|guidelines)",
            r"\byou are (?:now|no longer) ",
            r"\b(?:system|developer) (?:prompt|message)\b",
            r"\bdo not (?:tell|inform|mention|ask|alert|warn) (?:to |this to )?"
            r"(?:the )?(?:user|human|person|anyone)",
            r"\bwithout (?:asking|telling|informing) (?:the )?(?:user|human|anyone)",
            r"</?(?:system|assistant|instructions?)>|\[/?INST\]|<\|im_start\|>",
            "(?:忽略|无视|忘记|忘掉|不要理会)(?:之前|以前|先前|以上|前面|上面|所有|你)",
            "(?:不要|别|切勿|无需|不必)(?:告诉|告知|提醒|通知|询问|征求)(?:用户|使用者|对方|任何人)",
            "你(?:现在|从现在起)(?:是|扮演)|系统提示词|开发者模式",
        ),
        "words that speak to a model rather than to a reader",
    ),
    (
        "secret",
        re.compile(
            r"\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bsk-[A-Za-z0-9_-]{20}"
            r"|\bxox[abprs]-[A-Za-z0-9-]{10}|\bglpat-[A-Za-z0-9_-]{20}"
            r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----"
            r"|\beyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{10,200}\."
            r"|://[^\s/:@]{1,64}:[^\s/:@]{1,64}@"
        ),
        "what looks like a key, a token or a password",
    ),
    (
        "command",
        _pattern(
            r"\brm +-[a-z]{0,6}[rf]",
            r"\b(?:curl|wget|iwr)\b[^|\n]{0,200}\| *(?:sudo +)?(?:ba|z|k)?sh\b",
            r"\bbase64 +(?:-d|--decode)",
            r"\bpowershell\b[^\n]{0,80} -e(?:nc|ncodedcommand)?\b",
            r"\b(?:sudo|doas|runas) ",
            r"\bchmod +(?:-R +)?[0-7]?777\b|\bmkfs\.|\bdd +if=",
            r"\bgit +push +(?:-f|--force)\b|\bdrop +table\b",
        ),
        "a command that destroys, escalates, or runs what it fetched",
    ),
    (
        "link",
        re.compile(r"\bhttps?://[^\s<>\"')\]]{1,200}|\bjavascript:|\bdata:text/html"),
        "an address outside",
    ),
    (
        "project-bound",
        re.compile(
            r"/(?:home|Users)/[^\s/:]{1,64}|\b[A-Z]:\\Users\\[^\s\\]{1,64}"
            r"|~/\.(?:ssh|aws|gnupg|config)\b"
        ),
        "a place on one person's machine",
    ),
)
"""Name, pattern and meaning of every rule, in the order in which flags are shown."""

MEANINGS = {name: meaning for name, _, meaning in RULES} | {
    "lookalike": "a word of letters from two alphabets that look alike"
}

_WORD = re.compile(r"[^\W\d_]{2,40}")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


def flags_of(text: str) -> Iterator[Flag]:
    """Give what a reviewer should look at, rule by rule."""
    for name, pattern, _ in RULES:
        for found in pattern.finditer(text):
            yield Flag(name, _excerpt(text, found.start(), found.end()))
    if not text.isascii():
        for found in _WORD.finditer(text):
            if len(_alphabets(found[0])) > 1:
                yield Flag("lookalike", _excerpt(text, found.start(), found.end()))


def visible(text: str) -> str:
    """Write out every character that cannot be seen; tag characters as their text."""
    return "".join(map(_shown, text))


def _excerpt(text: str, start: int, end: int) -> str:
    around = text[max(0, start - 20) : min(end, start + EXCERPT) + 10]
    return visible(" ".join(around.split()))


def _shown(char: str) -> str:
    code = ord(char)
    if 0xE0020 <= code <= 0xE007E:
        return f"⟨{chr(code - 0xE0000)}⟩"
    if char == " " or unicodedata.category(char)[0] not in "CZ":
        return char
    return f"⟨U+{code:04X}⟩"


def _alphabets(word: str) -> set[str]:
    if word.isascii():
        return set()
    names = {unicodedata.name(char, "").split(" ")[0] for char in word}
    return names & set(_ALPHABETS)
