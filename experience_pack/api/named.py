"""Experiences by what people and agents call them: an id, its start, or a name."""

from __future__ import annotations

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.store import Store, experiences


def resolve(store: Store, words: str, *, part: bool = True) -> str:
    """Give the id that a person means by an id, the start of one, or a name.

    With `part` a piece of a name will do where only one name has it.
    """
    found = experiences.find(store, words)
    if not found:
        return _resolve_part(store, words, enough=part)
    if len(found) > 1:
        raise UsageError(
            f"{words!r} may mean {', '.join(found[:5])}",
            hint="Write more of the id.",
        )
    return found[0]


def _resolve_part(store: Store, words: str, *, enough: bool) -> str:
    like = experiences.find_like(store, words)
    if len(like) == 1 and enough:
        return like[0][0]
    names = ", ".join(name for _, name in like[:5])
    raise NotFoundError(
        f"there is no experience {words!r}" + (f"; near: {names}" if names else ""),
        hint="`experience-pack list` shows ids and names.",
    )
