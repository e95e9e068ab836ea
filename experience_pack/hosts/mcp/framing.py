"""Frames on a pipe: JSON lines, or bodies behind a Content-Length, told by themselves.

What is no valid message is a `Fault` with the code that its sender has to be given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from experience_pack.model.values import Json

LARGEST = 64 * 1024 * 1024
"""Bytes of one message: the largest part of a pack that we take in anywhere."""

DEEPEST = 64
"""Levels of nesting: arguments go three or four deep, and deep ones crash others."""

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
"""Codes of JSON-RPC 2.0, section 5.1."""

_HEADER = re.compile(rb"\s*content-length\s*:\s*(\d{1,12})\s*", re.IGNORECASE)
_OTHER_HEADER = re.compile(rb"\s*[a-z-]+\s*:[^{\[\"]*", re.IGNORECASE)
_ID = re.compile(
    rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"[^"]*"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,64}")'
)
"""The id of a message too broken to be parsed, where it stands at the front."""


class Fault(NamedTuple):
    """A frame that is no message, and what its sender is told."""

    code: int
    text: str
    id: int | str | None = None

    def reply(self) -> dict[str, Json]:
        """Give the answer of JSON-RPC."""
        error = {"code": self.code, "message": self.text}
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


class Frames:
    """Cuts what comes in into frames; `headed` says how the last one came."""

    def __init__(self) -> None:
        self.headed = False
        self._rest = bytearray()
        self._searched = 0
        self._skipping = 0
        self._body: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes | Fault]:
        """Take bytes; give every frame that is complete with them."""
        self._rest += data
        while (found := self._next()) is not None:
            if found:
                yield found

    def end(self) -> Iterator[bytes | Fault]:
        """Give the last line, which may have no end."""
        yield from self.feed(b"\n")

    def _next(self) -> bytes | Fault | None:
        """Give the next frame, empty where there is nothing to say; None: wait."""
        if self._skipping:
            return self._skip()
        if self._body is not None:
            return self._headed_body(self._body)
        end = self._rest.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._rest)
            return self._overlong()
        line = bytes(self._rest[:end])
        self._drop(end + 1)
        return self._line(line)

    def _line(self, line: bytes) -> bytes | Fault:
        if header := _HEADER.fullmatch(line):
            self.headed, self._body = True, int(header[1])
            return self._announced()
        if self.headed and (not line.strip() or _OTHER_HEADER.fullmatch(line)):
            return b""
        self.headed = False
        return line.strip()

    def _announced(self) -> bytes | Fault:
        size = self._body or 0
        if size <= LARGEST:
            return b""
        self._body, self._skipping = None, size
        return Fault(INVALID_REQUEST, _TOO_LARGE)

    def _headed_body(self, size: int) -> bytes | Fault | None:
        """Give a body; between it and its length there may be other headers."""
        end = self._rest.find(b"\n")
        blank = end >= 0 and not self._rest[:end].strip()
        if not blank:
            return self._other_header(end)
        if len(self._rest) < end + 1 + size:
            return None
        body = bytes(self._rest[end + 1 : end + 1 + size])
        self._drop(end + 1 + size)
        self._body = None
        return body.strip()

    def _other_header(self, end: int) -> bytes | None:
        if end < 0:
            return None
        line = bytes(self._rest[:end])
        if _OTHER_HEADER.fullmatch(line):
            self._drop(end + 1)
        else:
            self._body = None  # no header, so no body either: a line of its own
        return b""

    def _overlong(self) -> Fault | None:
        if len(self._rest) <= LARGEST:
            return None
        identity = _id_at_front(bytes(self._rest[:200]))
        self._drop(len(self._rest))
        self._skipping = -1
        return Fault(INVALID_REQUEST, _TOO_LARGE, identity)

    def _skip(self) -> bytes | None:
        """Pass over a message that is too large: so many bytes, or to a line's end."""
        if not self._rest:
            return None
        if self._skipping < 0:
            end = self._rest.find(b"\n")
            self._drop(len(self._rest) if end < 0 else end + 1)
            self._skipping = -1 if end < 0 else 0
        else:
            passed = min(self._skipping, len(self._rest))
            self._drop(passed)
            self._skipping -= passed
        return b""

    def _drop(self, count: int) -> None:
        del self._rest[:count]
        self._searched = 0


_TOO_LARGE = f"Message larger than {LARGEST // 1024 // 1024} MB"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def framed(message: bytes, *, headed: bool) -> bytes:
    """Give a message as its receiver frames them."""
    if headed:
        return b"Content-Length: %d\r\n\r\n%s" % (len(message), message)
    return message + b"\n"


def message_of(frame: bytes) -> dict[str, Any] | Fault:
    """Give the JSON-RPC message of a frame, or what is wrong with it."""
    try:
        value = _decoder.decode(frame.decode("utf-8"))
    except (ValueError, RecursionError):
        return Fault(PARSE_ERROR, "Parse error", _id_at_front(frame[:200]))
    if b"\\u" in frame:
        # half a surrogate pair could be read, but never written again
        whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        value = json.loads(whole)
    return _checked(value)


def _checked(value: Json) -> dict[str, Any] | Fault:
    if not isinstance(value, dict):
        return Fault(INVALID_REQUEST, "Invalid request: a message is an object")
    identity = value.get("id")
    known = isinstance(identity, int | str) and not isinstance(identity, bool)
    for code, text, wrong in _RULES:
        if wrong(value, known):
            return Fault(code, text, identity if known else None)
    return value


_RULES: Sequence[tuple[int, str, Callable[[dict[str, Any], bool], bool]]] = (
    (
        INVALID_REQUEST,
        "Invalid request: nested too deeply",
        lambda value, _: _depth(value) > DEEPEST,
    ),
    (
        INVALID_REQUEST,
        "Invalid request: not JSON-RPC 2.0",
        lambda value, _: value.get("jsonrpc") != "2.0",
    ),
    (
        INVALID_REQUEST,
        "Invalid request: an id is a text or a whole number",
        lambda value, known: "id" in value and not known and "error" not in value,
    ),
    (
        INVALID_REQUEST,
        "Invalid request: no method",
        lambda value, _: (
            not isinstance(value.get("method"), str)
            and ("method" in value or not {"result", "error"} & value.keys())
        ),
    ),
    (
        INVALID_PARAMS,
        "Invalid params: an object is expected",
        lambda value, _: not isinstance(value.get("params", {}), dict),
    ),
)
"""What a message must be, in the order of the reasons; `known`: its id is one."""


def _depth(value: Json) -> int:
    """Give how deep a value is nested, no deeper than it is asked for."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        depth += 1
        level = [part for one in level for part in _parts(one)]
    return depth


def _parts(value: Json) -> Iterator[Json]:
    inside = value.values() if isinstance(value, dict) else value
    return (one for one in inside if isinstance(one, dict | list))


def _id_at_front(frame: bytes) -> int | str | None:
    found = _ID.match(frame)
    try:
        identity: int | str | None = json.loads(found[1]) if found else None
    except ValueError:
        return None
    return identity
