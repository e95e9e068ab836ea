"""What an answer's outcome teaches: utterances to keep, and labels for the budget."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.runtime.audit import kept_whole
from experience_pack.runtime.reviewer import AUDIT
from experience_pack.store import Transaction, meanings, outcomes
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
    down for it. An execution, or the audit in its place, becomes a label.
    """
    if rating and used:
        keep(tx, decided, used[0], means=rating > 0)
    audited = _was_audited(decided)
    told = rating if decided.decision == "execute" else worked is not None
    if told and (audited or decided.decision == "execute"):
        outcomes.put(tx, decided.id, audited=audited, wrong=not worked)


def keep(tx: Transaction, decided: Audited, identity: str, *, means: bool) -> None:
    """Learn a request as it was asked; one that was cut or redacted is not kept."""
    text = str(decided.data["input"])
    if kept_whole(text, decided.data["input_chars"]):
        meanings.learn(tx, identity, text, means=means)


def _was_audited(decided: Audited) -> bool:
    return any(
        finding["factor"] == AUDIT
        for one in decided.data["candidates"]
        for finding in one["findings"]
    )
