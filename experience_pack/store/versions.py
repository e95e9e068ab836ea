"""Versions: every content an experience ever had here."""

from __future__ import annotations

from experience_pack.errors import NotFoundError
from experience_pack.formats.prepared import Prepared
from experience_pack.formats.strict_json import loads
from experience_pack.model import Experience, Version
from experience_pack.store import experiences
from experience_pack.store.connection import Reader, Transaction


def of(db: Reader, identity: str) -> list[Version]:
    """Give the versions of an experience, the newest first."""
    rows = db.rows(
        "SELECT seq, digest, note, created_at FROM versions "
        "WHERE experience_id = ? ORDER BY seq DESC",
        (identity,),
    )
    return [
        Version(id=row[0], digest=row[1], note=row[2], created_at=row[3])
        for row in rows
    ]


def current(db: Reader, identity: str) -> int | None:
    """Give the number of the version in force, or None if there is none."""
    sql = "SELECT version_seq FROM experiences WHERE id = ?"
    found = db.row(sql, (identity,))
    return found[0] if found else None


def get(db: Reader, identity: str, number: int) -> Experience:
    """Give an experience as a version had it."""
    found = db.row(
        "SELECT content FROM versions WHERE experience_id = ? AND seq = ?",
        (identity, number),
    )
    if found is None:
        raise NotFoundError(
            f"{identity} has no version {number}",
            hint=f"`experience-pack versions {identity}` lists them.",
        )
    return Experience.from_dict({"id": identity, **loads(found[0], identity)})


def digests(db: Reader, identity: str) -> set[str]:
    """Give the digests of all versions of an experience."""
    rows = db.rows("SELECT digest FROM versions WHERE experience_id = ?", (identity,))
    return {row[0] for row in rows}


def restore(tx: Transaction, identity: str, number: int, note: str = "") -> Experience:
    """Make an older content the newest version; a deleted experience lives again."""
    experience = get(tx, identity, number)
    experiences.save(tx, experience, note or f"restored version {number}")
    return experience


def keep(tx: Transaction, kept: Prepared, note: str = "") -> None:
    """Store a text as a version below the one that comes next."""
    tx.run(
        "INSERT INTO versions (experience_id, digest, content, note, created_at) "
        "VALUES (?, ?, ?, ?, ?)",
        (kept.experience.id, kept.digest, kept.text, note, tx.now),
    )


def repeat(tx: Transaction, identity: str, note: str = "") -> None:
    """Make the present text the newest version once more."""
    number = tx.run(
        "INSERT INTO versions (experience_id, digest, content, note, created_at) "
        "SELECT experience_id, digest, content, ?, ? FROM versions WHERE seq = ?",
        (note, tx.now, current(tx, identity)),
    )
    tx.run("UPDATE experiences SET version_seq = ? WHERE id = ?", (number, identity))


def numbers(db: Reader) -> dict[str, int]:
    """Give how many versions each experience has, where there is more than one."""
    rows = db.rows(
        "SELECT experience_id, count(*) FROM versions "
        "GROUP BY experience_id HAVING count(*) > 1"
    )
    return {row[0]: row[1] for row in rows}
