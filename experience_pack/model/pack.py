"""What a pack says of itself: its manifest, its files, who is a member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from experience_pack.model.record import Json, Record


@dataclass(frozen=True, kw_only=True, slots=True)
class PackInfo(Record):
    """Name, version and the people behind a pack."""

    name: str
    """Lower-case letters, digits, `.` and `-`; at most 64 characters."""
    version: str
    """SemVer version."""
    title: str = ""
    """What people call it."""
    description: str = ""
    """What it is good for."""
    license: str = ""
    """SPDX licence expression."""
    authors: tuple[str, ...] = ()
    """Who wrote it."""
    languages: tuple[str, ...] = ()
    """Languages of its texts (`en`, `zh` …)."""
    keywords: tuple[str, ...] = ()
    """Words that find it."""
    homepage: str = ""
    """Where more stands."""
    requires: Mapping[str, Json] = field(default_factory=dict)
    """Providers and tools that its experiences call."""
    dependencies: Mapping[str, str] = field(default_factory=dict)
    """Other packs it needs, with SemVer ranges."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PackFile(Record):
    """One file of a pack."""

    path: str
    """Path inside the pack, with `/`."""
    sha256: str
    """SHA-256 of its bytes."""
    size: int
    """Its length in bytes."""
    role: str
    """`card`, `skill`, `evidence`, `standing`, `tombstones`, `history` or `shell`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest(Record):
    """`pack.json`: binds every file of a pack."""

    pack: PackInfo
    """What the pack says of itself."""
    experiences: Mapping[str, str]
    """Content digest by experience id."""
    content_digest: str
    """Digest over `experiences`: same content, same digest."""
    files: tuple[PackFile, ...]
    """Every file but this one, certificates and signatures."""
    digest: str = ""
    """Digest of this document without this key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Membership(Record):
    """`packs/<name>.json`: which experiences of a workspace make up a pack."""

    pack: PackInfo
    """What the pack says of itself."""
    experiences: tuple[str, ...] = ()
    """Ids of its members."""
    query: Mapping[str, Json] = field(default_factory=dict)
    """Members by `kind`, `category`, `family` or `tag` besides."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Omission(Record):
    """Something that did not come through a round trip."""

    table: str
    """Where it stands: `versions`, `episodes`, `files` …"""
    field: str = ""
    """Which field of the rows; empty for whole rows."""
    count: int = 1
    """How many rows."""
    reason: str = ""
    """Why it is meant to stay; empty where nothing explains it: it was lost."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Certificate(Record):
    """`certificate.json`: what a round trip of a pack kept, and what it left out."""

    content_digest: str
    """Content that it was made for."""
    pack_digest: str
    """Digest of the `pack.json` that it was made for."""
    release: str
    """Release of experience-pack that made it."""
    files: int
    """Files that were compared, byte by byte."""
    differing: tuple[str, ...] = ()
    """Files that came back otherwise, or not at all."""
    census: Mapping[str, Json] = field(default_factory=dict)
    """By table `{rows: [before, after], fields: {name: [before, after]}}`, where a
    field counts the rows in which it says something."""
    omissions: tuple[Omission, ...] = ()
    """What stayed behind, each with its reason."""
    digest: str = ""
    """Digest of this document without this key."""

    @property
    def losses(self) -> tuple[Omission, ...]:
        """Give the omissions that nothing explains."""
        return tuple(one for one in self.omissions if not one.reason)

    @property
    def lossy(self) -> bool:
        """Tell whether anything was lost."""
        return bool(self.differing or self.losses)
