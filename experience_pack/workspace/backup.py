"""Backups: one file that holds a workspace as it was at one moment."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import experience_pack
from experience_pack.clock import timestamp
from experience_pack.errors import (
    DigestError,
    ExperiencePackError,
    IntegrityError,
    NotFoundError,
    UsageError,
)
from experience_pack.formats.names import numbered
from experience_pack.model import Backup, BackupMember, BackupTable
from experience_pack.store import Store, copies
from experience_pack.workspace.config import FILE, Config
from experience_pack.workspace.files import TEMPORARY, file_errors
from experience_pack.workspace.folder import DATABASE, Folder
from experience_pack.workspace.members import members_of
from experience_pack.workspace.sealed import (
    check_sealed,
    measure,
    read_manifest,
    write_sealed,
)

BACKUPS = "backups"
ENDING = ".xbackup"


class Made(NamedTuple):
    """A backup and what is in it."""

    path: Path
    manifest: Backup


class Listed(NamedTuple):
    """A backup of a workspace, by its first member alone."""

    path: Path
    size: int
    """Bytes."""
    manifest: Backup | None
    fault: str
    """Why there is no manifest."""


def create(folder: Folder, target: Path | None = None) -> Made:
    """Write a backup, while others go on; by default into `backups/`.

    A store that is damaged is an `IntegrityError`, a file that is there already a
    `UsageError`; then nothing is written.
    """
    with folder.locked():
        return write_backup(folder.path, folder.store, target)


def write_backup(
    workspace: Path, store: Store, target: Path | None = None, prefix: str = ""
) -> Made:
    """Write a backup; to be called by whoever holds the lock of the workspace."""
    target = target or _new_path(workspace, f"{prefix}{timestamp(store.clock())}")
    if target.exists():
        raise UsageError(f"{target} is there already", hint="Choose another name.")
    with scratch(workspace) as place:
        tables = _copied(store, place / DATABASE)
        found = members_of(workspace)
        paths = {DATABASE: place / DATABASE}
        paths |= {name: workspace / name for name in found.kept}
        sources = {name: (path, measure(path)) for name, path in paths.items()}
        members = (
            BackupMember(path=name, size=measured.size, sha256=measured.sha256)
            for name, (_, measured) in sorted(sources.items())
        )
        manifest = Backup(
            created_at=timestamp(store.clock()),
            release=experience_pack.__version__,
            members=tuple(members),
            tables=tables,
            left_out=tuple(found.left_out),
        )
        unfinished = target.with_name(f"{TEMPORARY}{secrets.token_hex(8)}")
        with _discarded(unfinished), file_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("xb") as file:
                write_sealed(file, manifest, sources)
            unfinished.replace(target)
    return Made(target, manifest)


def listed(workspace: Path) -> list[Listed]:
    """Give the backups in a workspace, the oldest first."""
    return [_look(path) for path in sorted((workspace / BACKUPS).glob(f"*{ENDING}"))]


def verify(file: Path) -> Backup:
    """Hold every byte and every row of a backup against its manifest.

    What is no backup is a `RefusedError`, a newer format or schema a `VersionError`,
    anything changed a `DigestError`, a damaged store an `IntegrityError`.
    """
    with TemporaryDirectory() as name:
        place = Path(name)
        manifest = check_sealed(file, place, only=(DATABASE, FILE))
        found = copies.check_copy(place / DATABASE)
        if _tables(found) != manifest.tables:
            raise DigestError(f"{file.name}: {DATABASE} has other rows than it says")
        Config(place / FILE)
    return manifest


def find(workspace: Path, words: str) -> Path:
    """Give the backup that a person means by a path, or by a name in `backups/`."""
    inside = workspace / BACKUPS / words
    for path in (Path(words), inside, inside.with_name(f"{inside.name}{ENDING}")):
        if path.is_file():
            return path
    raise NotFoundError(
        f"there is no backup {words}", hint="`experience-pack backup list` shows them."
    )


@contextmanager
def scratch(workspace: Path) -> Iterator[Path]:
    """Give a folder in `backups/` that is gone when the block ends."""
    place = workspace / BACKUPS / f"{TEMPORARY}{secrets.token_hex(8)}"
    with file_errors(place):
        place.mkdir(parents=True)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _copied(store: Store, path: Path) -> dict[str, BackupTable]:
    try:
        copies.copy_to(store, path)
        return _tables(copies.check_copy(path))
    except IntegrityError as error:
        raise IntegrityError(str(error), hint=_DAMAGED) from error


_DAMAGED = "Nothing was written. `experience-pack doctor` says what is damaged."


def _tables(found: dict[str, copies.TableSum]) -> dict[str, BackupTable]:
    return {
        name: BackupTable(rows=table.rows, sha256=table.sha256)
        for name, table in found.items()
    }


def _new_path(workspace: Path, name: str) -> Path:
    stem = name.replace(":", "").replace("Z", "")
    paths = (workspace / BACKUPS / one for one in numbered(f"{stem}{ENDING}"))
    return next(path for path in paths if not path.exists())


def _look(path: Path) -> Listed:
    try:
        return Listed(path, path.stat().st_size, read_manifest(path), "")
    except ExperiencePackError as error:
        return Listed(path, path.stat().st_size, None, str(error))


@contextmanager
def _discarded(path: Path) -> Iterator[None]:
    """Leave no file at `path` behind when the block fails."""
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
