"""One experience as the store gives it to a snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experience_pack.model import Json


class SnapshotRow(NamedTuple):
    """One experience as the store gives it to a snapshot."""

    place: int
    """Number in the order of arrival; neighbours share a block."""
    id: str
    """Identity; what deep links and relations name."""
    digest: str
    """Of the content."""
    content: str
    """JSON text of the content, defaults left out; empty if only listed."""
    size: int
    """Characters of the content."""
    name: str
    """Short title."""
    about: str
    """What it is and when it helps, as much as a list shows."""
    kind: str
    """One of `KINDS`, or one that this release does not know."""
    category: str
    """Area of work."""
    family: str
    """Group of variants of the same task; empty if it has none."""
    tags: tuple[str, ...]
    """Tags of the context it belongs to."""
    words: str
    """More text to be found by: keywords, triggers, family."""
    stem: str
    """Name of its files without their ending."""
    level: str
    """`automatic`, `learning`, `raw` or `sleeping`."""
    score: float
    """Confidence, 0 to 1."""
    updated_at: str
    """Time of the last change."""
    parent_id: str
    """Id of the more general variant; empty if it has none."""
    standing: Mapping[str, Json]
    """What was earned here, for the detail view."""
    versions: Sequence[Mapping[str, Json]]
    """Newest first: `{id, note, created_at, changes}`, a change being `{path, op,
    before?, after?}`."""
    backlinks: Sequence[tuple[str, str]]
    """`(relation, id)` of every experience that points here."""
