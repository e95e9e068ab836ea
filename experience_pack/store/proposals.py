"""Proposals: what wants to become active and waits for a person's word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.model import Proposal
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

PENDING = "proposed"
SUPERSEDED = "superseded"

_codec = Codec(Proposal)


def put(tx: Transaction, proposal: Proposal) -> None:
    """Store a proposal, in place of the one with its id; its time is set here."""
    dated = replace(proposal, created_at=proposal.created_at or tx.now)
    tx.run(
        "INSERT INTO proposals (id, experience_id, digest, status, data) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "digest = excluded.digest, status = excluded.status, data = excluded.data",
        (
            dated.id,
            dated.experience_id,
            dated.digest,
            dated.status,
            _codec.write(dated),
        ),
    )


def pending(db: Reader) -> Iterator[Proposal]:
    """Give what waits, the oldest first.

    A proposal about an experience is void, and not listed, as soon as that says
    anything else than what the proposal was made for.
    """
    rows = db.rows(
        "SELECT p.data FROM proposals p "
        "LEFT JOIN experiences e ON e.id = p.experience_id "
        "WHERE p.status = ? AND (p.experience_id = '' OR p.digest = '' "
        "OR p.digest = e.digest) ORDER BY p.seq",
        (PENDING,),
    )
    return (_codec.read(row[0]) for row in rows)


def status_of(db: Reader, identity: str) -> str | None:
    """Give what became of a proposal; None if there never was one."""
    found = db.row("SELECT status FROM proposals WHERE id = ?", (identity,))
    return str(found[0]) if found else None


def get(db: Reader, identity: str) -> Proposal | None:
    """Give a proposal, whatever became of it; None if there never was one."""
    found = db.row("SELECT data FROM proposals WHERE id = ?", (identity,))
    return _codec.read(found[0]) if found else None


def find(db: Reader, words: str) -> Proposal:
    """Give the waiting proposal that an id, the start of one, or a name means."""
    found = [one for one in pending(db) if _means(one, words)]
    if not found:
        raise NotFoundError(
            f"no proposal {words!r} waits",
            hint="`experience-pack review list` shows what does.",
        )
    if len(found) > 1:
        listed = ", ".join(one.id for one in found[:5])
        raise UsageError(f"{words!r} may mean {listed}", hint="Write more of the id.")
    return found[0]


def settled(tx: Transaction, proposal: Proposal, status: str) -> None:
    """Note what became of a proposal."""
    put(tx, replace(proposal, status=status))


def _means(proposal: Proposal, words: str) -> bool:
    name = proposal.content.get("name", "")
    body = proposal.id.partition("_")[2]
    starts = proposal.id.startswith(words) or body.startswith(words)
    return starts or words in (proposal.experience_id, name)
