"""Episodes: evidence of work, and documents that experiences cite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from experience_pack.errors import NotFoundError
from experience_pack.model import Episode
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Episode)


def put_all(tx: Transaction, episodes: Iterable[Episode]) -> None:
    """Store episodes, in place of older ones with the same ids."""
    tx.run_many(
        "INSERT INTO episodes (id, type, validated, session, data) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET type = excluded.type, "
        "validated = excluded.validated, session = excluded.session, "
        "data = excluded.data",
        [
            (
                one.id,
                one.type,
                int(one.user_validated),
                _session(one),
                _codec.write(one),
            )
            for one in episodes
        ],
    )


def get(db: Reader, identity: str) -> Episode:
    """Give one episode; an unknown id is a `NotFoundError`."""
    found = db.row("SELECT data FROM episodes WHERE id = ?", (identity,))
    if found is None:
        raise NotFoundError(f"there is no episode {identity}")
    return _codec.read(found[0])


def get_many(db: Reader, identities: Sequence[str]) -> dict[str, Episode]:
    """Give those of the episodes that exist, by id."""
    found = {}
    for identity in identities:
        row = db.row("SELECT data FROM episodes WHERE id = ?", (identity,))
        if row:
            found[identity] = _codec.read(row[0])
    return found


def entries(db: Reader, *, limit: int = -1) -> list[Episode]:
    """Give the episodes, the last stored first."""
    rows = db.rows("SELECT data FROM episodes ORDER BY seq DESC LIMIT ?", (limit,))
    return [_codec.read(row[0]) for row in rows]


def in_order(db: Reader, *, validated: bool) -> list[Episode]:
    """Give the episodes that a person validated, or all, in the order stored."""
    rows = db.rows(
        "SELECT data FROM episodes WHERE validated >= ? ORDER BY seq", (int(validated),)
    )
    return [_codec.read(row[0]) for row in rows]


def of_session(db: Reader, session: str) -> list[Episode]:
    """Give the episodes of one session of a host, in the order they were stored."""
    rows = db.rows(
        "SELECT data FROM episodes WHERE session = ? AND session <> '' ORDER BY seq",
        (session,),
    )
    return [_codec.read(row[0]) for row in rows]


def texts(db: Reader, kind: str) -> dict[str, str]:
    """Give the canonical JSON of all episodes of one type, by id."""
    rows = db.rows("SELECT id, data FROM episodes WHERE type = ? ORDER BY 1", (kind,))
    return {row[0]: row[1] for row in rows}


def remove(tx: Transaction, identities: Iterable[str]) -> None:
    """Remove episodes."""
    tx.run_many("DELETE FROM episodes WHERE id = ?", [(one,) for one in identities])


def _session(episode: Episode) -> str:
    found = episode.meta.get("session", "")
    return found if isinstance(found, str) else ""
