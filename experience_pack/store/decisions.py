"""Audited decisions, one row a request, and how often each experience was decided on.

Rows and counts are written with every request, so they are plain JSON and plain
integers; counts join the standing when the next feedback or tick writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from experience_pack.errors import NotFoundError
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Row, Transaction

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_COLUMNS = "id, decision, created_at, rating, worked, data"


class Audited(NamedTuple):
    """One decision as it was written, and what was said of it since."""

    id: str
    decision: str
    created_at: str
    rating: int | None
    """What the person said: above or below zero, or nothing yet."""
    worked: bool | None
    """Whether it worked, as far as anybody could tell."""
    data: Mapping[str, Json]
    """Everything else: input, sizes, candidates, rejections, sources, tier."""


def put(
    tx: Transaction, identity: str, decision: str, data: Mapping[str, Json]
) -> None:
    """Store one decision; it happened now."""
    tx.run(
        "INSERT INTO decisions (id, decision, created_at, data) VALUES (?, ?, ?, ?)",
        (identity, decision, tx.now, _encode(data)),
    )


def get(db: Reader, identity: str) -> Audited:
    """Give one decision; an unknown id is a `NotFoundError`."""
    found = db.row(f"SELECT {_COLUMNS} FROM decisions WHERE id = ?", (identity,))
    if found is None:
        raise NotFoundError(
            f"there is no decision {identity}",
            hint="`experience-pack audit list` shows the last ones.",
        )
    return _audited(found)


def listed(
    db: Reader, *, limit: int = -1, about: str = "", decision: str = ""
) -> Iterator[Audited]:
    """Give decisions, the last first: about one experience or of one kind if asked."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM decisions WHERE (? = '' OR decision = ?) "
        "AND (? = '' OR instr(data, ?) > 0) ORDER BY seq DESC LIMIT ?",
        (decision, decision, about, f'"id":{_encode(about)}', limit),
    )
    return map(_audited, rows)


def since(db: Reader, time: str, limit: int = -1) -> Iterator[Audited]:
    """Give the decisions of a time and later, the last first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM decisions WHERE created_at >= ? "
        "ORDER BY seq DESC LIMIT ?",
        (time, limit),
    )
    return map(_audited, rows)


def rate(
    tx: Transaction,
    identity: str,
    rating: int | None,
    *,
    worked: bool | None,
    output_hash: str,
) -> None:
    """Write what was said of a decision; None and nothing leave what stands there."""
    tx.run(
        "UPDATE decisions SET rating = coalesce(?, rating), "
        "worked = coalesce(?, worked), "
        "output_hash = coalesce(nullif(?, ''), output_hash) WHERE id = ?",
        (rating, worked, output_hash, identity),
    )


def answered_with(db: Reader, output_hash: str) -> Audited | None:
    """Give the last decision after which a model gave this output, or None."""
    found = db.row(
        f"SELECT {_COLUMNS} FROM decisions WHERE output_hash = ? AND output_hash <> '' "
        "ORDER BY seq DESC LIMIT 1",
        (output_hash,),
    )
    return _audited(found) if found else None


def remove_before(tx: Transaction, time: str) -> int:
    """Remove what was decided before a time; give how many that were."""
    found = tx.row("SELECT count(*) FROM decisions WHERE created_at < ?", (time,))
    tx.run("DELETE FROM decisions WHERE created_at < ?", (time,))
    return int(found[0]) if found else 0


def numbers(db: Reader) -> dict[str, int]:
    """Give how often each decision was taken."""
    return dict(db.rows("SELECT decision, count(*) FROM decisions GROUP BY 1"))


def count_all(tx: Transaction, pairs: Iterable[tuple[str, str]]) -> None:
    """Count `(experience, decision)` once more each."""
    tx.run_many(
        "INSERT INTO decision_counts VALUES (?, ?, 1) "
        "ON CONFLICT (experience_id, decision) DO UPDATE SET times = times + 1",
        pairs,
    )


def counts_of(db: Reader, identity: str) -> dict[str, int]:
    """Give what was counted for an experience since it last joined its standing."""
    sql = "SELECT decision, times FROM decision_counts WHERE experience_id = ?"
    return dict(db.rows(sql, (identity,)))


def counted(db: Reader) -> list[str]:
    """Give the experiences for which something was counted since."""
    rows = db.rows("SELECT DISTINCT experience_id FROM decision_counts ORDER BY 1")
    return [row[0] for row in rows]


def clear_counts(tx: Transaction, identity: str) -> None:
    """Forget the counts of an experience that have joined its standing."""
    tx.run("DELETE FROM decision_counts WHERE experience_id = ?", (identity,))


def _audited(row: Row) -> Audited:
    identity, decision, created_at, rating, worked, data = row
    known = None if worked is None else bool(worked)
    return Audited(identity, decision, created_at, rating, known, json.loads(data))
