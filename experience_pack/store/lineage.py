"""What the present text of an experience descends from, digest by digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from experience_pack.formats.canonical import canonical
from experience_pack.formats.strict_json import loads
from experience_pack.store.connection import Reader, Transaction


class Step(NamedTuple):
    """One text that the present one descends from."""

    digest: str
    version: int | None
    """Number of a version that has this text; None if it was never here."""


class _Descent(NamedTuple):
    """How a version came about that is no edit of the one before it."""

    same_as: int | None
    adopted: Sequence[str]


_DESCENTS = "SELECT version_seq, same_as, adopted FROM descents"


def of(db: Reader, identity: str) -> list[Step]:
    """Give what an experience descends from, the oldest first, its own text last.

    A text that it had twice stands twice. What an undone import brought is not in it.
    """
    current = db.row("SELECT version_seq FROM experiences WHERE id = ?", (identity,))
    if current is None:
        return []
    versions = db.rows(
        "SELECT seq, digest FROM versions WHERE experience_id = ? ORDER BY seq",
        (identity,),
    )
    descents = db.rows(
        f"{_DESCENTS} WHERE version_seq IN "
        "(SELECT seq FROM versions WHERE experience_id = ?)",
        (identity,),
    )
    numbers = {digest: seq for seq, digest in versions}
    walked = _walk(current[0], dict(versions), _read(descents))
    return [Step(digest, numbers.get(digest)) for digest in walked]


def of_many(db: Reader) -> Iterator[tuple[str, list[str]]]:
    """Give `(id, digests)` of everything that descends from more than itself."""
    rows = db.rows(
        "SELECT e.id, e.version_seq, v.seq, v.digest FROM experiences e "
        "JOIN versions v ON v.experience_id = e.id WHERE e.id IN "
        "(SELECT experience_id FROM versions GROUP BY 1 HAVING count(*) > 1 "
        "UNION SELECT experience_id FROM versions JOIN descents ON seq = version_seq) "
        "ORDER BY e.id, v.seq"
    )
    descents = _read(db.rows(_DESCENTS))
    listed: dict[tuple[str, int], dict[int, str]] = {}
    for identity, current, seq, digest in rows:
        listed.setdefault((identity, current), {})[seq] = digest
    for (identity, current), versions in listed.items():
        walked = _walk(current, versions, descents)
        if len(walked) > 1:
            yield identity, walked


def adopt(tx: Transaction, identity: str, digests: Sequence[str]) -> None:
    """Note what the present text descends from beside the versions here."""
    if not digests:
        return
    current = tx.row("SELECT version_seq FROM experiences WHERE id = ?", (identity,))
    version = current[0] if current else None
    while version is not None:
        row = tx.row(f"{_DESCENTS} WHERE version_seq = ?", (version,))
        known = _read([row])[version] if row else _Descent(None, ())
        if known.same_as is None:
            _note(tx, version, None, [*known.adopted, *digests])
        version = known.same_as


def return_to(tx: Transaction, identity: str, version: int) -> None:
    """Note that the newest version is an older one again, as if nothing had been."""
    current = tx.row("SELECT version_seq FROM experiences WHERE id = ?", (identity,))
    if current:
        _note(tx, current[0], version, ())


def _note(
    tx: Transaction, version: int, same_as: int | None, adopted: Sequence[str]
) -> None:
    tx.run(
        "INSERT OR REPLACE INTO descents VALUES (?, ?, ?)",
        (version, same_as, canonical([*adopted])),
    )


def _read(rows: Sequence[Sequence[object]]) -> dict[int, _Descent]:
    return {
        int(str(row[0])): _Descent(
            None if row[1] is None else int(str(row[1])), loads(str(row[2]), "descents")
        )
        for row in rows
    }


def _walk(
    current: int, versions: Mapping[int, str], descents: Mapping[int, _Descent]
) -> list[str]:
    """Go back from a version to the first, past what was taken back."""
    before = dict(zip([*versions][1:], versions, strict=False))
    found: list[str] = []
    at: int | None = current
    while at is not None:
        descent = descents.get(at, _Descent(None, ()))
        if descent.same_as is not None:
            at = descent.same_as
            continue
        found += [versions[at], *reversed(descent.adopted)]
        at = before.get(at)
    return found[::-1]
