"""Erase an experience or an episode so that its text is in no page of the file.

Deleting elsewhere keeps versions and a tombstone with the name. This keeps the id
alone, so that a card of another branch does not come in again unasked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from experience_pack.errors import LockedError
from experience_pack.formats.strict_json import read_back
from experience_pack.model import Json, Tombstone
from experience_pack.store import indexing, outbox, tombstones
from experience_pack.store.connection import Reader, Store, Transaction, Translated

FORGOTTEN = "forgotten"
"""Reason of the tombstone."""

COMPACT = "compact"
"""Topic of the outbox: rows are gone whose bytes still have to go."""


class Held(NamedTuple):
    """How many rows hold something about a subject."""

    versions: int
    decisions: int
    proposals: int
    imports: int
    """Things that imports did to it."""


def held(db: Reader, identity: str) -> Held:
    """Count what `erase` would remove."""
    counted = (
        "versions WHERE experience_id = ?1",
        f"decisions WHERE {_ABOUT}",
        f"proposals WHERE {_PROPOSED}",
        "import_items WHERE experience_id = ?1",
    )
    found = (db.row(f"SELECT count(*) FROM {one}", (identity,)) for one in counted)
    return Held(*(row[0] if row else 0 for row in found))


def texts(db: Reader, identity: str) -> list[str]:
    """Give every text that all versions of an experience, or an episode, say."""
    rows = db.rows(
        "SELECT content FROM versions WHERE experience_id = ? "
        "UNION ALL SELECT data FROM episodes WHERE id = ?",
        (identity, identity),
    )
    found = (text for (row,) in rows for text in _strings(read_back(row, identity)))
    return sorted(set(found) - {identity})


def holds(db: Reader, identity: str) -> bool:
    """Tell whether anything is here that `erase` would remove."""
    return any(held(db, identity)) or bool(texts(db, identity))


def is_known(db: Reader, identity: str) -> bool:
    """Tell whether there is, or was, an experience or an episode of this id."""
    sql = "SELECT 1 FROM {} WHERE {} = ?"
    places = (("versions", "experience_id"), ("episodes", "id"), ("tombstones", "id"))
    return any(db.row(sql.format(*place), (identity,)) for place in places)


def erase(tx: Transaction, identity: str) -> None:
    """Remove every row about an experience or an episode; only its id stays.

    Its card and the bytes of the rows have to follow: the outbox says so.
    """
    tx.run("PRAGMA secure_delete=ON")
    outcomes = f"SELECT id FROM decisions WHERE {_ABOUT}"
    tx.run(f"DELETE FROM outcomes WHERE decision_id IN ({outcomes})", (identity,))
    tx.run(f"DELETE FROM decisions WHERE {_ABOUT}", (identity,))
    tx.run(f"DELETE FROM proposals WHERE {_PROPOSED}", (identity,))
    _rewrite_changes(tx, identity)
    indexing.remove(tx, identity)
    for table, column in _ROWS:
        tx.run(f"DELETE FROM {table} WHERE {column} = ?", (identity,))
    # what waits to be indexed holds words of what it was
    indexing.refresh(tx)
    stone = Tombstone(id=identity, reason=FORGOTTEN, deleted_at=tx.now)
    tombstones.put(tx, stone)
    for topic in (outbox.CARD, COMPACT):
        outbox.put(tx, topic, [identity])


def compact(store: Store) -> None:
    """Write the file anew without its free pages, and empty its log.

    Where another process is reading, the log cannot be emptied: a `LockedError`.
    """
    with store.alone(), Translated(store.path):
        store.connection.execute("VACUUM")
        done = store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if done[0]:
        raise LockedError(
            f"{store.path}-wal is being read by another process",
            hint="The rows are gone; their bytes go when this is run again after the "
            "other process ended.",
        )
    with store.transaction() as tx:
        outbox.done(tx, outbox.waiting(tx, COMPACT))


_ROWS = (
    ("experiences", "id"),  # before the versions that it refers to
    ("versions", "experience_id"),
    ("edges", "source"),
    ("standing", "experience_id"),
    ("utterances", "experience_id"),
    ("sightings", "experience_id"),
    ("deliveries", "experience_id"),
    ("decision_counts", "experience_id"),
    ("import_items", "experience_id"),
    ("episodes", "id"),
)


_PROPOSED = "experience_id = ?1 OR instr(data, ?1) > 0"


_ABOUT = (
    "instr(data, ?1) > 0 OR EXISTS (SELECT 1 FROM versions v "
    "WHERE v.experience_id = ?1 AND json_extract(v.content, '$.name') <> '' "
    "AND instr(data, json_extract(v.content, '$.name')) > 0)"
)
"""The data has the id, or a name that it ever had."""


def _rewrite_changes(tx: Transaction, identity: str) -> None:
    """Take the subject out of what imports would need to be taken back."""
    rows = tx.rows(
        "SELECT seq, change FROM imports WHERE instr(change, ?) > 0", (identity,)
    )
    for seq, text in rows:
        change = read_back(text, "change")
        for key, name in (("standing", "experience"), ("documents", "id")):
            kept = [one for one in change.get(key, ()) if one[name] != identity]
            change[key] = kept
        data = json.dumps(change, ensure_ascii=False)
        tx.run("UPDATE imports SET change = ? WHERE seq = ?", (data, seq))


_NO_TEXT = ("id", "kind", "type", "source", "category", "created_at")
"""Keys whose values stand in many places and tell nothing of this one."""


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if key not in _NO_TEXT:
                yield from _strings(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _strings(one)
