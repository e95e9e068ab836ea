"""What was served is never learned again: a text of ours is no evidence."""

from __future__ import annotations

from dataclasses import replace

from experience_pack.model import Episode
from experience_pack.store import Reader, served

MOSTLY = 0.5
"""Share of a text that was served from which it says nothing of its own."""

SERVED = "served"
"""Mark in an episode's `meta`: its text is ours, it is no evidence."""


def is_served(db: Reader, text: str, before: str = "") -> bool:
    """Tell whether a text is for the most part what this runtime had served.

    `before` is when the text was written: what was served only later may well have
    been made of it. Quotations are known by their passages, so a part of what was
    served is known too, whatever its case and punctuation.
    """
    return served.share(db, text, before) >= MOSTLY


def marked(db: Reader, episode: Episode) -> Episode:
    """Give an episode, with the mark where its text had been served when it was."""
    if not is_served(db, episode.text, episode.created_at):
        return episode
    return replace(episode, meta={**episode.meta, SERVED: True})


def may_be_evidence(episode: Episode) -> bool:
    """Tell whether an episode would be evidence if a person said that it is right."""
    return not episode.meta.get(SERVED)
