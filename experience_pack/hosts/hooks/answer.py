"""One event on an open workspace: decide and say it, or keep what was done."""

from __future__ import annotations

import json
from typing import Any

from experience_pack.api.core import Core
from experience_pack.hosts.hooks.decision import NOTHING
from experience_pack.hosts.hooks.emitters import SILENT, Emission, Payload
from experience_pack.hosts.hooks.events import EVENTS, Ends, session_of


def answered(core: Core, host: str, event: str, payload: Payload) -> Emission:
    """Answer an event; silent about what is not known, and at the end of a turn."""
    row = EVENTS.get((host, event))
    if row is None:
        return SILENT
    if isinstance(row, Ends):
        from experience_pack.hosts.hooks.capture import capture

        capture(core, host, row, payload)
        return SILENT
    session = session_of(payload) or core.host.session
    host_now = core.host._replace(session=session)
    decision = row.decide(core.store, host_now, row.prompt(payload))
    return SILENT if decision == NOTHING else row.emit(decision, payload)


def payload_of(data: bytes) -> Payload:
    """Read what a host hands over; what is no JSON object says nothing."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def written(emission: Emission) -> bytes:
    """Give the bytes that a hook prints."""
    value = emission.value
    if value is None:
        return b""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "replace")
