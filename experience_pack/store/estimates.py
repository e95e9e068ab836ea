"""How surely each request was meant, and what was learnt from those spoken of.

A row a request that was compared in meaning: the probability that its first
candidate is right, and the features that this rests on. `forget` and the retention
of decisions remove it with its decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from experience_pack.store.connection import Reader, Transaction

LABELLED = 2_000
"""Labelled requests that are learnt from; older ones tell of another store."""


class Estimate(NamedTuple):
    """What was thought of one request."""

    experience_id: str
    """Its first candidate; nothing where even that was too unlikely to be one."""
    probability: float
    """That it is right, if it may execute at all, else 0."""
    ran: bool
    """It was executed because it was sure enough."""
    features: bytes
    """32-bit numbers, as `matching.ranking.features_of` gives them."""


class Label(NamedTuple):
    """A request of which somebody said what it meant."""

    features: bytes
    right: bool
    share: float
    """Share of such requests that is looked at; each stands for the others."""


class Kept(NamedTuple):
    """Numbers that were fitted to this store."""

    labels: int
    """Labels that were there when that was done."""
    size: int
    """Bytes of the utterances that the store was asked itself, or 0."""
    rehearsed: str
    """The numbers after that, as JSON, or nothing."""
    data: str
    """The numbers with labels, as JSON."""


def put(tx: Transaction, decision_id: str, one: Estimate) -> None:
    """Keep what was thought of a decision that is being written."""
    tx.run(
        "INSERT INTO estimates (decision_seq, experience_id, probability, ran, "
        "features) SELECT seq, ?, ?, ?, ? FROM decisions WHERE id = ?",
        (*one, decision_id),
    )


def label(
    tx: Transaction, decision_id: str, identity: str, *, right: bool, share: float
) -> None:
    """Note whether a request means an experience.

    If it does, whatever else came first was wrong; if not, that says something only
    where it came first itself.
    """
    tx.run(
        "UPDATE estimates SET share = ?1, correct = (?2 AND experience_id = ?3) "
        "WHERE decision_seq = (SELECT seq FROM decisions WHERE id = ?4) "
        "AND (?2 OR experience_id = ?3)",
        (share, right, identity, decision_id),
    )


def labels(db: Reader) -> Sequence[Label]:
    """Give the last labelled requests."""
    rows = db.rows(
        "SELECT features, correct, share FROM estimates WHERE correct IS NOT NULL "
        "ORDER BY decision_seq DESC LIMIT ?",
        (LABELLED,),
    )
    return [Label(features, bool(right), share) for features, right, share in rows]


def count_labels(db: Reader) -> int:
    """Give how many requests are labelled."""
    found = db.row("SELECT count(*) FROM estimates WHERE correct IS NOT NULL")
    return int(found[0]) if found else 0


def probabilities(db: Reader, last: int) -> list[float]:
    """Give the probabilities among the last so many requests, the highest first."""
    rows = db.rows(
        "SELECT probability FROM estimates WHERE decision_seq > "
        "(SELECT max(seq) FROM decisions) - ? ORDER BY probability DESC",
        (last,),
    )
    return [row[0] for row in rows]


def expected_wrong(db: Reader, last: int) -> float:
    """Give how many executions among so many requests were wrong, as was thought."""
    found = db.row(
        "SELECT total(1 - probability) FROM estimates WHERE ran AND decision_seq > "
        "(SELECT max(seq) FROM decisions) - ?",
        (last,),
    )
    return float(found[0]) if found else 0.0


def fitted(db: Reader, basis: str) -> Kept | None:
    """Give the numbers that were fitted to this store on a basis, if any were."""
    found = db.row(
        "SELECT labels, size, rehearsed, data FROM fits WHERE basis = ?", (basis,)
    )
    return Kept._make(found) if found else None


def keep(tx: Transaction, basis: str, numbers: Kept) -> None:
    """Keep fitted numbers; those on another basis go."""
    tx.run("DELETE FROM fits")
    tx.run("INSERT INTO fits VALUES (?, ?, ?, ?, ?)", (basis, *numbers))
