"""What must follow a transaction but cannot be in it; drained from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction

CARD = "card"
"""The card of an experience has to be written, moved or removed."""

LESSONS = "lessons"
"""The views of lessons have to be rendered, and recorded in the history."""


class Waiting(NamedTuple):
    """One thing that waits, and what went wrong the last time."""

    seq: int
    topic: str
    subject: str
    attempts: int
    last_error: str


def put(tx: Transaction, topic: str, subjects: Sequence[str]) -> None:
    """Note that something has to follow; the same thing waits only once."""
    tx.run_many(
        "INSERT INTO outbox(topic, subject, created_at) VALUES (?, ?, ?) "
        "ON CONFLICT (topic, subject) DO UPDATE SET attempts = 0, last_error = ''",
        [(topic, subject, tx.now) for subject in subjects],
    )


def waiting(db: Reader, topic: str) -> list[Waiting]:
    """Give what waits, the oldest first."""
    rows = db.rows(
        "SELECT seq, topic, subject, attempts, last_error FROM outbox "
        "WHERE topic = ? ORDER BY seq",
        (topic,),
    )
    return [Waiting(*row) for row in rows]


def done(tx: Transaction, items: Sequence[Waiting]) -> None:
    """Forget what has followed."""
    tx.run_many("DELETE FROM outbox WHERE seq = ?", [(item.seq,) for item in items])


def failed(tx: Transaction, item: Waiting, error: str) -> None:
    """Keep a thing for the next try, with what went wrong."""
    tx.run(
        "UPDATE outbox SET attempts = attempts + 1, last_error = ? WHERE seq = ?",
        (error, item.seq),
    )
