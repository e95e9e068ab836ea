"""The form of the snapshot document that file, site, dashboard and viewer read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experience_pack.model.record import Json, Record


@dataclass(frozen=True, kw_only=True, slots=True)
class SnapshotIndex(Record):
    """The decoded `index`: one list a column, all of one length, by experience."""

    id: tuple[str, ...]
    """Identities."""
    name: tuple[str, ...]
    """Short titles."""
    description: tuple[str, ...]
    """What each is, cut to what a list shows."""
    kind: tuple[int, ...]
    """Numbers into `kinds`."""
    category: tuple[int, ...]
    """Numbers into `categories`."""
    level: tuple[int, ...]
    """Numbers into `levels`."""
    score: tuple[float, ...]
    """Confidence, 0 to 1."""
    tags: tuple[tuple[int, ...], ...]
    """Numbers into `tag_names`."""
    updated: tuple[str, ...]
    """Times of the last change."""
    words: tuple[str, ...]
    """More text to be found by."""
    family: tuple[int, ...]
    """Numbers into `families`."""
    parent: tuple[int, ...]
    """Rows of the more general variants, -1 where there is none."""
    kinds: tuple[str, ...]
    """Names of kinds."""
    categories: tuple[str, ...]
    """Names of categories."""
    levels: tuple[str, ...]
    """Names of levels."""
    tag_names: tuple[str, ...]
    """Names of tags."""
    families: tuple[str, ...]
    """Names of families."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot(Record):
    """The document; a block is base64 of raw deflate (RFC 1951) of JSON."""

    title: str
    """What the page is called."""
    generated_at: str
    """When it was written."""
    language: str
    """`en`, `zh`, or empty for the reader's own."""
    counts: Mapping[str, Json]
    """Experiences in all, and by kind, category and level."""
    index: str
    """Block of the columns that a list needs (`SnapshotIndex`)."""
    starts: tuple[int, ...]
    """Row with which each detail block begins."""
    blocks: tuple[str, ...]
    """Blocks of details, decoded when one of theirs is opened."""
    decisions: tuple[Mapping[str, Json], ...]
    """Recent decisions, their requests cut to `mask_len`."""
    activity: Mapping[str, Json]
    """Counts of what happened here: by day, growth, what helped, what waits."""
    goals: tuple[Mapping[str, Json], ...]
    """Long-term goals with where they stand."""
    mask_len: int
    """Characters of a request that are shown."""
