"""What a search reads of the experiences that it came upon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader


class CandidateRow(NamedTuple):
    """What the store says of an experience that may answer."""

    seq: int
    id: str
    kind: str
    name: str
    family: str
    parent_id: str
    category: str
    digest: str
    content: bytes
    """Canonical JSON, not decoded: most of it is never looked at."""
    standing: str
    """Own standing as canonical JSON; empty if there is none."""
    phrases: str
    tags: str
    event: str


def candidate_rows(db: Reader, seqs: Sequence[int]) -> list[CandidateRow]:
    """Give what the store says of some experiences, in no particular order."""
    marks = ",".join("?" * len(seqs))
    return [*map(CandidateRow._make, db.rows(f"{_CANDIDATES} ({marks})", seqs))]


_CANDIDATES = """SELECT e.seq, e.id, e.kind, e.name, e.family, e.parent_id, e.category,
    e.digest, CAST(v.content AS BLOB), coalesce(s.data, ''), d.phrases, d.tags, d.event
  FROM experiences e
  JOIN versions v ON v.seq = e.version_seq
  JOIN search_documents d ON d.seq = e.seq
  LEFT JOIN standing s ON s.experience_id = e.id AND s.installation =
    (SELECT value FROM meta WHERE key = 'installation')
  WHERE e.seq IN"""


def in_family(db: Reader, family: str, limit: int) -> list[str]:
    """Give the ids of a family, the oldest first; the empty one has no members."""
    if not family:
        return []
    sql = "SELECT id FROM experiences WHERE family = ? ORDER BY seq LIMIT ?"
    return [row[0] for row in db.rows(sql, (family, limit))]
