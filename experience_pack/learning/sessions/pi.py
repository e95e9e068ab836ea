"""Pi and OMP: `~/.pi/agent/sessions/<folder>/….jsonl` (format 3, a tree)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experience_pack.learning.sessions.actions import action_of, is_ours, tail
from experience_pack.learning.sessions.events import (
    Aborted,
    Called,
    Event,
    Record,
    Replied,
    Returned,
    SessionHost,
    blocks,
    said,
    text_of,
    within,
    words,
)


def _files(home: Path) -> Iterator[Path]:
    own = os.environ.get("PI_CODING_AGENT_DIR")
    for root in (Path(own or home / ".pi" / "agent"), home / ".omp" / "agent"):
        yield from sorted((root / "sessions").glob("*/*.jsonl"))


def _read(record: Mapping[str, Any]) -> Record:
    kind = words(record, "type")
    if kind == "session":
        return Record(session=words(record, "id"), place=words(record, "cwd"))
    message = within(record, "message") if kind == "message" else {}
    reader = _ROLES.get(words(message, "role"))
    return Record(
        [*reader(message)] if reader else [],
        name=words(record, "id"),
        parent=words(record, "parentId"),
        at=words(record, "timestamp"),
    )


def _user(message: Mapping[str, Any]) -> Iterator[Event]:
    yield from said(text_of(message.get("content")))


def _assistant(message: Mapping[str, Any]) -> Iterator[Event]:
    content = message.get("content")
    if text := text_of(content):
        yield Replied(text)
    for part in blocks(content, "toolCall"):
        tool = words(part, "name")
        if not is_ours(tool):
            action = action_of(tool, part.get("arguments"))
            yield Called(words(part, "id"), tool, action)
    if message.get("stopReason") == "aborted":
        yield Aborted()


def _result(message: Mapping[str, Any]) -> Iterator[Event]:
    failed = message.get("isError") is True
    error = tail(text_of(message.get("content"))) if failed else ""
    yield Returned(words(message, "toolCallId"), not failed, error)


_ROLES = {"user": _user, "assistant": _assistant, "toolResult": _result}

PI = SessionHost("pi", _files, _read)
