"""The files that an export writes: where each belongs, and which row has its text.

They are listed in a table that only this connection sees and that goes with its
snapshot, so that a pack of any size is put together without being held in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.store.connection import Snapshot

CARD, SKILL, EPISODE = "card", "skill", "episode"
MADE = "made"
"""What no row has the text of."""

Text = tuple[str, bytes | None, str]
"""Path, bytes (None if no row has them), and what a skill calls itself."""

_CACHE = 1_000  # kilobytes of the list; what is beyond waits in a temporary file
_BATCH = 500  # texts held at once; together about a megabyte


class Member(NamedTuple):
    """What names the files of one experience."""

    seq: int
    id: str
    digest: str
    kind: str
    name: str
    category: str
    skill_name: str
    parent_name: str
    parent_id: str


def begin(db: Snapshot) -> None:
    """Begin a list without files."""
    db.run(f"PRAGMA temp.cache_size = -{_CACHE}")
    db.run(
        "CREATE TEMP TABLE packing (path TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, "
        "part TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID"
    )


def add(db: Snapshot, path: str, key: str, part: str, seq: int) -> bool:
    """List a file; False if another has its `key`, which is one path on some system."""
    sql = "INSERT OR IGNORE INTO packing VALUES (?, ?, ?, ?)"
    return db.run(sql, (path, key, part, seq)) == 1


def members(db: Snapshot) -> Iterator[Member]:
    """Give every experience, by id, a batch at a time."""
    last = ""
    while rows := db.rows(
        "SELECT e.seq, e.id, e.digest, e.kind, e.name, e.category, r.skill_name, "
        "COALESCE(p.name, ''), COALESCE(p.id, '') FROM experiences e "
        "JOIN renders r ON r.seq = e.seq LEFT JOIN experiences p ON p.id = e.parent_id "
        f"WHERE e.id > ? ORDER BY e.id LIMIT {_BATCH}",
        (last,),
    ):
        yield from (Member(*row) for row in rows)
        last = rows[-1][1]


def episodes(db: Snapshot, identities: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Give row, id and type of those of the episodes that exist."""
    for identity in identities:
        sql = "SELECT seq, id, type FROM episodes WHERE id = ?"
        yield from ((row[0], row[1], row[2]) for row in db.rows(sql, (identity,)))


def paths(db: Snapshot) -> Iterator[str]:
    """Give the listed paths in order."""
    last = ""
    while rows := db.rows(
        f"SELECT path FROM packing WHERE path > ? ORDER BY path LIMIT {_BATCH}",
        (last,),
    ):
        yield from (row[0] for row in rows)
        last = rows[-1][0]


def count(db: Snapshot) -> int:
    """Give how many files are listed."""
    found = db.row("SELECT count(*) FROM packing")
    return int(found[0]) if found else 0


def text(db: Snapshot, path: str) -> Text | None:
    """Give one listed file, or None."""
    found = db.row(f"{_TEXTS} WHERE path = ?", (path,))
    return (found[0], found[1], found[2]) if found else None


def texts(db: Snapshot) -> Iterator[Text]:
    """Give every listed file by path, a batch at a time."""
    last = ""
    while rows := db.rows(
        f"{_TEXTS} WHERE path > ? ORDER BY path LIMIT {_BATCH}", (last,)
    ):
        yield from ((row[0], row[1], row[2]) for row in rows)
        last = rows[-1][0]


_TEXTS = f"""SELECT path, CAST(CASE part
    WHEN '{CARD}' THEN (SELECT card FROM renders r WHERE r.seq = p.seq)
    WHEN '{SKILL}' THEN (SELECT skill FROM renders r WHERE r.seq = p.seq)
    WHEN '{EPISODE}' THEN (SELECT data || char(10) FROM episodes e WHERE e.seq = p.seq)
    END AS BLOB), CASE part
    WHEN '{SKILL}' THEN (SELECT skill_name FROM renders r WHERE r.seq = p.seq)
    ELSE '' END FROM packing p"""
