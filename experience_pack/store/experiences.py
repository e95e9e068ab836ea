"""Experiences, their versions and their edges: saving, reading, deleting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from experience_pack.errors import NotFoundError, RefusedError
from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.formats.strict_json import loads
from experience_pack.model import Experience, Tombstone
from experience_pack.store import indexing, outbox, renders, tombstones
from experience_pack.store.connection import Reader, Transaction

ACYCLIC = ("parent", "prerequisite", "extends")
"""Relations in which nothing may lead back to itself."""

_CHUNK = 500  # ids a query; SQLite allows at least 999 variables
_BATCH = 2000  # experiences held in memory while many are saved


class Entry(NamedTuple):
    """One experience as a list shows it."""

    id: str
    kind: str
    name: str
    category: str
    family: str
    parent_id: str
    digest: str
    created_at: str
    updated_at: str


class Stored(NamedTuple):
    """One experience's content as it is stored: canonical JSON and its card."""

    id: str
    digest: str
    content: str
    card: str


class Card(NamedTuple):
    """One experience's card and the digest of the content that it holds."""

    id: str
    digest: str
    text: str


_ENTRY = "id, kind, name, category, family, parent_id, digest, created_at, updated_at"


def save(tx: Transaction, experience: Experience, note: str = "") -> bool:
    """Store one experience; give whether that changed anything.

    A new content becomes a version with `note`. A reference that leads back to
    the experience itself is a `RefusedError`.
    """
    return bool(save_all(tx, [experience], note))


def save_all(
    tx: Transaction, experiences: Iterable[Experience], note: str = ""
) -> list[str]:
    """Store many experiences; give the ids of those that were new or changed."""
    return save_prepared(tx, map(prepare, experiences), note)


def save_prepared(
    tx: Transaction, experiences: Iterable[Prepared], note: str = ""
) -> list[str]:
    """Store many experiences as `save_all` does, without writing them out again."""
    changed: list[str] = []
    for batch in _batches(experiences):
        changed += _save_batch(tx, batch, note)
    _refuse_cycles(tx, changed)
    indexing.settle(tx)
    return changed


def get(db: Reader, identity: str) -> Experience:
    """Give one experience; an unknown id is a `NotFoundError`."""
    found = db.row(f"{_STORED} WHERE e.id = ?", (identity,))
    if found is None:
        raise NotFoundError(
            f"there is no experience {identity}",
            hint="`experience-pack list` shows what there is.",
        )
    return _experience(Stored(*found))


def get_many(db: Reader, identities: Sequence[str]) -> dict[str, Experience]:
    """Give those of the experiences that exist, by id."""
    return {stored.id: _experience(stored) for stored in stored_many(db, identities)}


def stored_many(db: Reader, identities: Sequence[str]) -> Iterator[Stored]:
    """Give the stored form of those that exist, in no particular order."""
    for chunk in _chunks(identities):
        marks = ",".join("?" * len(chunk))
        for row in db.rows(f"{_STORED} WHERE e.id IN ({marks})", chunk):
            yield Stored(*row)


def cards_many(db: Reader, identities: Sequence[str]) -> Iterator[Card]:
    """Give the cards of those that exist, in no particular order."""
    for chunk in _chunks(identities):
        marks = ",".join("?" * len(chunk))
        sql = (
            "SELECT e.id, e.digest, r.card FROM experiences e "
            f"JOIN renders r ON r.seq = e.seq WHERE e.id IN ({marks})"
        )
        yield from (Card(*row) for row in db.rows(sql, chunk))


def stored_all(db: Reader) -> Iterator[Stored]:
    """Give the stored form of everything, by id, a batch at a time."""
    last = ""
    while True:
        rows = db.rows(
            f"{_STORED} WHERE e.id > ? ORDER BY e.id LIMIT ?", (last, _BATCH)
        )
        if not rows:
            return
        yield from (Stored(*row) for row in rows)
        last = rows[-1][0]


def entries(db: Reader, *, limit: int = -1) -> list[Entry]:
    """Give the list of all experiences, the last changed first."""
    sql = f"SELECT {_ENTRY} FROM experiences ORDER BY updated_at DESC, seq DESC LIMIT ?"
    return [Entry(*row) for row in db.rows(sql, (limit,))]


def unchanged_since(db: Reader, time: str) -> list[tuple[str, str]]:
    """Give `(id, time of its last change)` of what was not changed after a time."""
    sql = "SELECT id, updated_at FROM experiences WHERE updated_at <= ? ORDER BY seq"
    return db.rows(sql, (time,))


def entry(db: Reader, identity: str) -> Entry | None:
    """Give one line of the list, or None."""
    found = db.row(f"SELECT {_ENTRY} FROM experiences WHERE id = ?", (identity,))
    return Entry(*found) if found else None


def entries_of(db: Reader, identities: Sequence[str]) -> dict[str, Entry]:
    """Give the lines of those that exist, by id."""
    found = {}
    for chunk in _chunks(identities):
        marks = ",".join("?" * len(chunk))
        sql = f"SELECT {_ENTRY} FROM experiences WHERE id IN ({marks})"
        found.update({row[0]: Entry(*row) for row in db.rows(sql, chunk)})
    return found


def digests(db: Reader) -> dict[str, str]:
    """Give the content digest of everything, by id."""
    return dict(db.rows("SELECT id, digest FROM experiences"))


def count(db: Reader) -> int:
    """Give how many experiences there are."""
    found = db.row("SELECT count(*) FROM experiences")
    return int(found[0]) if found else 0


def find(db: Reader, words: str) -> list[str]:
    """Give the ids that a person may mean: by id, start of an id, or name."""
    exact = db.rows("SELECT id FROM experiences WHERE id = ?", (words,))
    if exact:
        return [words]
    rows = db.rows(
        "SELECT id FROM experiences WHERE substr(id, 1, ?) = ? OR name = ? "
        "OR substr(id, 5, ?) = ? ORDER BY id",
        (len(words), words, words, len(words), words),
    )
    return [row[0] for row in rows]


def find_like(db: Reader, words: str) -> list[tuple[str, str]]:
    """Give `(id, name)` of those whose names hold the words."""
    rows = db.rows(
        "SELECT id, name FROM experiences WHERE instr(lower(name), lower(?)) "
        "ORDER BY name, id LIMIT 20",
        (words,),
    )
    return [(row[0], row[1]) for row in rows]


def backlinks(db: Reader, identity: str) -> list[tuple[str, str]]:
    """Give `(relation, id)` of everything that points to an experience."""
    rows = db.rows(
        "SELECT relation, source FROM edges WHERE target = ? ORDER BY 1, 2", (identity,)
    )
    return [(row[0], row[1]) for row in rows]


def all_backlinks(db: Reader) -> dict[str, list[tuple[str, str]]]:
    """Give the backlinks of everything that has some, by id."""
    found: dict[str, list[tuple[str, str]]] = {}
    for target, relation, source in db.rows(
        "SELECT target, relation, source FROM edges ORDER BY 1, 2, 3"
    ):
        found.setdefault(target, []).append((relation, source))
    return found


def links(db: Reader) -> dict[str, list[tuple[str, str]]]:
    """Give `(relation, id or name)` of all that points somewhere, by id."""
    found: dict[str, list[tuple[str, str]]] = {}
    for source, relation, target in db.rows(
        "SELECT source, relation, target FROM edges ORDER BY 1, 2, 3"
    ):
        found.setdefault(source, []).append((relation, target))
    return found


def citing(db: Reader) -> Iterator[tuple[str, str]]:
    """Give `(id, content)` of those that cite an episode, a batch at a time."""
    last = ""
    while rows := db.rows(
        "SELECT e.id, v.content FROM experiences e "
        "JOIN versions v ON v.seq = e.version_seq "
        "WHERE instr(v.content, '\"episode_id') AND e.id > ? ORDER BY e.id LIMIT ?",
        (last, _BATCH),
    ):
        yield from ((row[0], row[1]) for row in rows)
        last = rows[-1][0]


def delete(tx: Transaction, identity: str, reason: str = "") -> Tombstone:
    """Delete an experience; its versions stay, and a tombstone says so."""
    current = entry(tx, identity)
    if current is None:
        raise NotFoundError(f"there is no experience {identity}")
    stone = Tombstone(
        id=identity,
        name=current.name,
        digest=current.digest,
        reason=reason,
        deleted_at=tx.now,
    )
    tombstones.put(tx, stone)
    indexing.remove(tx, identity)
    for table, column in (
        ("experiences", "id"),
        ("edges", "source"),
        ("standing", "experience_id"),
        ("utterances", "experience_id"),
    ):
        tx.run(f"DELETE FROM {table} WHERE {column} = ?", (identity,))
    indexing.settle(tx)
    outbox.put(tx, outbox.CARD, [identity])
    return stone


_STORED = """SELECT e.id, e.digest, v.content, r.card
  FROM experiences e JOIN versions v ON v.seq = e.version_seq
  JOIN renders r ON r.seq = e.seq"""


def _experience(stored: Stored) -> Experience:
    content = loads(stored.content, stored.id)
    return Experience.from_dict({"id": stored.id, **content})


def _save_batch(tx: Transaction, batch: Sequence[Prepared], note: str) -> list[str]:
    current = _current(tx, [one.experience.id for one in batch])
    rows = [one for one in batch if current.get(one.experience.id) != one.digest]
    if not rows:
        return []
    ids = [one.experience.id for one in rows]
    first = _insert_versions(tx, rows, note)
    _upsert(tx, rows, first)
    renders.put_all(tx, rows)
    indexing.put_all(tx, ((one.experience.id, one.content) for one in rows))
    _write_edges(tx, [one.experience for one in rows])
    tombstones.clear(tx, ids)
    outbox.put(tx, outbox.CARD, ids)
    return ids


def _insert_versions(tx: Transaction, rows: Sequence[Prepared], note: str) -> int:
    """Add a version a row, numbered in their order; give the first number."""
    last = tx.row("SELECT seq FROM sqlite_sequence WHERE name = 'versions'")
    first = (last[0] if last else 0) + 1
    tx.run_many(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)",
        [
            (first + at, experience.id, digest, text, note, tx.now)
            for at, (experience, _, text, digest) in enumerate(rows)
        ],
    )
    return first


def _upsert(tx: Transaction, rows: Sequence[Prepared], first: int) -> None:
    tx.run_many(
        """INSERT INTO experiences (id, version_seq, digest, kind, name, category,
             family, parent_id, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET
             version_seq = excluded.version_seq, digest = excluded.digest,
             kind = excluded.kind, name = excluded.name,
             category = excluded.category, family = excluded.family,
             parent_id = excluded.parent_id,
             updated_at = excluded.updated_at""",
        [
            (
                experience.id,
                first + at,
                digest,
                experience.kind,
                experience.name,
                experience.category,
                experience.family,
                experience.parent_id,
                tx.now,
                tx.now,
            )
            for at, (experience, _, _, digest) in enumerate(rows)
        ],
    )


def _write_edges(tx: Transaction, batch: Sequence[Experience]) -> None:
    tx.run_many("DELETE FROM edges WHERE source = ?", [(one.id,) for one in batch])
    tx.run_many(
        "INSERT OR IGNORE INTO edges VALUES (?, ?, ?)",
        [(one.id, *reference) for one in batch for reference in one.references()],
    )


def _current(tx: Transaction, identities: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for chunk in _chunks(identities):
        marks = ",".join("?" * len(chunk))
        sql = f"SELECT id, digest FROM experiences WHERE id IN ({marks})"
        found.update(tx.rows(sql, chunk))
    return found


_LEADS_BACK = """
WITH RECURSIVE ahead(id) AS (
  SELECT target FROM edges WHERE source = ? AND relation = ?
  UNION
  SELECT edges.target FROM ahead JOIN edges ON edges.source = ahead.id
   WHERE edges.relation = ?)
SELECT 1 FROM ahead WHERE id = ?"""


def _refuse_cycles(tx: Transaction, identities: Sequence[str]) -> None:
    for chunk in _chunks(identities):
        marks = ",".join("?" * len(chunk))
        kinds = ",".join("?" * len(ACYCLIC))
        pairs = tx.rows(
            f"SELECT DISTINCT source, relation FROM edges "
            f"WHERE source IN ({marks}) AND relation IN ({kinds})",
            [*chunk, *ACYCLIC],
        )
        for source, relation in pairs:
            if tx.row(_LEADS_BACK, (source, relation, relation, source)):
                raise RefusedError(
                    f"{source}: its {relation} leads back to itself",
                    hint="Remove one of the references in the circle.",
                )


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(items), _CHUNK):
        yield items[at : at + _CHUNK]


def _batches(items: Iterable[Prepared]) -> Iterator[list[Prepared]]:
    batch: list[Prepared] = []
    for item in items:
        batch.append(item)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
