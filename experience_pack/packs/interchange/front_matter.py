"""Front matter of a Markdown file: its values, and which lines they stand on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experience_pack.model import Json

if TYPE_CHECKING:  # a heavy library, for those who read skills
    from yaml import Event

_FENCE = re.compile(r"---[ \t]*")
_KEY = re.compile(r"(?P<key>[^\s#:\[{-][^:]*):(?:\s+(?P<value>.*))?")

MAX_CHARACTERS = 64 * 1024
"""Longer front matter is read line by line: the standard's fields fill 2 KB, and a
YAML parser can be kept busy for minutes."""


MAX_DEPTH = 20
"""The standard's fields nest twice; PyYAML's time grows with the square of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontMatter:
    """The values at the head of a file, and the text below them."""

    values: Mapping[str, Json]
    """Texts, and lists and mappings of texts; nothing is taken for a number."""
    lines: tuple[tuple[str, int, int], ...] = ()
    """(key, first line, last line); the key is empty for what holds no value."""
    body: str = ""
    """Everything below, exactly as it stands."""
    body_line: int = 1
    """Line of the file that the body begins on."""
    fault: tuple[int, str] | None = None
    """Line and reason when it was not proper and was read leniently."""


def split_front_matter(text: str) -> FrontMatter:
    """Read the head of a file; a broken one is read as well as it can be."""
    lines = text.split("\n")
    if not _FENCE.fullmatch(lines[0]):
        return FrontMatter(values={}, body=text, fault=(1, "there is no front matter"))
    ends = (at for at, line in enumerate(lines) if at and _FENCE.fullmatch(line))
    end = next(ends, None)
    if end is None:
        fault = (1, "the front matter is not closed with `---`")
        return FrontMatter(values={}, body=text, fault=fault)
    values, problem = _read_values(lines[1:end])
    return FrontMatter(
        values=values,
        lines=_owners(lines[1:end], values),
        body="\n".join(lines[end + 1 :]),
        body_line=end + 2,
        fault=problem,
    )


def _read_values(head: list[str]) -> tuple[dict[str, Json], tuple[int, str] | None]:
    found = _read_yaml("\n".join(head))
    if isinstance(found, dict):
        return found, None
    return _read_leniently(head), found


def _read_yaml(text: str) -> dict[str, Json] | tuple[int, str]:
    """Give the mapping, or the line in the file and the reason why not."""
    import yaml

    if len(text) > MAX_CHARACTERS:
        return 2, f"front matter of more than {MAX_CHARACTERS} characters"
    try:
        refused = _refused(yaml.parse(text))
        if refused:
            return 2, f"front matter {refused}"
        # builds texts, lists and mappings only: 1.10 and 2026-11-30 stay as written
        found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
        json.dumps(found, ensure_ascii=False).encode()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark
        return (mark.line + 2 if mark else 2), f"broken YAML: {fault.problem}"
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return 2, "broken YAML"
    return found if isinstance(found, dict) else (2, "not a list of `key: value`")


def _refused(events: Iterator[Event]) -> str:
    """Say why a text must not be loaded, as soon as its events tell."""
    from yaml import AliasEvent, CollectionEndEvent, CollectionStartEvent

    depth = 0
    for event in events:
        # an alias may stand for gigabytes, so none is ever expanded
        if isinstance(event, AliasEvent):
            return "with YAML aliases"
        depth += isinstance(event, CollectionStartEvent)
        depth -= isinstance(event, CollectionEndEvent)
        if depth > MAX_DEPTH:
            return f"nested more than {MAX_DEPTH} deep"
    return ""


def _read_leniently(head: list[str]) -> dict[str, Json]:
    """Take every `key: rest` line as it is, with the lines indented below it."""
    parts: dict[str, list[str]] = {}
    key = ""
    for line in head:
        found = _KEY.fullmatch(line)
        if found:
            key = _unquoted(found["key"])
            parts[key] = [_unquoted(found["value"] or "")]
        elif key and line.strip():
            parts[key].append(line.strip())
    return {
        key: "\n".join(part for part in lines if part) for key, lines in parts.items()
    }


def _unquoted(value: str) -> str:
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _owners(
    head: list[str], values: Mapping[str, Json]
) -> tuple[tuple[str, int, int], ...]:
    """Say which key each line belongs to; a repeated key keeps its last place."""
    starts: list[tuple[int, str]] = [(2, "")]
    for number, line in enumerate(head, 2):
        found = _KEY.fullmatch(line)
        if found:
            starts.append((number, _unquoted(found["key"])))
        elif line.startswith("#"):
            starts.append((number, ""))
    last = {key: number for number, key in starts}
    ends = [number for number, _ in starts[1:]] + [len(head) + 2]
    return tuple(
        (key if last[key] == first and key in values else "", first, end - 1)
        for (first, key), end in zip(starts, ends, strict=True)
        if end > first
    )
