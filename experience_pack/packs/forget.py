"""Forget an experience or an episode: what holds it here, and taking it out of all.

A history is dropped as a whole, since each of its commits binds the ones before it;
a backup is unpacked, cleared in the same way and sealed anew. What killed or damaged
things left in `backups/` cannot be cleared and goes.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from experience_pack.clock import seconds
from experience_pack.errors import ExperiencePackError, NotFoundError
from experience_pack.learning.review import VIEWS
from experience_pack.packs import diary, membership
from experience_pack.packs.history import History
from experience_pack.packs.install import remove_documents
from experience_pack.packs.releases import HISTORY
from experience_pack.store import (
    Store,
    Transaction,
    cards,
    erasing,
    experiences,
    outbox,
    versions,
)
from experience_pack.workspace.backup import BACKUPS, ENDING, write_backup
from experience_pack.workspace.config import FILE, Config
from experience_pack.workspace.files import TEMPORARY, file_errors
from experience_pack.workspace.folder import DASHBOARD, DATABASE, Folder
from experience_pack.workspace.mirror import drain
from experience_pack.workspace.mirror.scan import file_sha256
from experience_pack.workspace.sealed import check_sealed

_CHUNK = 1000  # objects of a history held at once
_LONG = 12  # bytes; shorter texts stand in other places by chance


class Plan(NamedTuple):
    """Where an experience or an episode is held; paths are below the workspace."""

    id: str
    held: erasing.Held
    cards: Sequence[str]
    packs: Sequence[str]
    """Packs whose membership names it."""
    histories: Sequence[str]
    """Histories that hold it, and are dropped."""
    backups: Sequence[str]
    """Backups that are written anew without it."""
    dropped: Sequence[str]
    """What cannot be written anew, and goes."""


def plan_of(folder: Folder, identity: str) -> Plan:
    """Give what `forget` would do; nothing is changed.

    What is not known here, not even by its tombstone, is a `NotFoundError`.
    """
    if not erasing.is_known(folder.store, identity):
        raise NotFoundError(
            f"there is no experience and no episode {identity!r}",
            hint="`experience-pack list` and `episode list` show what there is.",
        )
    kept, lost = _backups(folder.path, identity)
    return Plan(
        identity,
        erasing.held(folder.store, identity),
        [_below(folder, path) for path in _cards(folder, identity)],
        [
            name
            for name in membership.names(folder)
            if identity in membership.load(folder, name).experiences
        ],
        [
            *(_below(folder, one.path) for one in _histories(folder, identity)),
            *_views(folder, identity),
        ],
        [_below(folder, path) for path in kept],
        [_below(folder, path) for path in lost],
    )


def forget(folder: Folder, plan: Plan) -> list[str]:
    """Carry a plan out; give the files of the workspace that still have its words.

    A process that is killed leaves it known by its name, or its id, to be run again.
    """
    said = _needles(folder.store, plan.id)
    with folder.locked():
        for name in (*plan.histories, *plan.dropped, DASHBOARD):
            _remove(folder.path / name)
        for name in plan.backups:
            _clear(folder.path / name, plan.id)
        _erase(folder, plan.id)
        for name in plan.packs:
            _leave(folder, name, plan.id)
        for name in plan.cards:
            _remove(folder.path / name)
        drain(folder)
        erasing.compact(folder.store)
    diary.settle(folder)
    return [_below(folder, path) for path in _holding(folder.path, said)]


def _erase(folder: Folder, identity: str) -> None:
    store = folder.store
    with store.transaction() as tx:
        known = versions.of(tx, identity)
        texts = [versions.get(tx, identity, one.id) for one in known]
        _move_children(folder, tx, identity)
        if (folder.path / diary.LESSONS).exists():
            outbox.put(tx, outbox.LESSONS, [VIEWS])
        erasing.erase(tx, identity)
        for document in remove_documents(tx, texts):
            erasing.erase(tx, document.id)


def _views(folder: Folder, identity: str) -> Iterator[str]:
    """Give the history of what is rendered of lessons, if it is one."""
    entry = experiences.entry(folder.store, identity)
    path = diary.history_of(folder).path
    if entry is not None and entry.kind == "lesson" and path.exists():
        yield _below(folder, path)


def _move_children(folder: Folder, tx: Transaction, identity: str) -> None:
    """Have the cards of its children written anew, out of the folder with its name."""
    states = cards.by_experience(tx)
    for relation, child in experiences.backlinks(tx, identity):
        state = states.get(child)
        if relation != "parent" or state is None:
            continue
        path = folder.cards / state.path
        if file_sha256(path) == state.sha256:
            _remove(path)
            cards.forget(tx, [child])
            outbox.put(tx, outbox.CARD, [child])


def _remove(path: Path) -> None:
    """Remove a file, or a folder at once: nobody sees half of it."""
    with file_errors(path):
        if path.is_dir() and not path.is_symlink():
            gone = path.with_name(f"{TEMPORARY}{secrets.token_hex(8)}")
            path.replace(gone)
            shutil.rmtree(gone)
        else:
            path.unlink(missing_ok=True)


def _leave(folder: Folder, name: str, identity: str) -> None:
    known = membership.load(folder, name)
    kept = tuple(one for one in known.experiences if one != identity)
    membership.save(folder, replace(known, experiences=kept))


def _backups(workspace: Path, identity: str) -> tuple[list[Path], list[Path]]:
    """Give the backups that hold it, and copies that cannot be written anew."""
    kept: list[Path] = []
    lost = [path for pattern in _LOST for path in sorted(workspace.glob(pattern))]
    for path in sorted((workspace / BACKUPS).glob(f"*{ENDING}")):
        try:
            kept += [path] if _holds(path, identity) else []
        except ExperiencePackError:
            lost.append(path)
    return kept, lost


_LOST = (f"{BACKUPS}/damaged-*", f"{BACKUPS}/{TEMPORARY}*", f"{HISTORY}/{TEMPORARY}*")
"""What killed and damaged things left; whoever has the lock is alone there."""


def _holds(path: Path, identity: str) -> bool:
    with _unpacked(path, (DATABASE, FILE)) as inner:
        return erasing.holds(inner.store, identity)


def _clear(path: Path, identity: str) -> None:
    """Write a backup anew without the subject, under its name and its time."""
    with _unpacked(path) as inner:
        forget(inner, plan_of(inner, identity))
        made = path.with_name(f"{TEMPORARY}{path.name}")
        made.unlink(missing_ok=True)
        write_backup(inner.path, inner.store, made)
    made.replace(path)


@contextmanager
def _unpacked(path: Path, only: Collection[str] = ()) -> Iterator[Folder]:
    """Give a backup as a workspace of its own, whose clock stands at its time."""
    with TemporaryDirectory() as name:
        place = Path(name)
        made = seconds(check_sealed(path, place, only).created_at)
        with closing(Store.open(place / DATABASE, clock=lambda: made)) as store:
            yield Folder(place, store, Config(place / FILE))


def _cards(folder: Folder, identity: str) -> Iterator[Path]:
    """Give the card files that carry an id, wherever they were moved to."""
    said = f'"{identity}"'.encode()
    for path in sorted(folder.cards.rglob("*.md")):
        with file_errors(path):
            lines = path.read_bytes().splitlines()
        if any(one.startswith(b"id:") and said in one for one in lines):
            yield path


def _histories(folder: Folder, identity: str) -> Iterator[History]:
    """Give the histories that have its id, or a version of it under another id."""
    digests = versions.digests(folder.store, identity)
    said = [one.encode() for one in (identity, *sorted(digests))]
    for path in sorted((folder.path / HISTORY).glob("*.git")):
        history = History(path)
        if any(one in data for data in _blobs(history) for one in said):
            yield history


def _blobs(history: History) -> Iterator[bytes]:
    """Give every file that any version had, also what nothing leads to any more."""
    form = "--batch-check=%(objectname) %(objecttype)"
    listed = history.git("cat-file", "--batch-all-objects", form).decode("ascii")
    rows = (line.split(" ") for line in listed.splitlines())
    names = [name for name, kind in rows if kind == "blob"]
    for at in range(0, len(names), _CHUNK):
        chunk = names[at : at + _CHUNK]
        yield from history.read(dict(zip(chunk, chunk, strict=True))).values()


def _needles(store: Store, identity: str) -> list[bytes]:
    texts = (text.encode("utf-8") for text in erasing.texts(store, identity))
    return [text for text in texts if len(text) >= _LONG]


def _holding(workspace: Path, needles: Sequence[bytes]) -> Iterator[Path]:
    for path in sorted((workspace / HISTORY).glob("*.git")):
        blobs = _blobs(History(path))
        if any(one in data for data in blobs for one in needles):
            yield path
    for path in sorted(workspace.rglob("*")):
        packed = path.is_relative_to(workspace / HISTORY)
        if path.is_file() and not (path.is_symlink() or packed):
            with file_errors(path):
                data = path.read_bytes()
            if any(one in data for one in needles):
                yield path


def _below(folder: Folder, path: Path) -> str:
    return path.relative_to(folder.path).as_posix()
