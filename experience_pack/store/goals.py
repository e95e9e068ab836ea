"""Long-term goals, and when requests were reminded of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from experience_pack.errors import NotFoundError
from experience_pack.model import Goal
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Goal)


class Reminder(NamedTuple):
    """One time at which goals went into a model's input."""

    task: str
    reason: str
    """`start`, `keyword` or `chance`."""
    created_at: str


def put(tx: Transaction, goal: Goal) -> None:
    """Store a goal, in place of the one with its id."""
    tx.run(
        "INSERT INTO goals (id, status, data) VALUES (?, ?, ?) ON CONFLICT (id) "
        "DO UPDATE SET status = excluded.status, data = excluded.data",
        (goal.id, goal.status, _codec.write(goal)),
    )


def get(db: Reader, identity: str) -> Goal:
    """Give one goal; an unknown id is a `NotFoundError`."""
    found = db.row("SELECT data FROM goals WHERE id = ?", (identity,))
    if found is None:
        raise NotFoundError(
            f"there is no goal {identity}",
            hint="`experience-pack goal list` shows all of them.",
        )
    return _codec.read(found[0])


def listed(db: Reader, status: str = "") -> Iterator[Goal]:
    """Give the goals in the order in which they were set, or those of a status."""
    rows = db.rows(
        "SELECT data FROM goals WHERE ? IN ('', status) ORDER BY seq", (status,)
    )
    return (_codec.read(row[0]) for row in rows)


def any_active(db: Reader) -> bool:
    """Tell whether there is anything to be reminded of."""
    return db.row("SELECT 1 FROM goals WHERE status = 'active' LIMIT 1") is not None


def remove(tx: Transaction, identity: str) -> None:
    """Remove a goal."""
    tx.run("DELETE FROM goals WHERE id = ?", (identity,))


def remind(tx: Transaction, task: str, reason: str) -> None:
    """Note that a task was reminded of its goals."""
    tx.run(
        "INSERT INTO goal_reminders (task, reason, created_at) VALUES (?, ?, ?)",
        (task, reason, tx.now),
    )


def reminders_of(db: Reader, task: str) -> int:
    """Give how often a task was reminded."""
    sql = "SELECT count(*) FROM goal_reminders WHERE task = ?"
    found = db.row(sql, (task,))
    return int(found[0]) if found else 0


def reminders(db: Reader) -> list[Reminder]:
    """Give all reminders, the last first."""
    rows = db.rows(
        "SELECT task, reason, created_at FROM goal_reminders ORDER BY seq DESC"
    )
    return [Reminder(*row) for row in rows]
