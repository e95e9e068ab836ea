"""The prompt of a turn, from the session of hosts that do not hand it over."""

from __future__ import annotations

import json
import os

from experience_pack.hosts.hooks.emitters import Payload
from experience_pack.learning.sessions.events import Said, SessionHost
from experience_pack.learning.sessions.hosts import HOSTS

_TAIL = 512 * 1024
"""Bytes at the end that are looked through: a turn with its tools' output."""


def last_prompt(host: str, payload: Payload) -> str:
    """Give what was last asked in a session; empty where it cannot be told."""
    reader = HOSTS.get(host)
    path = payload.get("transcript_path")
    if reader is None or not isinstance(path, str):
        return ""
    for line in reversed(_tail(path)):
        if text := _asked(reader, line):
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


def _asked(host: SessionHost, line: bytes) -> str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    events = host.read(record).events if isinstance(record, dict) else ()
    return next((one.text for one in events if isinstance(one, Said)), "")
