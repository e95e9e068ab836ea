"""Observations: finished exchanges, bounded and redacted, until they were analysed.

They are read by number from a watermark on, so neither an append nor a batch looks
at what was there before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Transaction


class Observation(NamedTuple):
    """One exchange."""

    seq: int
    id: str
    host: str
    session: str
    request: str
    reply: str
    size: int
    """Bytes of both texts in UTF-8."""
    created_at: str


class Analysis(NamedTuple):
    """One batch that was analysed."""

    watermark: int
    """Number of the last observation that was read."""
    created_at: str
    data: Mapping[str, Json]


def put(tx: Transaction, identity: str, values: Mapping[str, str]) -> None:
    """Append an observation of `host`, `session`, `request` and `reply`."""
    texts = values["request"], values["reply"]
    size = sum(len(text.encode("utf-8")) for text in texts)
    tx.run(
        "INSERT INTO observations (id, host, session, request, reply, size, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (identity, values["host"], values["session"], *texts, size, tx.now),
    )


def last(db: Reader) -> int:
    """Give the number of the last observation, 0 if there is none."""
    found = db.row("SELECT coalesce(max(seq), 0) FROM observations")
    return int(found[0]) if found else 0


def batch(
    db: Reader, after: int, until: int, records: int, size: int
) -> list[Observation]:
    """Give what follows a number up to a boundary, within a count and bytes.

    The first is always among them.
    """
    rows = db.rows(
        f"{_SELECT} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        (after, until, records),
    )
    found: list[Observation] = []
    total = 0
    for one in map(Observation._make, rows):
        total += one.size
        if found and total > size:
            break
        found.append(one)
    return found


def recent(db: Reader, session: str, limit: int) -> list[Observation]:
    """Give the last exchanges of a session, else of the last session, in order."""
    if not session:
        row = db.row("SELECT session FROM observations ORDER BY seq DESC LIMIT 1")
        session = row[0] if row else ""
    sql = f"{_SELECT} WHERE session = ? ORDER BY seq DESC LIMIT ?"
    return [Observation(*row) for row in db.rows(sql, (session, limit))][::-1]


def watermark(db: Reader) -> int:
    """Give the number of the last observation that was analysed."""
    row = db.row("SELECT watermark FROM analyses ORDER BY seq DESC LIMIT 1")
    return int(row[0]) if row else 0


def count_unread(db: Reader) -> int:
    """Give how many observations wait."""
    row = db.row("SELECT count(*) FROM observations WHERE seq > ?", (watermark(db),))
    return int(row[0]) if row else 0


def commit(tx: Transaction, reached: int, data: Mapping[str, Json]) -> None:
    """Move the watermark, in the transaction that writes what was found."""
    tx.run(
        "INSERT INTO analyses (watermark, created_at, data) VALUES (?, ?, ?)",
        (reached, tx.now, json.dumps(data, ensure_ascii=False)),
    )


def analyses(db: Reader, limit: int = -1) -> list[Analysis]:
    """Give the batches, the last first."""
    rows = db.rows(
        "SELECT watermark, created_at, data FROM analyses ORDER BY seq DESC LIMIT ?",
        (limit,),
    )
    return [Analysis(row[0], row[1], read_back(row[2], "analysis")) for row in rows]


def expire(tx: Transaction, time: str) -> int:
    """Remove the texts of what was analysed and made before a time; give how many."""
    until = watermark(tx)
    where = "WHERE seq <= ? AND created_at < ?"
    found = tx.row(f"SELECT count(*) FROM observations {where}", (until, time))
    tx.run(f"DELETE FROM observations {where}", (until, time))
    return int(found[0]) if found else 0


_SELECT = (
    "SELECT seq, id, host, session, request, reply, size, created_at FROM observations"
)
