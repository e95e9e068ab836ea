"""Read the body of a card, line by line, into the fields it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from experience_pack.formats.card_layout import (
    BRANCH_DETAILS,
    BY_HEADING,
    STEP_DETAILS,
    Section,
)
from experience_pack.model import Json

_BULLETS = ("- ", "* ", "+ ")
_NUMBER = re.compile(r"\d+[.)] +(.*\S)\s*$")
_DETAIL = re.compile(r"\s+[-*+] +(\w+): *(.*\S)\s*$")
_CASE = re.compile(r"[-*+] +if: *(.*\S)\s*$", re.IGNORECASE)


@dataclass(slots=True)
class Body:
    """The fields found, each with its line, and what could not be understood."""

    fields: dict[tuple[str, ...], tuple[int, Json]] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    section: Section | None
    line: int
    lines: list[str]


def parse_body(lines: list[str], start: int) -> Body:
    """Read `lines[start:]`, the part of a card below its front matter."""
    body = Body()
    for part in _split(lines, start, body):
        if part.section is None:
            _read_title(part, body)
        else:
            _read_section(part.section, part, body)
    return body


def _split(lines: list[str], start: int, body: Body) -> list[_Part]:
    parts = [_Part(None, start + 1, [])]
    for number, line in enumerate(lines[start:], start + 1):
        current = parts[-1]
        heading = line[3:].strip() if line.startswith("## ") else ""
        if not heading or (current.section and current.section.shape == "notes"):
            current.lines.append(line)
            continue
        section = BY_HEADING.get(heading.lower())
        if section is None:
            known = ", ".join(found.heading for found in BY_HEADING.values())
            fault = f"unknown section '{heading}'; free text goes under Notes "
            body.faults.append((number, f"{fault}(sections: {known})"))
        else:
            parts.append(_Part(section, number, []))
    return parts


def _read_title(part: _Part, body: Body) -> None:
    lines = part.lines
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return
    if lines[first].startswith("# "):
        body.fields["name",] = (part.line + first, lines[first][2:].strip())
        first += 1
    description = "\n".join(lines[first:]).strip()
    if description:
        body.fields["description",] = (part.line + first, description)


def _read_section(section: Section, part: _Part, body: Body) -> None:
    if section.path in body.fields:
        body.faults.append((part.line, f"a second section '{section.heading}'"))
        return
    reader = _READERS.get(section.shape)
    if reader is None:
        value: Json = "\n".join(part.lines).strip()
    else:
        value = reader(part, body)
    if value:
        body.fields[section.path] = (part.line, value)


def _read_list(part: _Part, body: Body) -> list[Json]:
    found: list[Json] = []
    for number, line in enumerate(part.lines, part.line + 1):
        text = line[2:].strip() if line.startswith(_BULLETS) else ""
        if text:
            found.append(text)
        elif line.strip():
            body.faults.append((number, "expected a list item: '- text'"))
    return found


def _read_steps(part: _Part, body: Body) -> list[Json]:
    return _read_items(part, body, _NUMBER, ("action", STEP_DETAILS, "'1. action'"))


def _read_branches(part: _Part, body: Body) -> list[Json]:
    found = _read_items(part, body, _CASE, ("if", BRANCH_DETAILS, "'- If: case'"))
    for branch in found:
        if "then" not in branch:
            body.faults.append((part.line, f"no '- Then:' for '{branch['if']}'"))
    return found


def _read_items(
    part: _Part,
    body: Body,
    opening: re.Pattern[str],
    form: tuple[str, tuple[str, ...], str],
) -> list[Json]:
    """Read items of one opening line and detail lines `  - key: text` below it."""
    first, details, example = form
    found: list[Json] = []
    for number, line in enumerate(part.lines, part.line + 1):
        if not line.strip():
            continue
        opened = opening.match(line)
        if opened:
            found.append({first: opened[1]})
            continue
        detail = _DETAIL.match(line)
        key = detail[1].lower() if detail else ""
        if detail is None or key not in details or not found:
            known = ", ".join(f"'  - {name}: text'" for name in details)
            body.faults.append((number, f"expected {example} or {known}"))
        elif key in found[-1]:
            body.faults.append((number, f"a second '{key}' for one item"))
        else:
            found[-1][key] = detail[2]
    return found


_READERS = {"list": _read_list, "steps": _read_steps, "branches": _read_branches}
