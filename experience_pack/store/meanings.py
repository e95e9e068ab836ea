"""What a model made of each experience's utterances, and utterances learnt here.

Made rows are stamped with the model and with what they were made of, so what is out
of date is found by comparing: a save needs to note nothing, and another model makes
everything anew. Learnt utterances belong to this installation, like standing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction

LEARNT_LIMIT = 20
"""Utterances of each kind that are learnt for an experience; more hardly add."""


class Due(NamedTuple):
    """An experience whose meaning has to be made."""

    seq: int
    id: str
    stamp: str
    content: str
    """Canonical JSON."""


class Made(NamedTuple):
    """What was made of an experience's utterances."""

    seq: int
    data: bytes


class Learnt(NamedTuple):
    """An utterance that was confirmed, or turned down, for an experience here."""

    text: str
    means: bool


def due(db: Reader, model: str, limit: int = -1) -> list[Due]:
    """Give what is not made by a model, or not of the present utterances."""
    return [*map(Due._make, db.rows(f"{_DUE} LIMIT ?", (model, limit)))]


def count_due(db: Reader, model: str) -> int:
    """Give how many `due` would give."""
    found = db.row(f"SELECT count(*) FROM ({_DUE})", (model,))
    return int(found[0]) if found else 0


def count_stale(db: Reader) -> int:
    """Give how many experiences no model made as they now are."""
    found = db.row(
        "SELECT count(*) FROM experiences e LEFT JOIN meanings m "
        "ON m.experience_seq = e.seq AND instr(m.stamp, e.digest) = 1 "
        "WHERE m.stamp IS NULL AND e.kind NOT IN ('habit', 'lesson')"
    )
    return int(found[0]) if found else 0


def put_all(tx: Transaction, model: str, rows: Iterable[tuple[Due, bytes]]) -> None:
    """Store what was made, unless it is out of date already."""
    tx.run_many(
        f"INSERT OR REPLACE INTO meanings SELECT e.seq, ?, {_STAMP}, ? "
        f"FROM experiences e WHERE e.seq = ? AND {_STAMP} = ?",
        [(model, data, one.seq, one.stamp) for one, data in rows],
    )


def made(db: Reader, model: str) -> Iterator[Made]:
    """Give what a model made, by experience, a batch at a time."""
    last = -1
    while rows := db.rows(
        "SELECT m.experience_seq, m.data FROM meanings m "
        "WHERE m.model = ? AND m.experience_seq > ? ORDER BY 1 LIMIT 500",
        (model, last),
    ):
        yield from map(Made._make, rows)
        last = rows[-1][0]


def count_made(db: Reader, model: str) -> int:
    """Give of how many experiences a model made something."""
    found = db.row("SELECT count(*) FROM meanings WHERE model = ?", (model,))
    return int(found[0]) if found else 0


def size(db: Reader, model: str) -> int:
    """Give how many bytes a model made of all utterances."""
    found = db.row(
        "SELECT coalesce(sum(length(data)), 0) FROM meanings WHERE model = ?", (model,)
    )
    return int(found[0]) if found else 0


def model(db: Reader) -> str:
    """Give the model that made what is here, nothing where none did."""
    found = db.row("SELECT model FROM meanings ORDER BY experience_seq DESC LIMIT 1")
    return str(found[0]) if found else ""


def version(db: Reader) -> tuple[int, ...]:
    """Give numbers that move when content, utterances or what was made changes."""
    rows = db.rows(
        "SELECT value FROM meta WHERE key IN ('match_version', 'meanings') "
        "UNION ALL SELECT seq FROM sqlite_sequence WHERE name = 'versions'"
    )
    return tuple(int(value) for (value,) in rows)


def moved(tx: Transaction) -> None:
    """Note that utterances, or what was made of them, have changed."""
    tx.run(
        "INSERT INTO meta VALUES ('meanings', 1) "
        "ON CONFLICT (key) DO UPDATE SET value = value + 1"
    )


def learn(tx: Transaction, identity: str, text: str, *, means: bool) -> None:
    """Keep an utterance that does, or does not, mean an experience.

    The last word about a text counts, and beyond the limit the oldest goes.
    """
    tx.run(
        "INSERT INTO utterances (experience_id, text, means, created_at) "
        "SELECT id, ?, ?, ? FROM experiences WHERE id = ? "
        "ON CONFLICT (experience_id, text) DO UPDATE SET means = excluded.means",
        (text, means, tx.now, identity),
    )
    tx.run(
        "DELETE FROM utterances WHERE experience_id = ?1 AND means = ?2 AND seq NOT IN "
        "(SELECT seq FROM utterances WHERE experience_id = ?1 AND means = ?2 "
        "ORDER BY seq DESC LIMIT ?3)",
        (identity, means, LEARNT_LIMIT),
    )
    moved(tx)


def learnt(db: Reader, identity: str) -> list[Learnt]:
    """Give what was learnt for an experience, the oldest first."""
    rows = db.rows(
        "SELECT text, means FROM utterances WHERE experience_id = ? ORDER BY seq",
        (identity,),
    )
    return [Learnt(text, bool(means)) for text, means in rows]


_STAMP = (
    "e.digest || ' ' || (SELECT coalesce(total(seq * (2 * means + 1)), 0) "
    "FROM utterances u WHERE u.experience_id = e.id)"
)
"""Content, and a sum that moves with each utterance learnt, dropped or turned."""

_DUE = (
    f"SELECT e.seq, e.id, {_STAMP}, v.content FROM experiences e "
    "JOIN versions v ON v.seq = e.version_seq "
    "LEFT JOIN meanings m ON m.experience_seq = e.seq AND m.model = ? "
    f"AND m.stamp = {_STAMP} "
    "WHERE m.stamp IS NULL AND e.kind NOT IN ('habit', 'lesson') ORDER BY e.seq"
)
