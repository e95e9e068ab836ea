"""What a request reads beside its candidates, as plain JSON; cheap to load.

The records of the same rows are in the modules by table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Transaction


class Basis(NamedTuple):
    """An experience that another one builds on."""

    id: str
    digest: str
    content: Mapping[str, Json]
    standing: str
    """Own standing as canonical JSON; empty if there is none."""


def named(db: Reader, words: str) -> str:
    """Give the id that an id or a name means; empty for none, or for several."""
    if db.row("SELECT 1 FROM experiences WHERE id = ?", (words,)):
        return words
    found = db.rows("SELECT id FROM experiences WHERE name = ? LIMIT 2", (words,))
    return str(found[0][0]) if len(found) == 1 else ""


def read(db: Reader, identities: Sequence[str]) -> dict[str, Basis]:
    """Give those of the experiences that exist, by id."""
    marks = ",".join("?" * len(identities))
    rows = db.rows(
        "SELECT e.id, e.digest, v.content, coalesce(s.data, '') FROM experiences e "
        "JOIN versions v ON v.seq = e.version_seq "
        "LEFT JOIN standing s ON s.experience_id = e.id AND s.installation = "
        "(SELECT value FROM meta WHERE key = 'installation') "
        f"WHERE e.id IN ({marks})",
        identities,
    )
    return {
        row[0]: Basis(row[0], row[1], read_back(row[2], row[0]), row[3]) for row in rows
    }


def imported_among(db: Reader, identities: Sequence[str]) -> set[str]:
    """Give those of some experiences that an import in force wrote."""
    marks = ",".join("?" * len(identities))
    rows = db.rows(
        "SELECT DISTINCT i.experience_id FROM import_items i "
        "JOIN imports p ON p.seq = i.import_seq "
        f"WHERE p.undone_at = '' AND i.digest <> '' AND i.experience_id IN ({marks})",
        identities,
    )
    return {row[0] for row in rows}


MOST_FOREIGN = 1_000
"""Rows of others that one request looks at; a file may bring any number."""


def foreign_among(
    db: Reader, identities: Sequence[str]
) -> dict[str, list[Mapping[str, Json]]]:
    """Give what other installations saw of some experiences, by experience."""
    marks = ",".join("?" * len(identities))
    rows = db.rows(
        f"SELECT experience_id, data FROM standing WHERE experience_id IN ({marks}) "
        "AND installation NOT IN (SELECT id FROM installations WHERE mine = 1) "
        f"LIMIT {MOST_FOREIGN}",
        identities,
    )
    found: dict[str, list[Mapping[str, Json]]] = {}
    for identity, data in rows:
        found.setdefault(identity, []).append(read_back(data, identity))
    return found


def registered_areas(db: Reader) -> dict[str, Mapping[str, Json]]:
    """Give the parameters of the categories that were registered here, by name."""
    rows = db.rows("SELECT name, data FROM categories")
    return {row[0]: read_back(row[1], row[0]) for row in rows}


def active_goals(db: Reader) -> list[Mapping[str, Json]]:
    """Give the goals that are pursued, in the order in which they were set."""
    rows = db.rows("SELECT data FROM goals WHERE status = 'active' ORDER BY seq")
    return [read_back(row[0], "goal") for row in rows]


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


def reminders(db: Reader) -> list[tuple[str, str]]:
    """Give `(reason, time)` of all reminders, the last first."""
    rows = db.rows("SELECT reason, created_at FROM goal_reminders ORDER BY seq DESC")
    return [(row[0], row[1]) for row in rows]
