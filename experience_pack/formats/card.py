"""Cards: one experience's content as Markdown that people read and edit.

Front matter holds one `key: <JSON value>` a line (valid YAML), the body prose under
fixed headings. What we wrote is read back to the same content and written again to
the same bytes; what a person writes by hand is read with some tolerance, and what
cannot be understood is a `FormatError` that names every line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from experience_pack.errors import FormatError
from experience_pack.formats.card_body import Body, parse_body
from experience_pack.formats.card_layout import (
    FRONT_ORDER,
    SECTIONS,
    UNPRINTABLE,
    fits_block,
    fits_line,
)
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import CURRENT, read_version
from experience_pack.model import Experience, Json, WrongTypeError

VERSION_KEY = "experience-card"

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ESCAPED = re.compile(f"[{UNPRINTABLE}]")
_MERGE_MARKERS = ("<<<<<<< ", ">>>>>>> ", "=======")
_MERGE_LINE = re.compile(r"(?:<<<<<<< |>>>>>>> |=======$)")
_HEADER = f"---\n{VERSION_KEY}: {json.dumps(list(CURRENT['card']))}\n"
_FRONT_RANK = {key: rank for rank, key in enumerate(FRONT_ORDER)}
_NESTED = {section.path[0] for section in SECTIONS if len(section.path) > 1}
_NOTHING: dict[str, Json] = {}
_encode = json.JSONEncoder(ensure_ascii=False).encode


def render(identity: str, content: Mapping[str, Json]) -> str:
    """Give the card of one experience: its id and its normalised content."""
    front: dict[str, Json] = {"id": identity, **content}
    body = [*_title(front), *_sections(front)]
    lines = [_front_line(key, front[key]) for key in sorted(front, key=_front_rank)]
    head = _ESCAPED.sub(_escape, "\n".join(lines))
    return f"{_HEADER}{head}\n---\n\n" + "\n".join(body)


def render_experience(experience: Experience) -> str:
    """Give the card of one experience."""
    return render(experience.id, experience.content())


def _title(front: dict[str, Json]) -> list[str]:
    """Move name and description into the body where they come back unchanged."""
    if not fits_line(front["name"]):
        return []
    parts = [f"# {front.pop('name')}\n"]
    if fits_block(front.get("description")):
        parts.append(f"{front.pop('description')}\n")
    return parts


def _sections(front: dict[str, Json]) -> list[str]:
    """Move what survives the body out of the front matter; give its sections."""
    holders = {name: dict(front[name]) for name in _NESTED if name in front}
    found = []
    for section in SECTIONS:
        *outer, key = section.path
        holder = holders.get(outer[0], _NOTHING) if outer else front
        value = holder.get(key)
        if value and section.fits(value):
            del holder[key]
            found.append(f"## {section.heading}\n\n{section.write(value)}\n")
    for name, holder in holders.items():
        if holder:
            front[name] = holder
        else:
            del front[name]
    return found


def _front_rank(key: str) -> tuple[int, str]:
    return _FRONT_RANK.get(key, len(_FRONT_RANK)), key


def _front_line(key: str, value: Json) -> str:
    known = key in _FRONT_RANK
    plain = known or (_PLAIN_KEY.fullmatch(key) and key != VERSION_KEY)
    return f"{key if plain else _encode(key)}: {_encode(value)}"


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def parse(text: str, subject: str = "card") -> Experience:
    """Read a card; a `FormatError` names each line that is wrong.

    A card without `id` gives an experience whose id is empty.
    """
    lines = unix_lines(text).removeprefix("\ufeff").split("\n")
    if any(marker in text for marker in _MERGE_MARKERS):
        _refuse_merge_markers(lines, subject)
    front, start = _parse_front(lines, subject)
    body = parse_body(lines, start)
    faults = [(f"line {line}", fault) for line, fault in body.faults]
    content = _join(front, body, faults)
    if faults:
        raise FormatError(subject, faults, hint=_HINT)
    content.setdefault("id", "")
    try:
        return Experience.from_dict(content)
    except WrongTypeError as fault:
        raise FormatError(subject, [(fault.path, fault.text)], hint=_HINT) from fault


_HINT = "Mend the card and run `experience-pack sync` again; it was left as it is."


def unix_lines(text: str) -> str:
    """Undo a uniform conversion to CRLF, as `core.autocrlf` makes one."""
    if "\r" in text and text.count("\r\n") == text.count("\n"):
        return text.replace("\r\n", "\n")
    return text


def _refuse_merge_markers(lines: list[str], subject: str) -> None:
    marked = [
        (f"line {number}", "an unresolved merge")
        for number, line in enumerate(lines, 1)
        if _MERGE_LINE.match(line)
    ]
    if marked:
        raise FormatError(subject, marked, hint=_HINT)


def _parse_front(lines: list[str], subject: str) -> tuple[dict[str, Json], int]:
    """Give the front matter and the index of the first line of the body."""
    if lines[0].rstrip() != "---":
        fault = "a card begins with '---', then one 'key: value' a line"
        raise FormatError(subject, [("line 1", fault)], hint=_HINT)
    front: dict[str, Json] = {}
    faults: list[tuple[str, str]] = []
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == "---":
            break
        if not line.strip():
            continue
        fault = _read_front_line(line, front, subject)
        if fault:
            faults.append((f"line {number}", fault))
    else:
        faults.append((f"line {len(lines)}", "the front matter has no closing '---'"))
        number = len(lines)
    if faults:
        raise FormatError(subject, faults, hint=_HINT)
    return front, number


def _read_front_line(line: str, front: dict[str, Json], subject: str) -> str:
    """Read one line into `front`; give what is wrong with it, or nothing."""
    try:
        key, rest, quoted = _split_key(line)
        value = loads(rest, key)
    except FormatError as error:
        return f"{error.subject}: {error.faults[0][1]}"
    if key == VERSION_KEY and not quoted:
        read_version(value, "card", subject)
        return ""
    if key in front:
        return f"{key} is given twice"
    front[key] = value
    return ""


def _split_key(line: str) -> tuple[str, str, bool]:
    if line.startswith('"'):
        try:
            key, end = json.JSONDecoder().raw_decode(line)
        except ValueError as error:
            raise FormatError(line[:40], [("", "the key is not closed")]) from error
        separator, rest = line[end : end + 1], line[end + 1 :]
        quoted = True
    else:
        key, separator, rest = line.partition(":")
        key, quoted = key.strip(), False
    if separator != ":" or not (key or quoted):
        raise FormatError(line[:40], [("", "expected 'key: value' with a JSON value")])
    return key, rest.strip(), quoted


def _join(
    front: dict[str, Json], body: Body, faults: list[tuple[str, str]]
) -> dict[str, Json]:
    """Put the fields of the body where they belong in the front matter's mapping."""
    content = dict(front)
    for path, (line, value) in body.fields.items():
        target = content
        if len(path) == 2:
            inner = content.get(path[0], {})
            if not isinstance(inner, dict):
                faults.append((path[0], "expected an object"))
                continue
            target = content[path[0]] = dict(inner)
        if path[-1] in target:
            fault = f"{'.'.join(path)} stands in the front matter too; keep one"
            faults.append((f"line {line}", fault))
        target[path[-1]] = value
    return content
