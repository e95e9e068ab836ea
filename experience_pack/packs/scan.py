"""Look through what comes in, field by field, for what a reviewer should see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.formats.walk import texts_of
from experience_pack.model import Episode, Experience, Json
from experience_pack.text.suspicion import flags_of, suspected


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
    texts = [*texts_of(document)]
    rules = suspected("\n".join(text for _, text in texts))
    for path, text in texts if rules else ():
        for flag in flags_of(text, rules):
            yield Finding(identity, name, path, *flag)
