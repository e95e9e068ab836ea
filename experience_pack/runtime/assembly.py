"""What goes together into a model's input: parts of one request, and their basis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from experience_pack.runtime import policy as limits
from experience_pack.runtime.composer import PREREQUISITE, Source
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.types import State
from experience_pack.store import Reader, basis
from experience_pack.store.basis import Basis

Chosen = tuple[Source, str]
"""A source and the family it belongs to."""


def parts(state: State, offered: Sequence[Chosen], policy: Policy) -> list[Source]:
    """Give those that together cover more of a request than the first does alone.

    They are taken by similarity, then confidence; each adds a word of the task, at
    most `composite_max_per_family` of a family and `composite_max_parts` in all.
    Fewer than two are no composite: then the list is empty.
    """
    order = sorted(offered, key=lambda one: (-one[0].similarity, -one[0].confidence))
    chosen: list[Source] = []
    families: list[str] = []
    covered: set[str] = set()
    for source, family in order:
        words = _covered(state.tokens, source.content)
        full = family and families.count(family) >= policy.composite_max_per_family
        if full or len(chosen) >= policy.composite_max_parts or words <= covered:
            continue
        chosen.append(source)
        families.append(family)
        covered |= words
    return chosen if len(chosen) > 1 else []


def _covered(tokens: Iterable[str], content: Mapping[str, Any]) -> set[str]:
    """Give the words of a task that an experience is about."""
    logic, match = content.get("logic", {}), content.get("match", {})
    texts = [content["name"], *match.get("keywords", ()), *logic.get("triggers", ())]
    about = "\n".join(texts).casefold()
    return {token for token in tokens if token in about}


def chain(
    db: Reader,
    content: Mapping[str, Any],
    identity: str,
    serves: Callable[[Basis], float | None],
) -> list[Source]:
    """Give what an experience builds on, breadth first, to a depth of three.

    `serves` gives the confidence of an experience, None if it must not be shown.
    Each is named once, a circle ends by itself.
    """
    seen = {identity}
    found: list[Source] = []
    level = [*_needed(content)]
    for _ in range(limits.CHAIN_DEPTH):
        ids = [one for one in _resolved(db, level) if one not in seen]
        seen.update(ids)
        stored = basis.read(db, ids) if ids else {}
        level = []
        for one in (stored[key] for key in ids if key in stored):
            confidence = serves(one)
            if confidence is not None:
                found.append(Source(one.id, one.content, 0.0, confidence, PREREQUISITE))
                level += _needed(one.content)
    return found


def _needed(content: Mapping[str, Any]) -> Iterator[str]:
    yield from content.get("prerequisites", ())
    if content.get("extends"):
        yield content["extends"]


def _resolved(db: Reader, words: Iterable[str]) -> list[str]:
    """Give the ids that ids or names mean, each once."""
    found = (basis.named(db, one) for one in words)
    return [*dict.fromkeys(one for one in found if one)]
