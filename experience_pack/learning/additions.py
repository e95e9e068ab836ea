"""Experiences that are proposed: they become one when a person says yes."""

from __future__ import annotations

from dataclasses import replace

from experience_pack.errors import NotFoundError
from experience_pack.learning import review
from experience_pack.model import Experience, Proposal, Standing, derived_id
from experience_pack.store import (
    Reader,
    Store,
    Transaction,
    experiences,
    proposals,
    standings,
)

ADD = "add"
"""Action of a proposal that would add an experience."""

APPROVED, REJECTED = "approved", "rejected"


def proposal_of(subject: str, experience: Experience, price: float) -> Proposal:
    """Give the proposal to add an experience; the same subject gives the same one.

    `subject` is what it was made of. `price` is what it is worth before first use.
    """
    return Proposal(
        id=derived_id("prp", ADD, subject),
        action=ADD,
        content={
            "name": experience.name,
            "experience": experience.to_dict(),
            "price": price,
        },
        reason=experience.origin.reason,
    )


def propose(tx: Transaction, proposal: Proposal) -> bool:
    """Store a proposal, unless it waits or was decided; tell whether it is new."""
    if proposals.status_of(tx, proposal.id) is not None:
        return False
    proposals.put(tx, proposal)
    return True


def is_settled(db: Reader, subject: str) -> bool:
    """Tell whether a person decided about a subject before."""
    status = proposals.status_of(db, derived_id("prp", ADD, subject))
    return status in (APPROVED, REJECTED)


def supersede(tx: Transaction, subject: str) -> None:
    """Let go of what waits about a subject: the same was added by other means."""
    waiting = proposals.get(tx, derived_id("prp", ADD, subject))
    if waiting is not None and waiting.status == proposals.PENDING:
        proposals.settled(tx, waiting, proposals.SUPERSEDED)


def find(db: Reader, words: str) -> Proposal:
    """Give the waiting addition that words mean; none is a `NotFoundError`."""
    found = waiting(db, words)
    if found is None:
        raise NotFoundError(
            f"no addition {words!r} waits",
            hint="`experience-pack review list` shows what does.",
        )
    return found


def waiting(db: Reader, words: str) -> Proposal | None:
    """Give the waiting addition that an id, the start of one, or a name means."""
    try:
        found = proposals.find(db, words)
    except NotFoundError:
        return None
    return found if found.action == ADD else None


def proposed(proposal: Proposal) -> Experience:
    """Give the experience that a proposal would add."""
    return Experience.from_dict(proposal.content["experience"])


def accept(store: Store, tx: Transaction, proposal: Proposal) -> Experience:
    """Add the experience as a person has read it; they approve exactly that text."""
    one = proposed(proposal)
    experiences.save(tx, one, proposal.reason)
    standing = Standing(price=proposal.content["price"])
    standings.put(tx, (store.installation, one.id), standing)
    review.confirm(store, tx, one)
    proposals.settled(tx, replace(proposal, experience_id=one.id), APPROVED)
    return one


def reject(tx: Transaction, proposal: Proposal) -> None:
    """Remember that a person said no; the same is not proposed again."""
    proposals.settled(tx, proposal, REJECTED)
