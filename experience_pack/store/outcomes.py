"""What was said of decisions: which ran or would have run, and which were wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction


class Outcome(NamedTuple):
    """What somebody said of one decision."""

    age: int
    """Requests since."""
    ran: bool
    """It was executed, or would have been but for an audit."""
    wrong: bool


def put(tx: Transaction, decision_id: str, *, ran: bool, wrong: bool) -> None:
    """Keep what was said of a decision; the last word counts."""
    tx.run(
        "INSERT INTO outcomes SELECT id, seq, ?, ? FROM decisions WHERE id = ? "
        "ON CONFLICT (decision_id) DO UPDATE SET wrong = excluded.wrong",
        (ran, wrong, decision_id),
    )


def latest(db: Reader, limit: int) -> Sequence[Outcome]:
    """Give the last outcomes, the oldest first."""
    rows = db.rows(
        "SELECT (SELECT max(seq) FROM decisions) - decision_seq, ran, wrong "
        "FROM outcomes ORDER BY decision_seq DESC LIMIT ?",
        (limit,),
    )
    return [Outcome(age, bool(ran), bool(wrong)) for age, ran, wrong in rows[::-1]]


def requests(db: Reader, most: int) -> int:
    """Give how many of the last so many requests are still known."""
    found = db.row(
        "SELECT count(*) FROM decisions WHERE seq > "
        "(SELECT max(seq) FROM decisions) - ?",
        (most,),
    )
    return int(found[0]) if found else 0


def executed(db: Reader) -> tuple[int, int]:
    """Give how many requests there were, and how many of them were executed."""
    found = db.row("SELECT count(*), total(decision = 'execute') FROM decisions")
    return (int(found[0]), int(found[1])) if found else (0, 0)
