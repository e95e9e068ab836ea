"""The manifest of a backup: every byte of every file that is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experience_pack.model.record import Record


@dataclass(frozen=True, kw_only=True, slots=True)
class BackupMember(Record):
    """One file of a workspace."""

    path: str
    """Relative to the workspace, with slashes."""
    size: int
    """Bytes."""
    sha256: str
    """Of its bytes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BackupTable(Record):
    """What one table of the store held."""

    rows: int
    """How many."""
    sha256: str
    """Over every row as Python writes it, in the order of the primary key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Backup(Record):
    """`backup.json`, the first file of a backup."""

    created_at: str
    """When, by the clock of that machine."""
    release: str
    """Release of experience-pack that made it."""
    members: tuple[BackupMember, ...]
    """Every other file, sorted by path."""
    tables: Mapping[str, BackupTable]
    """Every table of the store, by name."""
    left_out: tuple[str, ...] = ()
    """What stands in the workspace and no backup takes: links, odd names."""
