"""What the mirror last wrote or read for each experience's card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from experience_pack.formats.names import path_key
from experience_pack.store.connection import Reader, Transaction


class CardState(NamedTuple):
    """One card file: its path, what it held, and what the file system said of it."""

    experience_id: str
    path: str
    digest: str
    """Content digest that the file stands for."""
    sha256: str
    """Of the file's bytes, after undoing CRLF."""
    stat: str
    """Size, times and inode; empty if the file has to be read next time."""


def all_states(db: Reader) -> dict[str, CardState]:
    """Give every card's state by path."""
    rows = db.rows("SELECT experience_id, path, digest, sha256, stat FROM cards")
    return {row[1]: CardState(*row) for row in rows}


def by_experience(db: Reader) -> dict[str, CardState]:
    """Give every card's state by experience."""
    return {state.experience_id: state for state in all_states(db).values()}


def put_all(tx: Transaction, states: Iterable[CardState]) -> None:
    """Remember cards, in place of what was known of the same experiences."""
    tx.run_many(
        "INSERT INTO cards VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (experience_id) DO UPDATE SET path = excluded.path, "
        "path_key = excluded.path_key, digest = excluded.digest, "
        "sha256 = excluded.sha256, stat = excluded.stat",
        [(one.experience_id, one.path, path_key(one.path), *one[2:]) for one in states],
    )


def forget(tx: Transaction, identities: Iterable[str]) -> None:
    """Forget the cards of experiences that have none any more."""
    tx.run_many(
        "DELETE FROM cards WHERE experience_id = ?", [(one,) for one in identities]
    )
