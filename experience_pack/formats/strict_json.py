"""Read JSON as RFC 8259 has it: what Python lets through is refused here."""

from __future__ import annotations

import json
from typing import NoReturn

from experience_pack.errors import FormatError
from experience_pack.model.values import Json


def loads(data: bytes | str, subject: str) -> Json:
    """Parse one JSON text; anything doubtful is a `FormatError` about `subject`.

    Refused: text that is not UTF-8, `NaN` and `Infinity`, a key given twice,
    lone surrogates, numbers that have no exact or finite form, nesting deeper
    than the interpreter can hold, and a long text of almost nothing but brackets and
    commas, which takes many times its length in memory.
    """
    if len(data) > _LONG:
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        _refuse_bomb(raw, subject)
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value = _decoder.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        fault = "nested too deeply"
    except json.JSONDecodeError as error:
        fault = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except UnicodeDecodeError as error:
        fault = f"byte {error.start}: not UTF-8"
    except UnicodeEncodeError:
        fault = "half of a surrogate pair stands alone"
    except ValueError as error:
        fault = str(error)
    else:
        return value
    raise FormatError(subject, [("", f"not valid JSON: {fault}")])


_LONG = 500_000  # shorter texts cannot take much, whatever they hold


def _refuse_bomb(data: bytes, subject: str) -> None:
    # few texts are that long, and a hook waits for this module
    from experience_pack.formats.density import is_bomb

    if is_bomb(data):
        fault = "its values take many times the memory of its text"
        raise FormatError(subject, [("", f"not read: {fault}")])


def utf8(data: bytes, subject: str) -> str:
    """Give the text of bytes; what is not UTF-8 is a `FormatError` about `subject`."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(subject, [("", f"byte {error.start}: not UTF-8")]) from error


def read_back(text: bytes | str, subject: str) -> Json:
    """Parse what we wrote into a store ourselves: checked then, so quicker now.

    What is no JSON any more is a `FormatError` about `subject`.
    """
    try:
        return json.loads(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError):
        return loads(text, subject)


def _unique_pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} is given twice")
            seen.add(key)
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is out of range")
    return value


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique_pairs, parse_constant=_no_constant, parse_float=_finite
)
