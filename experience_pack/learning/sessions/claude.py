"""Claude Code: `~/.claude/projects/<folder>/<session>.jsonl` (seen in 2.1)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experience_pack.learning.sessions.actions import action_of, is_ours, tail
from experience_pack.learning.sessions.events import (
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
    root = Path(os.environ.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    listed = sorted(root.glob("*/*.jsonl"))
    return (path for path in listed if not path.name.startswith("agent-"))


def _read(record: Mapping[str, Any]) -> Record:
    aside = record.get("isSidechain") or record.get("isMeta")
    reader = _KINDS.get(words(record, "type"))
    return Record(
        [] if aside or reader is None else [*reader(record)],
        name=words(record, "uuid"),
        parent=words(record, "parentUuid"),
        at=words(record, "timestamp"),
        session=words(record, "sessionId"),
        place=words(record, "cwd"),
    )


def _user(record: Mapping[str, Any]) -> Iterator[Event]:
    content = within(record, "message").get("content")
    for part in blocks(content, "tool_result"):
        failed = part.get("is_error") is True
        error = tail(text_of(part.get("content"))) if failed else ""
        yield Returned(words(part, "tool_use_id"), not failed, error)
    summed_up = "isCompactSummary", "isVisibleInTranscriptOnly"
    if not any(record.get(key) for key in summed_up):
        yield from said(text_of(content), typed=_is_typed(record))


def _is_typed(record: Mapping[str, Any]) -> bool:
    """Tell whether a person typed it; older releases do not say who did."""
    kind = within(record, "origin").get("kind", "human")
    return bool(kind == "human" and record.get("promptSource", "typed") == "typed")


def _assistant(record: Mapping[str, Any]) -> Iterator[Event]:
    content = within(record, "message").get("content")
    if text := text_of(content):
        yield Replied(text)
    for part in blocks(content, "tool_use"):
        tool = words(part, "name")
        if not is_ours(tool):
            yield Called(words(part, "id"), tool, action_of(tool, part.get("input")))


_KINDS = {"user": _user, "assistant": _assistant}

CLAUDE = SessionHost("claude-code", _files, _read)
