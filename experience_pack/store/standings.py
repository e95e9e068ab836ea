"""Standing, one row for each installation and experience."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from experience_pack.formats.strict_json import read_back
from experience_pack.model import Json, Standing
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Standing)

Key = tuple[str, str]
"""Installation and experience id."""


def here(db: Reader) -> str:
    """Give the id of this installation, also inside a transaction."""
    found = db.row("SELECT value FROM meta WHERE key = 'installation'")
    assert found is not None
    return str(found[0])


def own(db: Reader, installation: str, identity: str) -> Standing | None:
    """Give what an installation has seen of one experience, or None."""
    found = db.row(
        "SELECT data FROM standing WHERE experience_id = ? AND installation = ?",
        (identity, installation),
    )
    return _codec.read(found[0]) if found else None


def seen_here(db: Reader) -> dict[str, Standing]:
    """Give what this installation has seen of everything, by experience."""
    return of_installation(db, here(db))


def of_installation(db: Reader, installation: str) -> dict[str, Standing]:
    """Give what an installation has seen of everything, by experience."""
    rows = db.rows(
        "SELECT experience_id, data FROM standing WHERE installation = ?",
        (installation,),
    )
    return {row[0]: _codec.read(row[1]) for row in rows}


def of_others(db: Reader) -> dict[str, list[Mapping[str, Json]]]:
    """Give what other installations have seen of everything, by experience."""
    found: dict[str, list[Mapping[str, Json]]] = {}
    for identity, data in db.rows(
        "SELECT experience_id, data FROM standing WHERE installation NOT IN "
        "(SELECT id FROM installations WHERE mine = 1)"
    ):
        found.setdefault(identity, []).append(read_back(data, identity))
    return found


def texts(db: Reader) -> Iterator[tuple[str, str, str]]:
    """Give `(installation, experience, canonical JSON)` of every row, in order."""
    sql = "SELECT DISTINCT installation FROM standing ORDER BY 1"
    for (installation,) in db.rows(sql):
        last = ""
        while rows := db.rows(
            "SELECT experience_id, data FROM standing WHERE installation = ? "
            "AND experience_id > ? ORDER BY 1 LIMIT 2000",
            (installation, last),
        ):
            yield from ((installation, *row) for row in rows)
            last = rows[-1][0]


def of_many(db: Reader, identities: Sequence[str]) -> list[tuple[Key, Standing]]:
    """Give what every installation has seen of some experiences."""
    found = []
    for identity in identities:
        rows = db.rows(
            "SELECT installation, data FROM standing WHERE experience_id = ?",
            (identity,),
        )
        found += [((row[0], identity), _codec.read(row[1])) for row in rows]
    return found


def put(tx: Transaction, key: Key, standing: Standing) -> None:
    """Store one row, in place of the one that was there."""
    put_all(tx, [(key, standing)])


def put_all(tx: Transaction, rows: Iterable[tuple[Key, Standing]]) -> None:
    """Store many rows; installations never seen before become known."""
    listed = list(rows)
    _know(tx, {installation for (installation, _), _ in listed})
    tx.run_many(
        "INSERT INTO standing VALUES (?, ?, ?) "
        "ON CONFLICT (experience_id, installation) DO UPDATE SET data = excluded.data",
        [(*key, _codec.write(standing)) for key, standing in listed],
    )


def remove(tx: Transaction, keys: Iterable[Key]) -> None:
    """Remove rows, as undoing an import does."""
    tx.run_many(
        "DELETE FROM standing WHERE installation = ? AND experience_id = ?", keys
    )


def mine(db: Reader) -> set[str]:
    """Give the installations whose counters count in full."""
    return {row[0] for row in db.rows("SELECT id FROM installations WHERE mine = 1")}


def _know(tx: Transaction, installations: set[str]) -> None:
    tx.run_many(
        "INSERT OR IGNORE INTO installations VALUES (?, 0, ?)",
        [(one, tx.now) for one in sorted(installations)],
    )
