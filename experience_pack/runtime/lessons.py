"""What an answer's outcome teaches: utterances to keep, and labels for the budget."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.runtime.audit import kept_whole
from experience_pack.runtime.policy import AUDIT_SHARE
from experience_pack.runtime.reviewer import AUDIT
from experience_pack.store import Transaction, estimates, meanings, outcomes
from experience_pack.store.decisions import Audited


def note(
    tx: Transaction,
    decided: Audited,
    used: Sequence[str],
    *,
    worked: bool | None,
    rating: int | None,
) -> None:
    """Learn from a decision that somebody spoke of; silence teaches nothing.

    What a person rated becomes an utterance of what was used, or one that is turned
    down for it; every decision that was spoken of becomes a label.
    """
    if rating and used:
        keep(tx, decided, used[0], means=rating > 0)
    executed = decided.decision == "execute"
    if rating or (worked is not None and not executed):
        ran = executed or _was_audited(decided)
        outcomes.put(tx, decided.id, ran=ran, wrong=not worked)
        if used:
            label(tx, decided, used[0], means=bool(worked))


def keep(tx: Transaction, decided: Audited, identity: str, *, means: bool) -> None:
    """Learn a request as it was asked; one that was cut or redacted is not kept."""
    text = str(decided.data["input"])
    if kept_whole(text, decided.data["input_chars"]):
        meanings.learn(tx, identity, text, means=means)


def apart(tx: Transaction, decided: Audited, identity: str, *, means: bool) -> None:
    """Learn what a person says of one candidate, whatever was decided."""
    keep(tx, decided, identity, means=means)
    label(tx, decided, identity, means=means)


def label(tx: Transaction, decided: Audited, identity: str, *, means: bool) -> None:
    """Learn how far a probability was right.

    Of executions only audits count, drawn by chance: people speak of the others when
    they go wrong.
    """
    audited = _was_audited(decided)
    if decided.decision != "execute" or audited:
        share = AUDIT_SHARE if audited else 1.0
        estimates.label(tx, decided.id, identity, right=means, share=share)


def _was_audited(decided: Audited) -> bool:
    return any(
        finding["factor"] == AUDIT
        for one in decided.data["candidates"]
        for finding in one["findings"]
    )
