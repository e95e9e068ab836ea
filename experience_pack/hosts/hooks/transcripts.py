"""The prompt of a turn, from the transcript of hosts that do not hand it over."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from experience_pack.hosts.hooks.emitters import Payload

_TAIL = 512 * 1024
"""Bytes at the end that are looked through: a turn with its tools' output."""


def last_prompt(host: str, payload: Payload) -> str:
    """Give what the person last wrote in a session; empty where it cannot be told."""
    reader = _READERS.get(host)
    path = payload.get("transcript_path")
    if reader is None or not isinstance(path, str):
        return ""
    for line in reversed(_tail(path)):
        if text := _read(reader, line):
            return text
    return ""


def _tail(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # a hook: pathlib costs time
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            return file.read().splitlines()
    except OSError:
        return []


def _read(reader: Callable[[Mapping[str, Any]], str], line: bytes) -> str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return reader(record).strip() if isinstance(record, dict) else ""


def _of_claude(record: Mapping[str, Any]) -> str:
    if record.get("type") != "user" or record.get("isMeta"):
        return ""
    message = record.get("message")
    return _content(message.get("content")) if isinstance(message, dict) else ""


def _of_codex(record: Mapping[str, Any]) -> str:
    payload = record.get("payload")
    item = payload.get("item") if isinstance(payload, dict) else None
    if not isinstance(item, dict) or item.get("type") != "UserMessage":
        return ""
    return _content(item.get("content"))


def _content(value: Any) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    texts = [
        part.get("text") for part in parts if isinstance(part, dict) and "text" in part
    ]
    return "\n".join(text for text in texts if isinstance(text, str))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "claude-code": _of_claude,
    "codex": _of_codex,
}
"""How a host writes down what the person said (seen in 2.1 and 0.171)."""
