"""Settings in JSON with comments: where a new entry goes, so that nothing else moves.

Python's libraries write such files anew and lose what people laid out; a file of
somebody else's is only ever inserted into.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.errors import FormatError
from experience_pack.model.values import Json

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r'[^\s,:{}\[\]"/]+')
_REMARK = re.compile(r"[ \t]*//[^\r\n]*")
_INDENT = re.compile(r"\n([ \t]+)\S")


class Node(NamedTuple):
    """A value and where it stands; an object or a list with what is in it."""

    start: int
    end: int
    kind: str
    """`object`, `list` or `value`."""
    keys: tuple[str, ...] = ()
    parts: tuple[Node, ...] = ()

    def member(self, key: str) -> Node | None:
        """Give the value of a key; the last one counts where it is given twice."""
        found = [
            part
            for name, part in zip(self.keys, self.parts, strict=False)
            if name == key
        ]
        return found[-1] if found else None


class Insertion(NamedTuple):
    """A text that goes into a file at a place."""

    at: int
    text: str

    def into(self, text: str) -> str:
        """Give the text with the insertion."""
        return text[: self.at] + self.text + text[self.at :]


def read(text: str, subject: str) -> Node:
    """Give the structure of a file; what is no JSON with comments is refused."""
    reader = _Reader(text, subject)
    node = reader.value(reader.skip(0))
    if reader.skip(node.end) < len(text):
        raise reader.fault(node.end, "something follows the end")
    return node


def insertion(text: str, subject: str, path: Sequence[str], value: Json) -> Insertion:
    """Give the insertion that puts a value at a path; a list there is added to.

    What is missing on the way is made. Where a plain value is in the way, or the
    entry is there already, the file is refused.
    """
    node, at = read(text, subject), 0
    while at < len(path) and (inner := node.member(path[at])) is not None:
        node, at = inner, at + 1
    if node.kind == "list" and at == len(path):
        return _added(text, node, _written(value))
    if node.kind != "object" or at == len(path):
        where = ".".join(path[:at]) or "the file"
        raise FormatError(subject, [(where, "holds something else already")])
    for key in reversed(path[at + 1 :]):
        value = {key: value}
    return _added(text, node, f"{json.dumps(path[at])}: {_written(value)}")


def value_at(text: str, subject: str, path: Sequence[str]) -> Node | None:
    """Give what stands at a path."""
    node: Node | None = read(text, subject)
    for key in path:
        node = node.member(key) if node is not None else None
    return node


def without(text: str, subject: str, path: Sequence[str]) -> str:
    """Give the text without the entry at a path, and without its comma."""
    parent = value_at(text, subject, path[:-1])
    entry = parent.member(path[-1]) if parent is not None else None
    if parent is None or entry is None:
        return text
    at = parent.parts.index(entry)
    if at:
        return text[: parent.parts[at - 1].end] + text[entry.end :]
    after = parent.parts[1] if len(parent.parts) > 1 else None
    if after is None:
        return text[: parent.start + 1] + text[parent.end - 1 :]
    key = text.rindex('"' + path[-1], 0, entry.start)
    following = text.index('"', entry.end)
    return text[:key] + text[following:]


def _written(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _added(text: str, node: Node, entry: str) -> Insertion:
    """Give the insertion behind the last part, laid out as the file is."""
    unit = _INDENT.search(text)
    step = unit[1] if unit else "  "
    outer = _indent_of(text, node.start)
    inner = outer + step
    laid = entry.replace("\n  ", f"\n{step}").replace("\n", f"\n{inner}")
    if node.parts:
        last = node.parts[-1].end
        comma = _SPACE.match(text, last)
        assert comma is not None
        if text[comma.end()] == ",":  # some files end their lists with one
            rest = _REMARK.match(text, comma.end() + 1)
            at = rest.end() if rest else comma.end() + 1
            return Insertion(at, f"\n{inner}{laid}")
        return Insertion(last, f",\n{inner}{laid}")
    blank = text[node.start + 1 : node.end - 1]
    end = "" if "\n" in blank else f"\n{outer}"
    return Insertion(node.start + 1, f"\n{inner}{laid}{end}")


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


class _Reader:
    def __init__(self, text: str, subject: str) -> None:
        self._text = text
        self._subject = subject

    def fault(self, at: int, text: str) -> FormatError:
        line = self._text.count("\n", 0, at) + 1
        return FormatError(self._subject, [(f"line {line}", text)])

    def skip(self, at: int) -> int:
        """Give where something stands again behind blanks and comments."""
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def value(self, at: int) -> Node:
        opening = self._text[at : at + 1]
        if opening in ("{", "["):
            return self._group(at, "object" if opening == "{" else "list")
        found = (_STRING if opening == '"' else _SCALAR).match(self._text, at)
        if not found:
            raise self.fault(at, "a value is missing")
        return Node(at, found.end(), "value")

    def _group(self, start: int, kind: str) -> Node:
        closing = "}" if kind == "object" else "]"
        keys: list[str] = []
        parts: list[Node] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != closing:
            if kind == "object":
                key, at = self._key(at)
                keys.append(key)
            parts.append(self.value(at))
            at = self.skip(parts[-1].end)
            if self._text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self._text[at : at + 1] != closing:
                raise self.fault(at, f"expected a comma or {closing}")
        return Node(start, at + 1, kind, tuple(keys), tuple(parts))

    def _key(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self._text, at)
        if not found:
            raise self.fault(at, "expected a key in quotes")
        after = self.skip(found.end())
        if self._text[after : after + 1] != ":":
            raise self.fault(after, "expected a colon")
        try:
            return str(json.loads(found[0])), self.skip(after + 1)
        except ValueError as error:
            raise self.fault(at, "the key is no JSON text") from error
