"""What is known of executed decisions: which were looked at, and which were wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction


class Outcome(NamedTuple):
    """What a person, or an audit, said of one decision that would execute."""

    age: int
    """Requests since."""
    audited: bool
    """The model answered instead, to compare; nothing was executed."""
    wrong: bool


def put(tx: Transaction, decision_id: str, *, audited: bool, wrong: bool) -> None:
    """Keep what was said of a decision; the last word counts."""
    tx.run(
        "INSERT INTO outcomes SELECT id, seq, ?, ? FROM decisions WHERE id = ? "
        "ON CONFLICT (decision_id) DO UPDATE SET wrong = excluded.wrong",
        (audited, wrong, decision_id),
    )


def latest(db: Reader, limit: int) -> Sequence[Outcome]:
    """Give the last outcomes, the newest first."""
    rows = db.rows(
        "SELECT (SELECT max(seq) FROM decisions) - decision_seq, audited, wrong "
        "FROM outcomes ORDER BY decision_seq DESC LIMIT ?",
        (limit,),
    )
    return [Outcome(age, bool(audited), bool(wrong)) for age, audited, wrong in rows]


def executed(db: Reader) -> tuple[int, int]:
    """Give how many requests there were, and how many of them were executed."""
    found = db.row("SELECT count(*), total(decision = 'execute') FROM decisions")
    return (int(found[0]), int(found[1])) if found else (0, 0)
