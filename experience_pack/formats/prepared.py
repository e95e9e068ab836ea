"""Experiences written out once, for all who need their text or its digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from experience_pack.formats.canonical import canonical, text_digest
from experience_pack.model import Experience, Json


class Prepared(NamedTuple):
    """An experience beside what a pack compares of it and a store keeps."""

    experience: Experience
    content: Mapping[str, Json]
    """Everything but the identity."""
    text: str
    """Canonical JSON of the content."""
    digest: str
    """Of the text."""


def prepare(experience: Experience) -> Prepared:
    """Write an experience out; what canonical JSON cannot hold is a `FormatError`."""
    content = experience.content()
    text = canonical(content)
    return Prepared(experience, content, text, text_digest(text))
