"""Find work that comes back: episodes alike become experiences that assist.

Only validated episodes count. A signature or a trajectory says what the task was;
without either the words do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.learning.served import is_evidence
from experience_pack.model import Episode
from experience_pack.text.tokens import search_terms

METHOD, TRAJECTORY, TEXT, VARIANT = "method", "trajectory", "text", "variant"
"""Modes of the document, in the order in which they are looked for."""

LIKE = 0.5
"""Share of words (Jaccard) from which two texts tell the same (document)."""

FREE_TOOLS = ("llm", "generate", "freeform")
"""Tools whose outcome is not determined: a trajectory with one is no reflex."""

_DATE = 10  # characters of a timestamp that say the day


class Cluster(NamedTuple):
    """Episodes that were the same piece of work."""

    mode: str
    key: str
    """What is the same; compiled experiences keep it as their source."""
    episodes: tuple[Episode, ...]
    tags: tuple[str, ...] = ()
    """Tags of a context that makes it a variant."""

    @property
    def days(self) -> int:
        """Give on how many days the work came up."""
        return len({one.created_at[:_DATE] for one in self.episodes})

    @property
    def kind(self) -> str:
        """Give the kind of experience it makes."""
        steps = trajectory_of(self.episodes[-1])
        if self.mode == TEXT:
            return "result"
        if self.mode == TRAJECTORY and all(map(_is_determined, steps)):
            return "reflex"
        return "process"

    @property
    def name(self) -> str:
        """Give a title: the task's own name, else what the episodes have in common."""
        tasks = Counter(_words_of(one, "task") for one in self.episodes)
        tasks.pop("", None)
        if tasks:
            return tasks.most_common(1)[0][0]
        if self.mode == TEXT:
            return self.episodes[-1].text.strip().split("\n", 1)[0][:40]
        return self.key.split(":", 2)[-1]


def clusters(episodes: Iterable[Episode], least: int) -> list[Cluster]:
    """Give what came up at least so often, method clusters first.

    A task in a context of its own, told by `meta.context_tags`, is a variant beside
    the base that is made of all the others.
    """
    groups: dict[tuple[str, str], list[Episode]] = {}
    texts: list[Episode] = []
    for one in episodes:
        if not is_evidence(one):
            continue
        place = _place(one)
        if place:
            groups.setdefault(place, []).append(one)
        else:
            texts.append(one)
    found = [
        cluster
        for (mode, key), members in groups.items()
        for cluster in _with_variants(mode, key, members)
    ]
    found += _text_clusters(texts)
    return [one for one in found if len(one.episodes) >= least]


def trajectory_of(episode: Episode) -> list[Mapping[str, Any]]:
    """Give the steps of an episode, those that name an action."""
    steps = episode.meta.get("trajectory", ())
    if not isinstance(steps, list | tuple):
        return []
    return [one for one in steps if isinstance(one, Mapping) and one.get("action")]


def _place(episode: Episode) -> tuple[str, str] | None:
    """Give mode and key of the group that an episode belongs to by what it says."""
    if signature := _words_of(episode, "signature"):
        return METHOD, f"{METHOD}:{episode.type}:{signature}"
    actions = [str(step["action"]).strip() for step in trajectory_of(episode)]
    if actions:
        return TRAJECTORY, f"{TRAJECTORY}:{episode.type}:{' > '.join(actions)}"
    return None


def _with_variants(
    mode: str, key: str, members: Sequence[Episode]
) -> Iterator[Cluster]:
    """Give the base of a group, and a cluster for each context of its own."""
    contexts: dict[tuple[str, ...], list[Episode]] = {}
    for one in members:
        contexts.setdefault(_context_tags(one), []).append(one)
    general = contexts.pop((), [])
    if general:
        yield Cluster(mode, key, tuple(general))
    for tags, special in contexts.items():
        yield Cluster(VARIANT, key, tuple(special), tags)


def _text_clusters(texts: Iterable[Episode]) -> list[Cluster]:
    """Group texts by words; each joins the first group whose first text is like it."""
    groups: list[tuple[set[str], list[Episode]]] = []
    for one in texts:
        words = set(search_terms(one.text))
        for leader, members in groups:
            if members[0].type == one.type and _alike(leader, words):
                members.append(one)
                break
        else:
            groups.append((words, [one]))
    return [
        Cluster(TEXT, f"{TEXT}:{members[0].type}:{members[0].id}", tuple(members))
        for _, members in groups
    ]


def _alike(first: set[str], second: set[str]) -> bool:
    together = len(first | second)
    return bool(together) and len(first & second) / together >= LIKE


def _words_of(episode: Episode, key: str) -> str:
    found = episode.meta.get(key, "")
    return found.strip() if isinstance(found, str) else ""


def _context_tags(episode: Episode) -> tuple[str, ...]:
    tags = episode.meta.get("context_tags", ())
    listed = tags if isinstance(tags, list | tuple) else ()
    return tuple(sorted({tag for tag in listed if isinstance(tag, str) and tag}))


def _is_determined(step: Mapping[str, Any]) -> bool:
    tool = str(step.get("tool", "")).casefold()
    return bool(tool) and not any(free in tool for free in FREE_TOOLS)
