"""Format v2 of the runtime document: content and standing in one object.

Reading one and writing it again loses nothing: what is not known is kept, and the
score and level that the document stated are kept beside our own counters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from experience_pack.errors import FormatError
from experience_pack.formats.validation import faults_of
from experience_pack.model import (
    Experience,
    Json,
    Record,
    Standing,
    WrongTypeError,
    new_id,
    price_of,
    slots_of,
)

STANDING_KEYS = ("level", "status", "confidence")
"""Top-level keys of a v2 document that are standing, not content."""

_FIRST_KEYS = ("id", "name", "description", "level", "status", "family", "parent_id")


class Normalised(NamedTuple):
    """A v2 document, taken apart."""

    experience: Experience
    standing: Standing


def normalize_experience(document: Json, path: str = "") -> Normalised:
    """Read a v2 document; a `FormatError` names every fault with its path.

    Missing parts get their defaults, a missing id a new one, a missing kind the one
    that the content speaks for.
    """
    if not isinstance(document, Mapping):
        raise FormatError("experience", [(path, "expected an object")])
    content = {
        key: value for key, value in document.items() if key not in STANDING_KEYS
    }
    content["id"] = content.get("id") or new_id()
    content.setdefault("kind", _kind_of(content))
    try:
        experience = Experience.from_dict(content)
        standing = _standing(document, experience.origin.type)
    except WrongTypeError as first:
        faults = faults_of(content, "experience", path)
        faults += faults_of(document.get("confidence", {}), "standing", _at(path))
        stated = f"{path}.{first.path}" if path else first.path
        raise FormatError("experience", faults or [(stated, first.text)]) from first
    return Normalised(experience, standing)


def to_v2(experience: Experience, standing: Standing, score: float, level: str) -> Json:
    """Write a v2 document with every key of the format.

    `score` and `level` are our own; the ones that a document stated stand instead
    as long as nothing was counted since.
    """
    content = _complete(experience)
    confidence = _complete(standing)
    for key in ("price", "approved_digest", "authorisation", "pinned", "status"):
        if confidence[key] == slots_of(Standing)[key].default:
            del confidence[key]
    stated_score = confidence.pop("stated_score")
    stated_level = confidence.pop("stated_level")
    confidence.pop("status", None)
    parts = {
        **content,
        "level": stated_level or level,
        "status": standing.status,
        "confidence": {
            "score": score if stated_score is None else stated_score,
            **confidence,
        },
    }
    order = [*_FIRST_KEYS, *(key for key in parts if key not in _FIRST_KEYS)]
    return {key: parts[key] for key in order}


def _at(path: str) -> str:
    return f"{path}.confidence" if path else "confidence"


def _kind_of(content: Mapping[str, Json]) -> str:
    if content.get("exec"):
        return "result"
    return "process" if content.get("logic") else "reference"


def _standing(document: Mapping[str, Json], origin_type: str) -> Standing:
    counters = document.get("confidence", {})
    if not isinstance(counters, Mapping):
        raise WrongTypeError("confidence", "an object", counters)
    known = {key: value for key, value in counters.items() if key != "score"}
    known.setdefault("price", price_of(origin_type))
    standing = Standing.from_dict(known, "confidence")
    return replace(
        standing,
        status=document.get("status", "active"),
        stated_score=counters.get("score"),
        stated_level=document.get("level", ""),
    )


def _complete(record: Record) -> dict[str, Json]:
    """Write a record with its defaults, nested ones too."""
    found: dict[str, Json] = {}
    for key, slot in slots_of(type(record)).items():
        value = getattr(record, slot.name)
        if isinstance(value, Record):
            found[key] = _complete(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Record):
            found[key] = [_complete(item) for item in value]
        else:
            found[key] = slot.write(value)
    found.update(record.extra)
    return found
