"""Which lesson went into which model input, and what was said of it afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.postings import LESSONS


class Outcome(NamedTuple):
    """What is known of a lesson's deliveries; an undecided one says nothing."""

    experience_id: str
    delivered: int
    good: int
    bad: int


def put_all(
    tx: Transaction, decision_id: str, session: str, lessons: Iterable[tuple[str, str]]
) -> None:
    """Note that lessons, as `(id, digest)`, went to the request of a decision."""
    tx.run_many(
        "INSERT INTO deliveries (decision_id, session, experience_id, digest, "
        "created_at) VALUES (?, ?, ?, ?, ?)",
        [(decision_id, session, *one, tx.now) for one in lessons],
    )


def of_session(db: Reader, session: str) -> set[tuple[str, str]]:
    """Give `(id, digest)` of what a session was already given."""
    sql = "SELECT DISTINCT experience_id, digest FROM deliveries WHERE session = ?"
    return {(row[0], row[1]) for row in db.rows(sql, (session,))}


def any_lessons(db: Reader) -> bool:
    """Tell whether there is any lesson at all; a request asks this first."""
    found = db.row("SELECT documents FROM search_scopes WHERE scope = ?", (LESSONS,))
    return bool(found and found[0])


def of_decision(db: Reader, decision_id: str) -> list[str]:
    """Give the ids of the lessons that went to a request."""
    sql = "SELECT experience_id FROM deliveries WHERE decision_id = ? ORDER BY seq"
    return [row[0] for row in db.rows(sql, (decision_id,))]


def outcomes(db: Reader) -> list[Outcome]:
    """Give what came of the deliveries of each lesson, the most delivered first."""
    rows = db.rows(
        "SELECT d.experience_id, count(*), "
        f"sum({_GOOD} > 0), sum({_GOOD} < 0) FROM deliveries d "
        "LEFT JOIN decisions c ON c.id = d.decision_id "
        "GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    return [Outcome(row[0], row[1], row[2] or 0, row[3] or 0) for row in rows]


_GOOD = "CASE WHEN coalesce(c.rating, 0) <> 0 THEN c.rating WHEN c.worked IS NULL "
_GOOD += "THEN 0 ELSE 2 * c.worked - 1 END"
