"""A conversation as reflection sees it: recent, redacted, without aborted turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.errors import FormatError
from experience_pack.model.values import Json
from experience_pack.text.redaction import redact

RECENT = 8
"""Messages that are looked at: the end of a task says what went wrong (upstream)."""

MESSAGE_CHARS = 6_000
"""Of one message; of a longer one, beginning and end are kept."""

MOST_SIGNALS = 8
"""Signals that are told; more repeat themselves (upstream)."""

SIGNAL_CHARS = 180
"""Of what a tool said when it was stopped."""

ABORTED = ("aborted", "interrupted", "cancelled", "canceled")
"""Stop reasons of a turn that the person broke off."""

_ROLES = ("user", "assistant", "tool")

_SIGNALS = (
    ("permission was denied", re.compile(
        r"permission denied|not permitted|eacces|eperm|unauthori[sz]ed|access denied"
        r"|权限不足|没有权限|拒绝访问", re.IGNORECASE)),
    ("it was blocked", re.compile(
        r"\b(?:blocked|not allowed|forbidden|disallowed|denied by|refused)\b"
        r"|被拦截|被阻止|不允许|禁止", re.IGNORECASE)),
    ("the person stopped it", re.compile(
        r"\b(?:cancell?ed by (?:the )?user|aborted by (?:the )?user|user cancell?ed"
        r"|interrupted by (?:the )?user)|用户取消|用户中断", re.IGNORECASE)),
)  # fmt: skip
"""What a failed tool says when a boundary was met, the first that fits."""


class Message(NamedTuple):
    """One message of a conversation."""

    role: str
    """`user`, `assistant` or `tool`."""
    text: str
    stop_reason: str = ""
    """Why the assistant stopped, where the host says so."""
    error: bool = False
    """A tool's message that tells of a failure."""
    tool: str = ""


class Selected(NamedTuple):
    """What a model is shown, all of it redacted."""

    messages: Sequence[Message]
    signals: Sequence[str]

    def to_json(self) -> dict[str, Json]:
        """Give it as it is kept while a run is open."""
        rows = [[*one] for one in self.messages]
        return {"messages": rows, "signals": [*self.signals]}


def selected_from(value: Mapping[str, Json]) -> Selected:
    """Read back what `Selected.to_json` gave."""
    return Selected([Message(*one) for one in value["messages"]], value["signals"])


def read_messages(value: Any, subject: str) -> list[Message]:
    """Read a host's messages: a list of `{role, content}`, or an object with one.

    `content` is a text or a list of parts with a `text`. Thinking and unknown parts
    are passed by. What is no list of messages is a `FormatError`.
    """
    listed = value.get("messages") if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        raise FormatError(subject, [("", "expected a list of messages")])
    found = (_message(one) for one in listed if isinstance(one, Mapping))
    return [one for one in found if one is not None and (one.text or one.stop_reason)]


def select(messages: Sequence[Message], most: int = RECENT) -> Selected:
    """Give the recent messages without aborted turns, and what stopped the work."""
    recent = messages[-most:]
    kept = [_bounded(one) for one in recent if not is_aborted(one)]
    signals = dict.fromkeys(filter(None, map(_signal, recent)))
    return Selected([one for one in kept if one.text], [*signals][:MOST_SIGNALS])


def is_aborted(message: Message) -> bool:
    """Tell whether a person broke the message off."""
    return message.role == "assistant" and message.stop_reason.casefold() in ABORTED


def written(messages: Iterable[Message]) -> str:
    """Give a conversation as text, each message under a line with its role."""
    return "\n\n".join(f"[{_name(one)}]\n{one.text}" for one in messages)


def _name(message: Message) -> str:
    return f"tool {message.tool}" if message.tool else message.role


def _message(value: Mapping[str, Any]) -> Message | None:
    role = str(value.get("role", ""))
    known = {"toolResult": "tool", "function": "tool", "model": "assistant"}
    role = known.get(role, role)
    if role not in _ROLES:
        return None
    stop = value.get("stop_reason") or value.get("stopReason") or ""
    failed = value.get("is_error") or value.get("isError")
    tool = value.get("tool") or value.get("toolName") or value.get("name") or ""
    return Message(role, _text(value), str(stop), bool(failed), str(tool))


def _text(value: Mapping[str, Any]) -> str:
    content = value.get("content", value.get("text", ""))
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    texts = (one.get("text") for one in parts if _is_said(one))
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _is_said(part: Any) -> bool:
    kinds = ("text", "input_text", "output_text")
    return isinstance(part, Mapping) and part.get("type", "text") in kinds


def _bounded(message: Message) -> Message:
    text = redact(message.text).text
    if len(text) > MESSAGE_CHARS:
        half = MESSAGE_CHARS // 2
        text = f"{text[:half]}\n…\n{text[-half:]}"
    tool = redact(message.tool[:SIGNAL_CHARS]).text
    return message._replace(text=text, tool=tool)


def _signal(message: Message) -> str:
    """Give the boundary that a message tells of, empty if it tells of none."""
    if is_aborted(message):
        return "the person broke an answer off; they wanted something else"
    if message.role != "tool" or not message.error:
        return ""
    for meaning, pattern in _SIGNALS:
        if pattern.search(message.text):
            said = " ".join(redact(message.text).text.split())[:SIGNAL_CHARS]
            return f"{message.tool or 'a tool'}: {meaning}: {said}"
    return ""
