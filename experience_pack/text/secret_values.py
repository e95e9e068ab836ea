"""Whether a value is a secret or stands for one: tests of what a pattern matched."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

_STANDS_FOR = (
    "example",
    "your",
    "placeholder",
    "change_me",
    "changeme",
    "change-me",
    "replace",
    "redacted",
    "dummy",
    "sample",
    "insert",
    "xxxx",
    "***",
    "...",
    "000000",
    "111111",
    "a1b2c3d4e5f6g7",
    "abcdefg1",
    "fake",
    "undefined",
    "process.",
    "environ",
    "getenv",
    "secrets.",
    "vars.",
    "env.",
    "env[",
    "config.",
    "settings.",
    "self.",
    "this.",
    "${",
    "$(",
    "{{",
    "%(",
    "####",
)
"""Words of texts that show where a secret would stand, and of code that reads one."""

_NAMED_BY_MARKS = re.compile(r"<[\w ./-]{1,60}>|%[A-Z_]{2,40}%")
_VARIABLE = re.compile(r"[$<%*\[]|\{\{|\{[A-Za-z_]+\}")
_TIMES = re.compile(r"(.)\1{5}")
_PLAIN = frozenset(
    {
        "password",
        "passwd",
        "username",
        "user",
        "pass",
        "secret",
        "token",
        "string",
        "str",
        "none",
        "null",
        "true",
        "false",
        "test",
        "testing",
        "admin",
        "root",
        "guest",
        "login",
        "required",
        "optional",
        "default",
        "hidden",
        "unknown",
        "empty",
        "value",
        "bytes",
        "int",
        "bool",
        "any",
        "object",
        "undefined",
        "credentials",
    }
)
_IDENTIFIER = re.compile(r"[A-Za-z_][a-z_]*(?:[.\-][A-Za-z_][\w]*){0,8}\Z")
_CALL = re.compile(r"[\w.]{1,80}[(\[]")
_LINK = re.compile(r"(?i:https?://|/[a-z]|\./|~/|[a-z]:\\)")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4}){1,3}\Z|\d{4}-\d\d-\d\d")
_RESERVED = re.compile(
    r"(?i:(?:\.|@)(?:example|test|invalid|localhost)(?:\.(?:com|org|net|cn))?\Z"
    r"|@(?:users\.)?noreply\.|\Anoreply@|\Ano-reply@|\Agit@|\A(?:user|you|name)@)"
)
_LEAST_PEM = 80
"""Characters of the first line and of the shortest key, of 32 bytes."""

_LEAST_BITS = 3.0
"""Bits a character of what is random; English words have fewer at such lengths."""

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
"""GB 11643-1999: of the first 17 digits of a resident identity number."""


def filled(value: str) -> bool:
    """Tell whether a value is one: nothing that only stands for it."""
    return not (
        value.lower() in _PLAIN
        or _stands_for(value)
        or _TIMES.search(value)
        or len({*value}) < min(4, len(value))
    )


def dense(value: str) -> bool:
    """Tell whether the characters of a value are drawn at random, as far as seen."""
    return filled(value) and _bits(value) >= _LEAST_BITS


def mixed(value: str) -> bool:
    """Tell whether a value is dense and has digits, as names of functions have not."""
    return dense(value) and sum(one.isdigit() for one in value) > 1


def block(value: str) -> bool:
    """Tell whether a value is as long as a key, whatever is in it."""
    return len(value) >= 100 or (len(value) >= 30 and "-----" not in value)


def pem(value: str) -> bool:
    """Tell whether a block is begun without an end, or has a key before its end."""
    body, end, _ = value.partition("-----END")
    return "..." not in value and (not end or len(body) >= _LEAST_PEM)


def credential(value: str) -> bool:
    """Tell whether what follows `Authorization:` and its scheme is a credential."""
    return (
        filled(value)
        and not _is_code(value)
        and (_has_digit(value) or value.endswith("=") or _bits(value) >= _LEAST_BITS)
    )


def any_password(value: str) -> bool:
    """Tell whether a value in the place of a password is one."""
    return not (_VARIABLE.match(value) or _stands_for(value) or len({*value}) < 2)


def quoted_password(value: str) -> bool:
    """Tell whether what is assigned to a password is one: it has a digit."""
    return (
        any_password(value)
        and value.lower() not in _PLAIN
        and _has_digit(value)
        and not _is_code(value)
    )


def prose_password(value: str) -> bool:
    """Tell whether a word after "the password is" is one: letters and digits."""
    return quoted_password(value) and any(one.isalpha() for one in value)


def named_value(value: str) -> bool:
    """Tell whether what is assigned to a token or secret is one."""
    return (
        filled(value)
        and _has_digit(value)
        and any(one.isalpha() for one in value)
        and not _is_code(value)
    ) or (filled(value) and value.endswith("=") and dense(value))


def named_key(value: str) -> bool:
    """Tell whether what is assigned to some key is a secret: random, no words."""
    return (
        named_value(value)
        and _bits(value) >= _LEAST_BITS
        and not re.search(r"[_./: ][A-Za-z]{3}|[a-z]{6}", value)
    )


def user_and_password(value: str) -> bool:
    """Tell whether `user:password` names somebody real."""
    bare = value.replace('"', "").replace("'", "")
    user, _, password = bare.partition(":")
    said = password or user
    return (
        bool(said)
        and any_password(said)
        and said.lower() not in _PLAIN
        and user.lower() != password.lower()
        and not user.startswith(("$", "<", "{{", "%"))
        and "//" not in bare
    )


def mail(value: str) -> bool:
    """Tell whether an address is somebody's: of no reserved domain (RFC 2606)."""
    return not _RESERVED.search(value) and not value[-1].isdigit()


def phone(value: str) -> bool:
    """Tell whether digits are as many as E.164 has, and not all alike."""
    digits = [one for one in value if one.isdigit()]
    return 9 <= len(digits) <= 15 and len({*digits}) > 2


def chinese_id(value: str) -> bool:
    """Tell whether the check character of a resident identity number is right."""
    total = sum(int(one) * by for one, by in zip(value, _WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == value[-1].upper()


def _stands_for(value: str) -> bool:
    lowered = value.lower()
    return any(one in lowered for one in _STANDS_FOR) or bool(
        _NAMED_BY_MARKS.search(value)
    )


def _has_digit(value: str) -> bool:
    return any("0" <= one <= "9" for one in value)


def _is_code(value: str) -> bool:
    return bool(
        _CALL.match(value)
        or _LINK.match(value)
        or _VERSION.match(value)
        or _IDENTIFIER.match(value)
    )


def _bits(value: str) -> float:
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values())
