"""A source opened for reading: the pack in it, and those beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from experience_pack.errors import ExperiencePackError, NotFoundError, UsageError
from experience_pack.formats.strict_json import loads
from experience_pack.model import LockedPack
from experience_pack.packs.address import (
    Address,
    address_in_lock,
    address_of,
    check_folder,
    check_revision,
)
from experience_pack.packs.layout import MANIFEST, Files
from experience_pack.packs.remote import Remote, highest_tag, remote_at
from experience_pack.packs.source import read_source

HEAD = "HEAD"


class Place(NamedTuple):
    """Where one pack is: a source and, in a repository, a folder of it."""

    address: Address
    path: str = ""


class Shelf(Protocol):
    """A source while it is open."""

    rev: str
    """Revision that was read."""
    commit: str
    """Commit that it is; empty if the source is no repository."""

    def files(self, place: Place) -> Files:
        """Give the files of a pack in it."""
        ...

    def beside(self, place: Place) -> dict[str, Place]:
        """Give the packs in it, or beside it, by name."""
        ...

    def older(self, place: Place, commit: str) -> Files | None:
        """Give the files as an earlier commit has them, if they can be had."""
        ...


@contextmanager
def opened(address: Address, rev: str) -> Iterator[Shelf]:
    """Open a source: at a revision, or at the highest version if none is named."""
    if not address.git:
        yield _Local()
        return
    with remote_at(address.url) as remote:
        highest = highest_tag(remote.tags)
        chosen = rev or (highest.tag if highest else HEAD)
        yield _Repository(remote, chosen)


class _Repository:
    def __init__(self, remote: Remote, rev: str) -> None:
        self._remote = remote
        self.rev = rev
        self.commit = remote.commit_of(rev)

    def files(self, place: Place) -> Files:
        return self._remote.files(self.commit, place.path)

    def beside(self, place: Place) -> dict[str, Place]:
        found = {}
        for folder in self._remote.packs(self.commit):
            manifest = self._remote.file(self.commit, folder, MANIFEST)
            name = _name_in(manifest)
            if name:
                found[name] = Place(place.address, folder)
        return found

    def older(self, place: Place, commit: str) -> Files | None:
        try:
            return self._remote.files(self._remote.commit_of(commit), place.path)
        except ExperiencePackError:  # rewritten or gone: a merge does without
            return None


class _Local:
    rev = ""
    commit = ""

    def files(self, place: Place) -> Files:
        path = _path(place)
        found = read_source(path).files
        if not found:
            raise UsageError(
                f"{path} is no pack, so there is nothing to keep to",
                hint=f"`experience-pack pack import {path}` takes it in once.",
            )
        return found

    def beside(self, place: Place) -> dict[str, Place]:
        found = {}
        here = _path(place)
        inside = here.is_dir() and not (here / MANIFEST).exists()
        for entry in sorted((here if inside else here.parent).iterdir()):
            name = _name_at(entry)
            if name:
                steps = (entry.name,) if inside else ("..", entry.name)
                text = os.path.normpath(Path(place.address.text, place.path, *steps))
                found[name] = Place(Address(Path(text).as_posix(), entry, git=False))
        return found

    def older(self, place: Place, commit: str) -> Files | None:
        _ = place, commit
        return None


def place_of(source: str, project: Path, rev: str, path: str) -> Place:
    """Give the place that a person names."""
    address = address_of(source, project, at_revision=bool(rev))
    if address.git or not path:
        return Place(address, path)
    inner = address_of(str(_path(Place(address, path))), project, at_revision=False)
    return Place(inner)


def place_in_lock(locked: LockedPack, project: Path) -> Place:
    """Give the place that the lock names, as careful as with what a person names."""
    for revision in (locked.rev, locked.commit):
        if revision:
            check_revision(revision)
    address = address_in_lock(locked.source, project, git=bool(locked.commit))
    return Place(address, check_folder(locked.path))


def named(shelf: Shelf, place: Place, name: str) -> Place:
    """Give the pack of a name in an open source."""
    found = shelf.beside(place)
    if name not in found:
        raise NotFoundError(
            f"there is no pack {name!r} at {place.address.text}",
            hint=f"There is: {', '.join(sorted(found)) or 'none'}.",
        )
    return found[name]


def _path(place: Place) -> Path:
    assert place.address.local is not None
    return place.address.local / place.path


def _name_at(entry: Path) -> str:
    """Give the name of a pack beside another; empty for what is none."""
    try:
        if entry.is_dir() and (entry / MANIFEST).is_file():
            return _name_in((entry / MANIFEST).read_bytes())
        if entry.suffix == ".xpack":
            return _name_in(read_source(entry).files[MANIFEST])
    except (ExperiencePackError, OSError, KeyError):
        return ""
    return ""


def _name_in(manifest: bytes) -> str:
    try:
        value = loads(manifest, MANIFEST)
    except ExperiencePackError:
        return ""
    pack = value.get("pack") if isinstance(value, dict) else None
    name = pack.get("name") if isinstance(pack, dict) else None
    return name if isinstance(name, str) else ""
