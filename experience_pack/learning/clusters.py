"""Find work that comes back: episodes alike, each with what it could become.

A signature or a trajectory says what the task was; without either the words do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from experience_pack.learning.likeness import groups
from experience_pack.model import Episode

METHOD, TRAJECTORY, TEXT, VARIANT = "method", "trajectory", "text", "variant"
"""Modes of the document, in the order in which they are looked for."""

FREE_TOOLS = ("llm", "generate", "freeform")
"""Tools whose outcome is not determined: a trajectory with one is no reflex."""

NAME_CHARS = 40
"""Characters of a name that is taken from a text: a line of a list."""

_DATE = 10  # characters of a timestamp that say the day


class Cluster(NamedTuple):
    """Episodes that were the same piece of work."""

    mode: str
    key: str
    """What is the same; compiled experiences keep it as their source."""
    episodes: tuple[Episode, ...]
    tags: tuple[str, ...] = ()
    """Context tags that all of them have."""

    @property
    def source(self) -> str:
        """Give what it is compiled from: the key, of a variant with its tags."""
        if self.mode != VARIANT:
            return self.key
        return f"{self.key} @ {', '.join(self.tags)}"

    @property
    def days(self) -> int:
        """Give on how many days the work came up."""
        return len({one.created_at[:_DATE] for one in self.episodes})

    @property
    def kind(self) -> str:
        """Give the kind of experience it makes."""
        if self.mode == TEXT:
            return "result"
        steps = [step for one in self.episodes for step in trajectory_of(one)]
        by_steps = self.key.startswith(f"{TRAJECTORY}:")
        return "reflex" if by_steps and all(map(_is_determined, steps)) else "process"

    @property
    def name(self) -> str:
        """Give a title: the task's own name, else what the episodes have in common."""
        for key in ("task", "request"):
            named = Counter(words_of(one, key) for one in self.episodes)
            named.pop("", None)
            if named:
                return _first_line(named.most_common(1)[0][0])
        if self.mode == TEXT:
            return _first_line(self.episodes[-1].text)
        return self.key.split(":", 2)[-1]


class Group(NamedTuple):
    """All episodes of one key, by the context they came up in."""

    mode: str
    key: str
    contexts: Mapping[tuple[str, ...], Sequence[Episode]]


def grouped(episodes: Iterable[Episode]) -> list[Group]:
    """Give what has a signature or a trajectory, each with all that is the same."""
    found: dict[tuple[str, str], dict[tuple[str, ...], list[Episode]]] = {}
    for one in episodes:
        if place := _place(one):
            contexts = found.setdefault(place, {})
            contexts.setdefault(_context_tags(one), []).append(one)
    return [Group(mode, key, contexts) for (mode, key), contexts in found.items()]


def base_of(group: Group, least: int) -> Cluster | None:
    """Give the cluster that a group's general experience is made of, if it is enough.

    That is what came up in no special context; where that is too little, all of it,
    with the tags that all have in common.
    """
    general = group.contexts.get((), ())
    members = [*general]
    if len(general) < least:
        members = [one for some in group.contexts.values() for one in some]
    if len(members) < least:
        return None
    common = set.intersection(*({*_context_tags(one)} for one in members))
    return Cluster(group.mode, group.key, tuple(members), tuple(sorted(common)))


def variants_of(group: Group, known: Iterable[str], least: int) -> Iterator[Cluster]:
    """Give a cluster for each context with a tag that the base does not know."""
    base = {*known}
    for tags, members in group.contexts.items():
        fresh = tuple(tag for tag in tags if tag not in base)
        if fresh and len(members) >= least:
            yield Cluster(VARIANT, group.key, tuple(members), fresh)


def text_clusters(episodes: Iterable[Episode], least: int) -> list[Cluster]:
    """Group what has neither signature nor trajectory by its words, type by type."""
    by_type: dict[str, list[Episode]] = {}
    for one in episodes:
        if one.text.strip() and _place(one) is None:
            by_type.setdefault(one.type, []).append(one)
    return [
        Cluster(TEXT, f"{TEXT}:{kind}:{listed[places[0]].id}", _at(listed, places))
        for kind, listed in by_type.items()
        for places in groups([one.text for one in listed])
        if len(places) >= least
    ]


def _at(listed: Sequence[Episode], places: Sequence[int]) -> tuple[Episode, ...]:
    return tuple(listed[place] for place in places)


def trajectory_of(episode: Episode) -> list[Mapping[str, Any]]:
    """Give the steps of an episode, those that name an action."""
    steps = episode.meta.get("trajectory", ())
    if not isinstance(steps, list | tuple):
        return []
    return [one for one in steps if isinstance(one, Mapping) and _action(one)]


def words_of(episode: Episode, key: str) -> str:
    """Give a text of an episode's `meta`, empty where there is none."""
    found = episode.meta.get(key, "")
    return found.strip() if isinstance(found, str) else ""


def _place(episode: Episode) -> tuple[str, str] | None:
    """Give mode and key of the group that an episode belongs to by what it says.

    A step that was tried again stands once in the sequence.
    """
    if signature := words_of(episode, "signature"):
        return METHOD, f"{METHOD}:{episode.type}:{signature}"
    actions = [slug(_action(step)) for step in trajectory_of(episode)]
    if not actions:
        return None
    told = [one for at, one in enumerate(actions) if at == 0 or actions[at - 1] != one]
    return TRAJECTORY, f"{TRAJECTORY}:{episode.type}:{' > '.join(told)}"


def slug(action: str) -> str:
    """Give an action as it is compared: without case, width and spaces that differ."""
    return " ".join(normalize("NFKC", action).casefold().split())


def _action(step: Mapping[str, Any]) -> str:
    return str(step.get("action") or "").strip()


def _context_tags(episode: Episode) -> tuple[str, ...]:
    tags = episode.meta.get("context_tags", ())
    listed = tags if isinstance(tags, list | tuple) else ()
    return tuple(sorted({tag for tag in listed if isinstance(tag, str) and tag}))


def _is_determined(step: Mapping[str, Any]) -> bool:
    tool = str(step.get("tool", "")).casefold()
    return bool(tool) and not any(free in tool for free in FREE_TOOLS)


def _first_line(text: str) -> str:
    first = text.strip().split("\n", 1)[0]
    return first if len(first) <= NAME_CHARS else first[: NAME_CHARS - 1] + "…"
