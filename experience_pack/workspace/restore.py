"""Restoring a backup: everything is checked, then written down, then put in place.

Until the journal stands nothing of the workspace has changed. Once it stands, whoever
opens the workspace next brings the restore to its end: each step moves something out
of the staging folder, so what is no longer there is in its place already.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from experience_pack.clock import Clock, system_clock, timestamp
from experience_pack.errors import DigestError, IntegrityError
from experience_pack.formats.strict_json import loads
from experience_pack.model import Backup
from experience_pack.store import Store, copies
from experience_pack.workspace.backup import BACKUPS, verify, write_backup
from experience_pack.workspace.files import TEMPORARY, file_errors, write_file
from experience_pack.workspace.folder import CARDS, DASHBOARD, DATABASE, RESTORING
from experience_pack.workspace.members import FILES, FOLDERS, HISTORIES
from experience_pack.workspace.sealed import check_sealed
from experience_pack.workspace.turn import locked

_PARTS = (*FOLDERS, *FILES, DASHBOARD)
"""What is put in place as a whole; the dashboard is none of a backup's, and goes."""

_EMPTY = ("refs", "objects")
"""Folders that a repository needs, whether or not anything is in them."""


class Restored(NamedTuple):
    """What came of a restore."""

    manifest: Backup
    before: Path
    """The state before it: a backup, or a folder of plain files if it was damaged."""
    left_out: tuple[str, ...]
    """Files that no backup takes; they lie in `aside` now."""
    aside: Path


class _Journal(NamedTuple):
    """What finishing a restore has to know."""

    token: str
    """Names the staging folder."""
    aside: str
    """Name in `backups/` of the folder for what no backup takes."""
    left_out: Sequence[str]
    gone: Sequence[str]
    """What the backup has not, and so is to go."""


def restore(workspace: Path, file: Path, *, clock: Clock = system_clock) -> Restored:
    """Put a workspace into the state that a backup holds, and keep the one before it.

    Whatever `verify` refuses is refused before anything is written. A process that is
    killed leaves the old state, or one that the next command makes the new one.
    """
    finish(workspace)
    manifest = verify(file)
    with locked(workspace):
        before, left_out = _keep(workspace, clock)
        token = secrets.token_hex(8)
        stage = _stage(workspace, token)
        try:
            _fill(stage, file, manifest)
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        gone = [name for name in _PARTS if not (stage / name).exists()]
        journal = _Journal(token, before.stem, left_out, gone)
        text = json.dumps(journal._asdict(), ensure_ascii=False)
        write_file(workspace / RESTORING, text.encode("utf-8"))
        _carry_out(workspace, journal)
    return Restored(manifest, before, tuple(left_out), before.with_suffix(""))


def finish(workspace: Path) -> None:
    """Bring a restore to its end that was cut short, if there is one."""
    path = workspace / RESTORING
    if not path.exists():
        return
    with locked(workspace), file_errors(path):
        if path.exists():
            _carry_out(workspace, _read_journal(path))


def _read_journal(path: Path) -> _Journal:
    """Read the journal; whoever wrote it, it leads nowhere but into `backups/`."""
    document = loads(path.read_bytes(), str(path))
    try:
        journal = _Journal(*(document[name] for name in _Journal._fields))
        names = [journal.token, journal.aside, *journal.gone]
        sound = all(_is_safe(name) for name in names) and set(journal.gone) <= {*_PARTS}
        sound &= not any(".." in name.split("/") for name in journal.left_out)
    except (KeyError, TypeError, AttributeError) as error:
        raise _foreign(path) from error
    if not sound:
        raise _foreign(path)
    return journal


def _foreign(path: Path) -> IntegrityError:
    return IntegrityError(
        f"{path} is no journal of ours",
        hint="Remove it; the workspace is as it was before that restore.",
    )


_is_safe = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*").fullmatch


def _stage(workspace: Path, token: str) -> Path:
    return workspace / BACKUPS / f"{TEMPORARY}{token}"


def _keep(workspace: Path, clock: Clock) -> tuple[Path, Sequence[str]]:
    """Keep the present state; give where, and what that does not hold."""
    try:
        with closing(
            Store.open(workspace / DATABASE, create=True, clock=clock)
        ) as store:
            made = write_backup(workspace, store, prefix="before-restore-")
    except IntegrityError:
        return keep_damaged(workspace, clock), ()
    return made.path, made.manifest.left_out


def keep_damaged(workspace: Path, clock: Clock) -> Path:
    """Copy a workspace whose store is damaged, file by file; give where to."""
    stamp = timestamp(clock()).replace(":", "").replace("Z", "")
    place = workspace / BACKUPS / f"damaged-{stamp}-{secrets.token_hex(4)}"
    with file_errors(place):
        place.mkdir(parents=True)
        for name in (*FOLDERS, *FILES, *_STORE_FILES):
            source = workspace / name
            if source.is_dir():
                shutil.copytree(source, place / name, symlinks=True)
            elif source.exists():
                shutil.copy2(source, place / name)
    return place


_STORE_FILES = tuple(f"{DATABASE}{ending}" for ending in ("-wal", "-shm", ""))
"""In the order in which they may go."""


def _fill(stage: Path, file: Path, manifest: Backup) -> None:
    """Unpack a backup, and make what is in it ready to be put in place."""
    with file_errors(stage):
        if check_sealed(file, stage) != manifest:
            raise DigestError(f"{file.name} was changed while it was read")
        for folder in FOLDERS:
            (stage / folder).mkdir(exist_ok=True)
        for repository in (stage / HISTORIES).iterdir():
            for name in _EMPTY:
                (repository / name).mkdir(exist_ok=True)
        copies.make_own(stage / DATABASE)
        for path in stage.rglob("*"):
            # the store can write the cards again
            if path.is_file() and path.relative_to(stage).parts[0] != CARDS:
                _sync(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _carry_out(workspace: Path, journal: _Journal) -> None:
    stage = _stage(workspace, journal.token)
    old = stage.with_name(f"{stage.name}-old")
    with file_errors(workspace):
        old.mkdir(exist_ok=True)
        for name in _PARTS:
            if name in journal.gone or (stage / name).exists():
                _set_aside(workspace / name, old / name)
            if (stage / name).exists():
                (stage / name).replace(workspace / name)
        if (stage / DATABASE).exists():
            _exchange_store(workspace / DATABASE, stage / DATABASE)
        for name in journal.left_out:
            _move(old / name, workspace / BACKUPS / journal.aside / name)
        (workspace / RESTORING).unlink()
        shutil.rmtree(stage, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _set_aside(place: Path, old: Path) -> None:
    """Move what is in place away; somebody may have put new things there meanwhile."""
    while os.path.lexists(old):
        old = old.with_name(f"{old.name}+")
    if os.path.lexists(place):
        place.replace(old)


def _exchange_store(place: Path, new: Path) -> None:
    """Have the store hold what `new` does; one that does not open is made anew."""
    try:
        _take_over(place, new)
    except IntegrityError:
        for name in _STORE_FILES:
            place.with_name(name).unlink(missing_ok=True)
        _take_over(place, new)
    new.unlink()


def _take_over(place: Path, new: Path) -> None:
    with closing(Store.open(place, create=True)) as store:
        copies.take_over(store, new)


def _move(source: Path, target: Path) -> None:
    if os.path.lexists(source):
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)
