"""Look through what comes in, field by field, for what a reviewer should see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.model import Episode, Experience, Json
from experience_pack.text.suspicion import flags_of, suspected
from experience_pack.text.ties import ties


class Finding(NamedTuple):
    """One flag, and where it is."""

    id: str
    """Experience or episode."""
    name: str
    path: str
    rule: str
    excerpt: str
    suggestion: str = ""
    """What could stand in its place; empty where nothing simple could."""


class Portability(NamedTuple):
    """How far an experience can be used in another project as it is."""

    id: str
    name: str
    score: float
    """Share of its texts that no place, host or person ties to one project, 0–1."""
    tied: int
    """Texts that are tied."""
    texts: int


def scan(
    experiences: Iterable[Experience], episodes: Iterable[Episode] = ()
) -> list[Finding]:
    """Give every flag of every text, unknown keys and side files included."""
    found: list[Finding] = []
    for one in experiences:
        found += _findings(one.id, one.name, one.to_dict())
    for episode in episodes:
        name = str(episode.meta.get("path", episode.id))
        found += _findings(episode.id, name, episode.to_dict())
    return found


def _findings(identity: str, name: str, document: Json) -> Iterator[Finding]:
    texts = [*_texts(document, "")]
    rules = suspected("\n".join(text for _, text in texts))
    for path, text in texts if rules else ():
        for flag in flags_of(text, rules):
            yield Finding(identity, name, path, *flag)


def portability(one: Experience) -> Portability:
    """Give how much of what an experience says is free of one project.

    Every text counts alike; where it comes from (`origin`) is not asked, for that is
    meant to name a place.
    """
    content = one.content()
    content.pop("origin", None)
    texts = [text for path, text in _texts(content, "") if not path.endswith(" (key)")]
    tied = sum(next(ties(text), None) is not None for text in texts)
    return Portability(one.id, one.name, 1 - tied / len(texts), tied, len(texts))


def _texts(value: Json, path: str) -> Iterator[tuple[str, str]]:
    """Give every string of a JSON value with its path, keys too."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            at = f"{path}.{key}" if path else key
            yield f"{at} (key)", key
            yield from _texts(item, at)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            yield from _texts(item, f"{path}[{at}]")
