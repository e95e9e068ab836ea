"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-….jsonl` (seen in 0.61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experience_pack.learning.sessions.actions import action_of, is_ours, tail
from experience_pack.learning.sessions.events import (
    Back,
    Called,
    Event,
    Record,
    Replied,
    Returned,
    SessionHost,
    said,
    text_of,
    words,
)


def _files(home: Path) -> Iterator[Path]:
    yield from sorted((home / ".gemini" / "tmp").glob("*/chats/session-*.jsonl"))


def _read(record: Mapping[str, Any]) -> Record:
    if back := words(record, "$rewindTo"):
        return Record([Back(before=back)])
    if session := words(record, "sessionId"):
        return Record(session=session, place=words(record, "projectHash"))
    reader = _KINDS.get(words(record, "type"))
    events = [*reader(record)] if reader else []
    return Record(events, name=words(record, "id"), at=words(record, "timestamp"))


def _user(record: Mapping[str, Any]) -> Iterator[Event]:
    shown = text_of(record.get("displayContent"))
    yield from said(shown or text_of(record.get("content")))


def _gemini(record: Mapping[str, Any]) -> Iterator[Event]:
    if text := text_of(record.get("content")):
        yield Replied(text)
    calls = record.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        tool = words(call, "name") if isinstance(call, dict) else ""
        if tool and not is_ours(tool):
            yield from _call(call, tool)


def _call(call: Mapping[str, Any], tool: str) -> Iterator[Event]:
    identity = words(call, "id")
    yield Called(identity, tool, action_of(tool, call.get("args")))
    status = words(call, "status")
    if status in _OUTCOMES:
        ok = _OUTCOMES[status]
        yield Returned(identity, ok, "" if ok else tail(words(call, "resultDisplay")))


_OUTCOMES = {"success": True, "error": False, "cancelled": False}

_KINDS = {"user": _user, "gemini": _gemini}

GEMINI = SessionHost("gemini", _files, _read)
