"""Runs of reflection: what was looked at, what came of it, and why if nothing did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Row, Transaction

OPEN = "open"
"""A run that was begun, or that waits; it holds its conversation and can go on."""


class Run(NamedTuple):
    """One run."""

    id: str
    status: str
    """`open`, `done`, `skipped` or `invalid`."""
    created_at: str
    data: Mapping[str, Json]
    """`reason`, `lessons`, `dropped`, `previews`; `input` while it is open."""


def put(tx: Transaction, identity: str, status: str, data: Mapping[str, Json]) -> None:
    """Store a run, in place of what was known of it; a new one began now."""
    tx.run(
        "INSERT INTO reflections (id, status, created_at, data) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET status = excluded.status, data = excluded.data",
        (identity, status, tx.now, json.dumps(data, ensure_ascii=False)),
    )


def get(db: Reader, identity: str) -> Run | None:
    """Give one run, or None."""
    found = db.row(f"{_SELECT} WHERE id = ?", (identity,))
    return _run(found) if found else None


def listed(db: Reader, *, status: str = "", limit: int = -1) -> list[Run]:
    """Give runs, the last first: all, or those of one status."""
    sql = f"{_SELECT} WHERE (? = '' OR status = ?) ORDER BY seq DESC LIMIT ?"
    return [_run(row) for row in db.rows(sql, (status, status, limit))]


def remove_open_before(tx: Transaction, time: str) -> None:
    """Drop the conversations of runs that nobody finished for so long."""
    tx.run(
        "UPDATE reflections SET status = 'skipped', data = ? "
        "WHERE status = ? AND created_at < ?",
        ('{"reason": "expired"}', OPEN, time),
    )


_SELECT = "SELECT id, status, created_at, data FROM reflections"


def _run(row: Row) -> Run:
    return Run(row[0], row[1], row[2], read_back(row[3], row[0]))
