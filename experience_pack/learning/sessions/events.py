"""What a record of a session says, in the one form that all hosts are read into."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Said(NamedTuple):
    """Somebody asked."""

    text: str
    typed: bool = True
    """A person typed it; a program or a schedule did not."""


class Replied(NamedTuple):
    """The model wrote something to the person."""

    text: str


class Called(NamedTuple):
    """The model used a tool."""

    call: str
    tool: str
    action: str


class Returned(NamedTuple):
    """A tool gave its result; `ok` is None where the record does not say."""

    call: str
    ok: bool | None
    error: str = ""


class Aborted(NamedTuple):
    """The person stopped the turn."""


class Back(NamedTuple):
    """The person went back: what came later was dropped."""

    turns: int = 0
    """So many of the last turns."""
    before: str = ""
    """Or the record with this name and all after it."""


Event = Said | Replied | Called | Returned | Aborted | Back


class Record(NamedTuple):
    """One line of a session; what is not known says nothing."""

    events: Sequence[Event] = ()
    name: str = ""
    """The record's own id; written again, it stands in place of the first."""
    parent: str = ""
    """Record that it follows, where the host keeps branches."""
    at: str = ""
    """When, in whatever form of ISO 8601 the host writes."""
    session: str = ""
    place: str = ""
    """The project: its folder, or what the host makes of that."""


class SessionHost(NamedTuple):
    """A host whose sessions can be read."""

    name: str
    files: Callable[[Path], Iterator[Path]]
    """Gives the session files of a person whose home is a folder."""
    read: Callable[[Mapping[str, Any]], Record]
    """Reads one record; one of an unknown kind says nothing."""


def said(text: str, *, typed: bool = True) -> list[Event]:
    """Give what a person wrote without what hosts put around it; maybe nothing."""
    own = _INJECTED.sub("", text).strip()
    if own.startswith(INTERRUPTED):
        return [Aborted()]
    return [Said(own, typed)] if own else []


INTERRUPTED = "[Request interrupted"
"""What Claude Code writes in the person's name when they stop a turn."""

INJECTED = (
    "system-reminder",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "command-args",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "environment_context",
    "user_instructions",
    "permissions instructions",
    "skills_instructions",
    "session_context",
    "hook_context",
    "turn_aborted",
)
"""Marks of what hosts write into a person's message (Claude Code 2.1, Codex 0.171,
Gemini CLI 0.61)."""

_INJECTED = re.compile(
    "|".join(
        rf"<{re.escape(mark)}>.*?(?:</{re.escape(mark)}>|\Z)" for mark in INJECTED
    ),
    re.DOTALL,
)


def text_of(content: Any, kinds: Sequence[str] = ("text",)) -> str:
    """Give the text of a message: itself, or its parts of some kinds, line by line.

    A part without a kind counts as text; thoughts, images and results do not.
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type", "text") in kinds
        and isinstance(part.get("text"), str)
        and not part.get("thought")
    ]
    return "\n".join(texts)


def blocks(content: Any, kind: str) -> Iterator[Mapping[str, Any]]:
    """Give the parts of a message that are of a kind."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == kind:
            yield part


def words(record: Mapping[str, Any], key: str) -> str:
    """Give a text of a record, empty where there is none."""
    found = record.get(key)
    return found if isinstance(found, str) else ""


def within(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Give an object of a record, empty where there is none."""
    found = record.get(key)
    return found if isinstance(found, dict) else {}
