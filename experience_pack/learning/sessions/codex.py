"""Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl` (seen in 0.171).

Two logs run through one file: what the model exchanges, and what is shown. People are
taken from the second, for the first has scaffolding in their name; replies from the
first.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experience_pack.learning.sessions.actions import action_of, is_ours, tail
from experience_pack.learning.sessions.events import (
    Aborted,
    Back,
    Called,
    Event,
    Record,
    Replied,
    Returned,
    SessionHost,
    said,
    text_of,
    within,
    words,
)


def _files(home: Path) -> Iterator[Path]:
    root = Path(os.environ.get("CODEX_HOME") or home / ".codex")
    yield from sorted(root.glob("sessions/*/*/*/rollout-*.jsonl"))
    yield from sorted(root.glob("archived_sessions/rollout-*.jsonl"))


def _read(record: Mapping[str, Any]) -> Record:
    kind, payload = words(record, "type"), within(record, "payload")
    reader = _KINDS.get((kind, words(payload, "type")))
    if kind == "session_meta":
        return Record(session=words(payload, "id"), place=words(payload, "cwd"))
    name = words(payload, "id") or words(within(payload, "item"), "id")
    at = words(record, "timestamp")
    return Record([*reader(payload)] if reader else [], name=name, at=at)


def _user_message(payload: Mapping[str, Any]) -> Iterator[Event]:
    yield from said(words(payload, "message"))


def _item(payload: Mapping[str, Any]) -> Iterator[Event]:
    item = within(payload, "item")
    if item.get("type") == "UserMessage":
        yield from said(text_of(item.get("content")))
    elif item.get("status") == "failed":
        yield Returned(words(item, "id"), ok=False)


def _message(payload: Mapping[str, Any]) -> Iterator[Event]:
    yield Replied(text_of(payload.get("content"), ("output_text",)))


def _call(payload: Mapping[str, Any]) -> Iterator[Event]:
    tool = words(payload, "name")
    if not is_ours(tool):
        given = payload.get("arguments", payload.get("input"))
        yield Called(words(payload, "call_id"), tool, action_of(tool, given))


def _output(payload: Mapping[str, Any]) -> Iterator[Event]:
    given = payload.get("output")
    text = words(within(payload, "output"), "content") or text_of(given)
    code = _exit_code(text)
    stated = within(payload, "output").get("success")
    ok = stated if isinstance(stated, bool) else None if code is None else code == 0
    yield Returned(
        words(payload, "call_id"), ok, "" if ok in (True, None) else tail(text)
    )


def _exit_code(text: str) -> int | None:
    """Give the exit code that a tool's output states, in either of its forms."""
    if found := _EXIT.search(text[:_HEAD]):
        return int(found[1])
    try:
        stated = within(within({"": json.loads(text)}, ""), "metadata").get("exit_code")
    except (ValueError, RecursionError):
        return None
    return stated if isinstance(stated, int) else None


_HEAD = 500  # characters; the line stands above the output
_EXIT = re.compile(
    r"^(?:Process exited with code|Exit code:?) (-?\d{1,5})\b", re.MULTILINE
)


def _ended(payload: Mapping[str, Any]) -> Iterator[Event]:
    ok = payload.get("exit_code", 0) == 0
    error = "" if ok else tail(words(payload, "aggregated_output"))
    yield Returned(words(payload, "call_id"), ok, error)


def _rolled_back(payload: Mapping[str, Any]) -> Iterator[Event]:
    turns = payload.get("num_turns")
    yield Back(turns=turns if isinstance(turns, int) else 0)


def _aborted(_: Mapping[str, Any]) -> Iterator[Event]:
    yield Aborted()


_KINDS = {
    ("event_msg", "user_message"): _user_message,
    ("event_msg", "item_completed"): _item,
    ("event_msg", "exec_command_end"): _ended,
    ("event_msg", "thread_rolled_back"): _rolled_back,
    ("event_msg", "turn_aborted"): _aborted,
    ("response_item", "message"): _message,
    ("response_item", "function_call"): _call,
    ("response_item", "custom_tool_call"): _call,
    ("response_item", "function_call_output"): _output,
    ("response_item", "custom_tool_call_output"): _output,
}

CODEX = SessionHost("codex", _files, _read)
