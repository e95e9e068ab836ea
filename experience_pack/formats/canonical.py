"""Canonical JSON (RFC 8785) and the digests over it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping

from experience_pack.errors import FormatError
from experience_pack.model import Json

_LARGEST_EXACT = 2**53 - 1
_PIECE = 500  # keys; a piece is small beside what makes it

# Where Python's sorted output may differ from RFC 8785: any float, an integer too
# long to be a double; and a character whose UTF-16 order is not its code point order.
# One pattern for each character before a number: a literal start searches 8 x faster.
_NUMBER = r"-?(?:\d+[.e]|\d{16})"
_NEEDS_CARE = tuple(
    re.compile(pattern).search
    for pattern in (
        ":" + _NUMBER,
        "," + _NUMBER,
        r"\[" + _NUMBER,
        r"\A" + _NUMBER,
    )
)


def canonical(value: Json) -> str:
    """Give the RFC 8785 text of a JSON value.

    Numbers without a double form, NaN and lone surrogates are a `FormatError`.
    """
    try:
        text = _encode(value)
        if _beyond_bmp(text) or any(needs_care(text) for needs_care in _NEEDS_CARE):
            text = _careful(value)
    except (ValueError, RecursionError) as error:
        raise FormatError("canonical JSON", [("", str(error))]) from error
    return text


def canonical_parts(value: Mapping[str, Json]) -> Iterator[str]:
    """Give the canonical text of a large mapping in pieces, a few hundred keys each."""
    plain = all(map(str.isascii, value))
    ordered = sorted(value, key=None if plain else _utf16_units)
    for at in range(0, len(ordered), _PIECE):
        piece = canonical({key: value[key] for key in ordered[at : at + _PIECE]})
        yield ("," if at else "{") + piece[1:-1]
    yield "}" if ordered else "{}"


def _beyond_bmp(text: str) -> bool:
    """Tell whether a character needs two units of UTF-16; faster than a search."""
    return len(text.encode("utf-16-le", "surrogatepass")) != 2 * len(text)


def digest(value: Json) -> str:
    """Give the SHA-256 of the canonical text, in hexadecimal."""
    return text_digest(canonical(value))


def text_digest(text: str) -> str:
    """Give the SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError as error:
        fault = "half of a surrogate pair stands alone"
        raise FormatError("canonical JSON", [("", fault)]) from error


_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
_string = json.JSONEncoder(ensure_ascii=False).encode


def _careful(value: Json) -> str:
    if isinstance(value, dict):
        keys = sorted(value, key=_utf16_units)
        inner = ",".join(f"{_string(key)}:{_careful(value[key])}" for key in keys)
        return "{" + inner + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_careful, value)) + "]"
    if isinstance(value, float):
        return _double(value)
    if isinstance(value, int) and abs(value) > _LARGEST_EXACT:
        return _large(value)
    return _encode(value)


def _large(value: int) -> str:
    """Write a whole number that only some doubles have."""
    try:
        text = _double(float(value))
    except OverflowError:
        text = ""
    if text != str(value) and (not text or int(float(value)) != value):
        raise ValueError("a whole number of this size has no double form")
    return text


def _utf16_units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _double(value: float) -> str:
    """Write a double as ECMAScript does (RFC 8785 §3.2.2.3)."""
    if math.isnan(value) or value in (float("inf"), float("-inf")):
        raise ValueError("NaN and Infinity are no JSON numbers")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    return sign + _place(digits, point)


def _place(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
