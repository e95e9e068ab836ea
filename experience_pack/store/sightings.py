"""When and where a lesson was seen; how often is a sum, so nothing counts twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.model.values import Json
from experience_pack.store.connection import Reader, Transaction


class Sighting(NamedTuple):
    """One source that showed a lesson."""

    experience_id: str
    source: str
    """Where: a reflection, a day of an imported folder, an observation."""
    quote: str
    """The passage that showed it, redacted; empty where the source had none."""
    hits: int
    first_seen: str
    last_seen: str


class Seen(NamedTuple):
    """All sightings of a lesson together, and what it says now."""

    id: str
    digest: str
    content: str
    """Canonical JSON."""
    standing: str
    """Own standing as canonical JSON; empty if there is none."""
    hits: int
    first_seen: str
    last_seen: str


def put_all(tx: Transaction, found: Iterable[Sighting]) -> None:
    """Keep sightings; the same source says the same again without adding to it."""
    tx.run_many(
        "INSERT INTO sightings (experience_id, source, quote, hits, first_seen, "
        "last_seen) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        found,
    )


def of(db: Reader, identity: str) -> list[Sighting]:
    """Give the sightings of one lesson, the first first."""
    return [Sighting(*row) for row in db.rows(f"{_ONE} ORDER BY seq", (identity,))]


def on_days(db: Reader, days: str) -> list[Sighting]:
    """Give what was last seen on a day, in a month (`2026-12`) or year, in order."""
    sql = f"{_ALL} WHERE substr(last_seen, 1, ?) = ? ORDER BY seq"
    return [Sighting(*row) for row in db.rows(sql, (len(days), days))]


def days(db: Reader) -> list[str]:
    """Give the days on which anything was seen, the last first."""
    sql = "SELECT DISTINCT substr(last_seen, 1, 10) FROM sightings ORDER BY 1 DESC"
    return [row[0] for row in db.rows(sql)]


def lessons(db: Reader, identities: Sequence[str] | None = None) -> list[Seen]:
    """Give all lessons, or some, with what was seen of them, the oldest first."""
    picked = ""
    if identities is not None:
        picked = f"AND e.id IN ({','.join('?' * len(identities))}) "
    rows = db.rows(_SEEN.format(picked=picked), identities or ())
    return [Seen(*row) for row in rows]


def habits(db: Reader, limit: int) -> list[Mapping[str, Json]]:
    """Give the content of the habits that changed last."""
    rows = db.rows(
        "SELECT v.content FROM experiences e JOIN versions v ON v.seq = e.version_seq "
        "WHERE e.kind = 'habit' ORDER BY e.updated_at DESC, e.seq DESC LIMIT ?",
        (limit,),
    )
    return [read_back(row[0], "habit") for row in rows]


_COLUMNS = "experience_id, source, quote, hits, first_seen, last_seen"
_ALL = f"SELECT {_COLUMNS} FROM sightings"
_ONE = f"{_ALL} WHERE experience_id = ?"

_SEEN = (
    "SELECT e.id, e.digest, v.content, coalesce(s.data, ''), "
    "coalesce(sum(g.hits), 1), coalesce(min(g.first_seen), e.created_at), "
    "coalesce(max(g.last_seen), e.created_at) FROM experiences e "
    "JOIN versions v ON v.seq = e.version_seq "
    "LEFT JOIN standing s ON s.experience_id = e.id AND s.installation = "
    "(SELECT value FROM meta WHERE key = 'installation') "
    "LEFT JOIN sightings g ON g.experience_id = e.id "
    "WHERE e.kind = 'lesson' {picked}GROUP BY e.seq ORDER BY e.seq"
)
