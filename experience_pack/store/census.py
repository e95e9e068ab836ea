"""Everything that a store holds, table by table, to be counted and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from experience_pack.store import decisions
from experience_pack.store.connection import Reader

Rows = dict[str, str]
"""JSON text by key; equal rows have equal texts."""

OWNED: Mapping[str, str] = {
    "experiences": "SELECT e.id, e.id, v.content FROM experiences e "
    "JOIN versions v ON v.seq = e.version_seq",
    "versions": "SELECT experience_id, experience_id || ' ' || digest, '{}' "
    "FROM versions",
    "standing": "SELECT experience_id, installation || ' ' || experience_id, data "
    "FROM standing",
    "utterances": "SELECT experience_id, experience_id || ' ' || text, '{}' "
    "FROM utterances",
    "tombstones": "SELECT id, id, data FROM tombstones",
}
"""Tables about experiences: the experience, the key, the row."""

SHARED: Mapping[str, str] = {
    "episodes": "SELECT id, data FROM episodes",
    "categories": "SELECT name, data FROM categories",
    "goals": "SELECT id, data FROM goals",
    "decisions": "SELECT id, '{}' FROM decisions",
    "proposals": "SELECT id, '{}' FROM proposals",
    "imports": "SELECT seq, '{}' FROM imports",
}
"""Tables of the whole workspace; what never travels is only counted."""


def owned_by(db: Reader, identities: Collection[str]) -> dict[str, Rows]:
    """Give the rows about some experiences, and the decisions that used them."""
    wanted = set(identities)
    found = {
        table: {key: text for owner, key, text in db.rows(sql) if owner in wanted}
        for table, sql in OWNED.items()
    }
    asked = {
        one.id: "{}"
        for one in decisions.listed(db)
        if any(source["id"] in wanted for source in one.data["sources"])
    }
    return {**found, "decisions": asked}


def everything(db: Reader) -> dict[str, Rows]:
    """Give all rows, by table."""
    owned = {
        table: {key: text for _, key, text in db.rows(sql)}
        for table, sql in OWNED.items()
    }
    return {**owned, **{table: shared(db, table) for table in SHARED}}


def shared(db: Reader, table: str, keys: Sequence[str] | None = None) -> Rows:
    """Give the rows of one table of the whole workspace, or those of some keys."""
    found = {str(key): text for key, text in db.rows(SHARED[table])}
    return found if keys is None else {key: found[key] for key in keys if key in found}
