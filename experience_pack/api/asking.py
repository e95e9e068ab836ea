"""Requests: what a host asks before each model call. Loads as little as it can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experience_pack.api.core import Core
from experience_pack.runtime import request as asking
from experience_pack.store import served


def request(
    core: Core,
    text: str,
    context: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Ask whether a request can be executed, assisted, hinted at, or is delegated.

    See `runtime.request.request` for the keys of the answer.
    """
    return asking.request(core.store, core.host, text, context)


def before_llm(
    core: Core, text: str, context: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give `{"action": "bypass" | "assist" | "proceed", …}` before a model call."""
    return asking.before_llm(request(core, text, context))


def note_served(core: Core, text: str) -> str:
    """Give a text that a model is about to read, so that it is never learned again."""
    if core.store.writable:
        with core.store.transaction(durable=False) as tx:
            served.note(tx, text)
    return text
