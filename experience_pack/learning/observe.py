"""Keep a finished exchange as an observation: bounded, redacted, and nobody's copy."""

from __future__ import annotations

from experience_pack.clock import days_before
from experience_pack.learning.served import is_served
from experience_pack.model import new_id
from experience_pack.store import Store, observations
from experience_pack.text.redaction import redact

REQUEST_BYTES = 16_384
"""Of what was asked; more is a document that was pasted (upstream)."""

REPLY_BYTES = 49_152
"""Of what was answered; its end is kept, where it says what came of the work. With
the request it fits a batch of `analyze`."""

RETENTION_DAYS = (7, 14, 30)
"""What a person may choose from; the first where they chose anything else."""


def observe(store: Store, host: str, session: str, request: str, reply: str) -> str:
    """Keep an exchange and give its id; empty where there is nothing to keep.

    What we served ourselves is no observation. The cost does not depend on how much
    was kept before.
    """
    asked = _cut(redact(request.strip()).text, REQUEST_BYTES)
    answered = _tail(redact(reply.strip()).text, REPLY_BYTES)
    if not (asked and answered) or is_served(store, answered):
        return ""
    identity = new_id("obs")
    values = {"host": host, "session": session, "request": asked, "reply": answered}
    with store.transaction(durable=False) as tx:
        observations.put(tx, identity, values)
    return identity


def expire(store: Store, days: int) -> int:
    """Remove the texts of what was analysed and is older; give how many were there.

    What was found in them stays: the passage, the day and the id.
    """
    kept = days if days in RETENTION_DAYS else RETENTION_DAYS[0]
    before = days_before(store.clock(), kept)
    with store.transaction() as tx:
        return observations.expire(tx, before)


def _cut(text: str, most: int) -> str:
    data = text.encode("utf-8", "replace")
    return data[:most].decode("utf-8", "ignore") if len(data) > most else text


def _tail(text: str, most: int) -> str:
    data = text.encode("utf-8", "replace")
    return data[-most:].decode("utf-8", "ignore") if len(data) > most else text
