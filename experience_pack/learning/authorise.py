"""A person's word that an experience may execute, bound to what it says now."""

from __future__ import annotations

from dataclasses import replace

from experience_pack.errors import UsageError
from experience_pack.model import Authorisation, Experience, Standing, price_of
from experience_pack.model.confidence import AUTOMATIC
from experience_pack.store import Store, Transaction, experiences, standings

AUTHORISABLE = ("result", "reflex")
"""Kinds that can run; the others are read by a model."""


def authorise(
    store: Store,
    tx: Transaction,
    experience: Experience,
    score: float = AUTOMATIC,
    note: str = "",
) -> Authorisation:
    """Allow an experience to execute as it now stands, and approve it.

    `score` is the floor of its confidence from now on. A kind that never runs, or
    a score outside 0 to 1, is a `UsageError`.
    """
    if experience.kind not in AUTHORISABLE:
        raise UsageError(
            f"a {experience.kind} is read by a model and never executes",
            hint="Results and reflexes can be authorised.",
        )
    if not 0 <= score <= 1:
        raise UsageError(f"a score is between 0 and 1, not {score}")
    entry = experiences.entry(tx, experience.id)
    assert entry is not None
    given = Authorisation(digest=entry.digest, score=score, note=note, at=tx.now)
    known = standings.own(tx, store.installation, experience.id)
    standing = known or Standing(price=price_of(experience.origin.type))
    changed = replace(
        standing, status="active", approved_digest=entry.digest, authorisation=given
    )
    standings.put(tx, (store.installation, experience.id), changed)
    return given
