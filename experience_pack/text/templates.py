"""Our `{name}` substitution: no attributes, no indexing, no code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from experience_pack.errors import RefusedError

MAX_WIDTH = 40  # columns; a wider figure is an attack, not a layout
MAX_PLACES = 12  # decimal places; floats hold no more that mean anything
MAX_NUMBER = 10**100  # beyond any amount, small enough to write at once
MAX_RESULT = 1_000_000  # characters; an answer that nobody would read

_DATE_PARTS = {
    "Y": lambda day: f"{day.year:04}",
    "m": lambda day: f"{day.month:02}",
    "d": lambda day: f"{day.day:02}",
    "H": lambda day: f"{getattr(day, 'hour', 0):02}",
    "M": lambda day: f"{getattr(day, 'minute', 0):02}",
    "S": lambda day: f"{getattr(day, 'second', 0):02}",
}


class TemplateError(RefusedError):
    """A template cannot be filled; `missing` holds every name without a value."""

    hint = (
        "Write {name}, {amount:,.2f}, {share:.1%} or {day:%Y-%m-%d}; "
        "write {{ and }} for braces."
    )

    def __init__(self, message: str, *, missing: tuple[str, ...] = ()) -> None:
        self.missing = missing
        super().__init__(message)


def escaped(text: str) -> str:
    """Give a text as a template that says just that."""
    return text.replace("{", "{{").replace("}", "}}")


def fill_template(text: str, values: Mapping[str, Any]) -> str:
    """Give the text with each `{name}` or `{name:format}` replaced by its value.

    Numbers take `[0][width][,][.places][f|d|%]`, dates and ISO date texts take
    `%Y %m %d %H %M %S` between other characters. A value is never read again
    for braces. `TemplateError` names all missing values at once.
    """
    pieces = list(_pieces(text))
    names = dict.fromkeys(name for _, name, _ in pieces if name)
    missing = tuple(name for name in names if values.get(name) is None)
    if missing:
        raise TemplateError(f"no value for {', '.join(missing)}", missing=missing)
    filled = "".join(
        literal + (_formatted(name, values[name], form) if name else "")
        for literal, name, form in pieces
    )
    if len(filled) > MAX_RESULT:
        raise TemplateError(f"the result is longer than {MAX_RESULT} characters")
    return filled


def placeholders(text: str) -> tuple[str, ...]:
    """Give the names that a template wants, in order, each once."""
    return tuple(dict.fromkeys(name for _, name, _ in _pieces(text) if name))


def _pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """Cut a template into (literal, name, format); the last has no name."""
    literal, at = "", 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            literal, at = literal + char, at + 2
        elif char == "{":
            end = text.find("}", at)
            if end < 0:
                raise TemplateError(f"the {{ at character {at + 1} is never closed")
            yield literal, *_placeholder(text[at + 1 : end])
            literal, at = "", end + 1
        elif char == "}":
            raise TemplateError(f"the }} at character {at + 1} closes nothing")
        else:
            end = min(_next(text, "{", at), _next(text, "}", at))
            literal, at = literal + text[at:end], end
    yield literal, "", ""


def _next(text: str, brace: str, start: int) -> int:
    found = text.find(brace, start)
    return len(text) if found < 0 else found


def _placeholder(inside: str) -> tuple[str, str]:
    name, _, form = inside.partition(":")
    if not name.strip().isidentifier():
        raise TemplateError(f"{{{inside}}} is not a name in braces")
    return name.strip(), form


def _formatted(name: str, value: Any, form: str) -> str:
    if "%" in form[:-1]:
        return _formatted_date(name, value, form)
    if not form and type(value) in (str, bool, date, datetime):
        return str(value)
    if type(value) not in (int, float, Decimal):
        raise TemplateError(f"{name} is of type {type(value).__name__}, not a number")
    if not -MAX_NUMBER < value < MAX_NUMBER:
        raise TemplateError(f"{name} is not a number of reasonable size")
    if not _is_number_form(form, whole=type(value) is int):
        raise TemplateError(f"{name}: {form!r} is not a number format")
    return format(value, form)


def _is_number_form(form: str, *, whole: bool) -> bool:
    """Tell whether a format is `[0][width][,][.places][f|d|%]`, within bounds."""
    kind = form[-1:] if form.endswith(("f", "d", "%")) else ""
    front, point, places = form.removesuffix(kind).partition(".")
    if kind == "d" and (point or not whole):
        return False
    if point and not (places and kind):
        return False
    return _bounded(front.removesuffix(","), MAX_WIDTH) and _bounded(places, MAX_PLACES)


def _bounded(digits: str, most: int) -> bool:
    if not digits:
        return True
    return digits.isascii() and digits.isdigit() and int(digits[:4]) <= most


def _formatted_date(name: str, value: Any, form: str) -> str:
    day = _date(name, value)
    if len(form) > MAX_WIDTH:
        raise TemplateError(
            f"{name}: a date format of more than {MAX_WIDTH} characters"
        )
    literal, *parts = form.split("%")
    for part in parts:
        write = _DATE_PARTS.get(part[:1])
        if write is None:
            raise TemplateError(f"{name}: %{part[:1]} is not a part of a date")
        literal += write(day) + part[1:]
    return literal


def _date(name: str, value: Any) -> date:
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise TemplateError(f"{name} is not a date") from None
