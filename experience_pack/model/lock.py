"""The packs that a workspace keeps to: where each comes from, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from experience_pack.model.record import Record
from experience_pack.model.records import Episode
from experience_pack.model.standing import Standing


@dataclass(frozen=True, kw_only=True, slots=True)
class LockedPack(Record):
    """One pack, pinned to exactly what was taken in."""

    source: str
    """Address of a git repository, or a path: relative to the project if it can be."""
    path: str = ""
    """Folder of the pack inside the repository."""
    rev: str = ""
    """Tag, branch or commit that was asked for; empty: the highest version."""
    commit: str = ""
    """Commit that it was read from; empty if the source is no repository."""
    version: str
    """Version of the pack."""
    digest: str
    """Digest of its `pack.json`, which binds every file."""
    content_digest: str
    """Digest over its experiences alone."""
    signers: tuple[str, ...] = ()
    """Who had signed it, as known here."""
    experiences: Mapping[str, str] = field(default_factory=dict)
    """Id here of each of its experiences, by the id in the pack."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Content digest that each came to stand here with, by the id in the pack; what
    was here before the pack has none."""
    dependencies: Mapping[str, str] = field(default_factory=dict)
    """Other packs it needs, with SemVer ranges."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lock(Record):
    """`packs.lock.json`: every pack that the workspace keeps to."""

    namespace: str
    """What ids are derived from here; every clone of the project has the same."""
    packs: Mapping[str, LockedPack] = field(default_factory=dict)
    """By name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingRow(Record):
    """What one installation has seen of one experience."""

    installation: str
    """Whose counters they are."""
    experience: str
    """What they are about."""
    standing: Standing
    """The counters."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PackChange(Record):
    """What happened to one pack of the workspace, by which it can be taken back."""

    pack: str
    """Its name."""
    before: LockedPack | None = None
    """What it was; None if it was not there."""
    after: LockedPack | None = None
    """What it became; None if it was removed."""
    local: bool = False
    """Only the store changed: the lock had said so before."""
    standing: tuple[StandingRow, ...] = ()
    """What was known of the experiences that went with it."""
    documents: tuple[Episode, ...] = ()
    """Documents that went with it."""
