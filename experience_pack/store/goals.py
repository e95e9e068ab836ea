"""Long-term goals."""

from __future__ import annotations

from collections.abc import Iterator

from experience_pack.errors import NotFoundError
from experience_pack.model import Goal
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Goal)


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


def remove(tx: Transaction, identity: str) -> None:
    """Remove a goal."""
    tx.run("DELETE FROM goals WHERE id = ?", (identity,))
