"""What a list shows of an experience, as one line of JSON kept beside its card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from experience_pack.formats.names import card_name
from experience_pack.formats.strict_json import loads
from experience_pack.model import Json

ABOUT_CHARS = 140
"""How much of a description a list carries; a row shows no more than this."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode  # our own text: nobody else writes it


class Listing(NamedTuple):
    """What is shown of one experience among many, and what it is found by."""

    about: str
    """What it is and when it helps, at most `ABOUT_CHARS`."""
    tags: tuple[str, ...]
    words: str
    """Keywords, triggers and family that stand in nothing that is shown."""
    origin: str
    """Type of its origin, for the score of what was never used."""
    parent_id: str
    stem: str
    """Name of its files without their ending."""
    size: int
    """Characters of its content as JSON."""


def listing_of(identity: str, content: Mapping[str, Json], size: int) -> Listing:
    """Give what a list shows of a content of that many characters."""
    about = shortened(_about(content))
    match = content.get("match", {})
    return Listing(
        about=about,
        tags=tuple(match.get("tags", ())),
        words=_words(content, about),
        origin=content.get("origin", {}).get("type", ""),
        parent_id=content.get("parent_id", ""),
        stem=card_name(content["name"], identity),
        size=size,
    )


def listing_in(text: str, identity: str) -> Listing:
    """Give what a list shows of a content as JSON text."""
    return listing_of(identity, loads(text, identity), len(text))


def line_of(listing: Listing) -> str:
    """Give a listing as it is kept."""
    return _encode(listing)


def read_line(line: str) -> Listing:
    """Give the listing that `line_of` wrote."""
    about, tags, *rest = _decode(line)
    return Listing(about, tuple(tags), *rest)


def shortened(text: str) -> str:
    """Give as much of a description as a list carries."""
    if len(text) <= ABOUT_CHARS:
        return text
    return text[: ABOUT_CHARS - 1].rstrip() + "…"


def _about(content: Mapping[str, Json]) -> str:
    """Give the first text that says something."""
    logic = content.get("logic", {})
    candidates = (
        content.get("description"),
        content.get("do"),
        content.get("text"),
        logic.get("goal"),
    )
    return next((text for text in candidates if text), "")


def _words(content: Mapping[str, Json], about: str) -> str:
    logic, match = content.get("logic", {}), content.get("match", {})
    shown = "\n".join([content["name"], about, *match.get("tags", ())])
    parts = [
        *match.get("keywords", ()),
        *logic.get("triggers", ()),
        content.get("family", ""),
    ]
    return " ".join(part for part in dict.fromkeys(parts) if part not in shown)
