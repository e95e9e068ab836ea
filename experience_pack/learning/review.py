"""What a person confirms, and what an edit does to what was confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from experience_pack.errors import LockedError
from experience_pack.formats.canonical import digest
from experience_pack.model import WITHDRAWN, Experience, Standing, price_of
from experience_pack.store import (
    Reader,
    Store,
    Transaction,
    experiences,
    outbox,
    standings,
)
from experience_pack.store.experiences import Entry

EXACT_KINDS = ("habit", "lesson")
"""Kinds whose wording was approved; any other wording waits for a person."""

VIEWS = "views"
"""Subject of the outbox: what is rendered of lessons."""


def confirm(store: Store, tx: Transaction, experience: Experience) -> None:
    """Note that a person here accepts an experience as it now stands."""
    entry = experiences.entry(tx, experience.id)
    assert entry is not None
    known = standings.own(tx, store.installation, experience.id)
    standing = known or Standing(price=price_of(experience.origin.type))
    approved = replace(standing, approved_digest=entry.digest)
    standings.put(tx, (store.installation, experience.id), approved)
    if experience.kind == "lesson":
        outbox.put(tx, outbox.LESSONS, [VIEWS])


def confirm_exact(store: Store, tx: Transaction, read: Experience) -> None:
    """Approve the text that a person has read; a changed one is a `LockedError`.

    What its pack has withdrawn is kept, and served again, by that.
    """
    entry = experiences.entry(tx, read.id)
    if entry is None or entry.digest != digest(read.content()):
        raise LockedError(
            f"{read.name} changed while it was read",
            hint="Read it again, then approve it.",
        )
    confirm(store, tx, read)
    key = store.installation, read.id
    known = standings.own(tx, *key)
    if known is not None and known.status == WITHDRAWN:
        standings.put(tx, key, replace(known, status="active"))


def carry_over(
    store: Store, tx: Transaction, experience: Experience, before: str
) -> None:
    """Let an approval follow a person's own edit of a card, where it may.

    `before` is the digest before the edit. An authorisation stays bound to the text
    that was read, so an authorised experience waits; so does a reworded habit.
    """
    standing = standings.own(tx, store.installation, experience.id)
    if standing is None or standing.approved_digest != before:
        return
    if standing.authorisation is None and experience.kind not in EXACT_KINDS:
        confirm(store, tx, experience)


def waiting(db: Reader, known: Mapping[str, Standing]) -> list[Entry]:
    """Give what no person here has accepted as it stands, the last changed first.

    `known` is what this installation has seen. What its pack has withdrawn since it
    was accepted waits for another word.
    """
    return [
        one
        for one in experiences.entries(db)
        if not _accepted(known.get(one.id), one.digest)
    ]


def count_waiting(db: Reader, known: Mapping[str, Standing]) -> int:
    """Give how many `waiting` lists."""
    digests = experiences.digests(db)
    accepted = (
        _accepted(standing, digests[identity])
        for identity, standing in known.items()
        if identity in digests
    )
    return len(digests) - sum(accepted)


def _accepted(standing: Standing | None, digest: str) -> bool:
    return (
        standing is not None
        and standing.approved_digest == digest
        and standing.status != WITHDRAWN
    )
