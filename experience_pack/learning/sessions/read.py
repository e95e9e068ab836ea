"""Read a session file from where it stood, line by line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from experience_pack.learning.sessions.events import Record, SessionHost
from experience_pack.learning.sessions.turns import At, Turn, Turns

TAIL = 1_024
"""Bytes before the place where a file stood by which it is known again."""

LOOKED_THROUGH = 200
"""Lines in which a session says what project it belongs to."""


class Stood(NamedTuple):
    """How far a file was read."""

    inode: int
    start: int
    """Offset of the last turn, which may have grown."""
    line: int
    """Its line number."""
    size: int
    """Offset behind the last whole line."""
    tail: str
    """Digest of the bytes before that."""
    session: str
    place: str


class Reading(NamedTuple):
    """What was new in a file."""

    turns: list[Turn]
    gone: set[str]
    """Names of turns that were read and are none: taken back, stopped, unanswered."""
    broken: list[int]
    """Numbers of lines that are no JSON object."""
    stands: Stood


def place_of(path: Path, host: SessionHost) -> str:
    """Give the project that a session says it belongs to, empty where it does not."""
    with path.open("rb") as file:
        lines = _lines(file, At())
        for (_, line), _ in zip(lines, range(LOOKED_THROUGH), strict=False):
            if place := (_record(line, host) or Record()).place:
                return place
    return ""


def read(path: Path, host: SessionHost, stood: Stood | None) -> Reading | None:
    """Give what is new in a file since it was last read; None where nothing is.

    Another file of the same name, or one that was cut or rewritten, is read from its
    start; so is one in which the person went back behind the last turn.
    """
    with path.open("rb") as file:
        if stood and not _is_same(file, path, stood):
            stood = None
        if stood and path.stat().st_size == stood.size:
            return None
        found, turns = _read_from(file, path, host, stood)
        if stood and turns.reaches_back:
            found, _ = _read_from(file, path, host, None)
    return found


def _read_from(
    file: BinaryIO, path: Path, host: SessionHost, stood: Stood | None
) -> tuple[Reading, Turns]:
    turns, broken = Turns(), []
    begin = At(stood.start, stood.line) if stood else At()
    if stood:
        turns.session, turns.place = stood.session, stood.place
    last = end = begin
    for at, line in _lines(file, begin):
        record = _record(line, host)
        if record is not None:
            turns.add(record, at)
        elif line.strip():
            broken.append(at.line)
        end = At(at.offset + len(line), at.line + 1)
    last = turns.last_start or (end if not stood else begin)
    finished = turns.finished()
    stands = Stood(
        path.stat().st_ino,
        last.offset,
        last.line,
        end.offset,
        _tail(file, end.offset),
        turns.session,
        turns.place,
    )
    gone = {*turns.names()} - {one.name for one in finished}
    return Reading(finished, gone, broken, stands), turns


def _lines(file: BinaryIO, begin: At) -> Iterator[tuple[At, bytes]]:
    """Give whole lines and where they begin; the last one may still be written."""
    file.seek(begin.offset)
    at = begin
    while (line := file.readline()).endswith(b"\n"):
        yield at, line
        at = At(at.offset + len(line), at.line + 1)


def _record(line: bytes, host: SessionHost) -> Record | None:
    """Read one line; None where it is no JSON object."""
    try:
        found: Any = json.loads(line)
        if _SURROGATE.search(line):
            found = json.loads(storable(json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return host.read(found) if isinstance(found, dict) else None


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def storable(text: str) -> str:
    """Give a text that can be written: half surrogates become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_same(file: BinaryIO, path: Path, stood: Stood) -> bool:
    known = path.stat()
    same = known.st_ino == stood.inode and known.st_size >= stood.size
    return same and _tail(file, stood.size) == stood.tail


def _tail(file: BinaryIO, end: int) -> str:
    file.seek(max(0, end - TAIL))
    return hashlib.sha256(file.read(min(TAIL, end))).hexdigest()[:32]
