"""`packs.lock.json`: the packs that a workspace keeps to, committed with the project.

The store and the lock cannot change in one step. What the store took in is in its
own transaction, with a note that the lock has to follow; a process that is killed in
between leaves the old lock, and the next command on packs (`settle`) brings it to
where the store is. So the lock never names what the store has not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Json, Lock, LockedPack, read_record
from experience_pack.packs.judge import Known
from experience_pack.store import outbox, packs
from experience_pack.workspace.files import file_errors, write_file
from experience_pack.workspace.folder import Folder

FILE = "packs.lock.json"


def path_of(folder: Folder) -> Path:
    """Give where the lock stands."""
    return folder.path / FILE


def project_of(folder: Folder) -> Path:
    """Give the folder that paths in the lock are relative to."""
    return folder.path.parent


def read_lock(folder: Folder) -> Lock:
    """Read the lock; an empty one where there is none.

    A newer format is a `VersionError` and anything broken a `FormatError` that names
    the place; neither is touched.
    """
    path = path_of(folder)
    if not path.exists():
        return Lock(namespace=folder.store.workspace_id)
    with file_errors(path):
        value = loads(path.read_bytes(), str(path))
    document = dict(upgraded(value, "lock", str(path)))
    for key in ("format", "version"):
        document.pop(key, None)
    return read_record(Lock, document, str(path))


def write_lock(folder: Folder, lock: Lock) -> None:
    """Write the lock: the same packs give the same bytes."""
    document: dict[str, Json] = {**header("lock"), **lock.to_dict()}
    text = json.dumps(_ordered(document), indent=2, ensure_ascii=False) + "\n"
    write_file(path_of(folder), text.encode("utf-8"))


def settled_lock(folder: Folder) -> Lock:
    """Give the lock, brought to where the store is if a command was cut short."""
    settle(folder)
    return read_lock(folder)


def settle(folder: Folder) -> None:
    """Write into the lock what the store noted for it."""
    if not outbox.waiting(folder.store, packs.LOCK):
        return
    with folder.locked():
        waiting = outbox.waiting(folder.store, packs.LOCK)
        lock = read_lock(folder)
        entries = dict(lock.packs)
        for item in waiting:
            locked = packs.get(folder.store, item.subject)
            entries.pop(item.subject, None)
            if locked is not None:
                entries[item.subject] = locked
        write_lock(folder, replace(lock, packs=entries))
        with folder.store.transaction() as tx:
            outbox.done(tx, waiting)


def known_of(lock: Lock, name: str) -> Known:
    """Give what the lock knows of a pack that comes in under a name."""
    ids: dict[str, str] = {}
    for locked in lock.packs.values():
        ids |= locked.experiences
    before = lock.packs.get(name)
    return Known(
        namespace=lock.namespace,
        ids={**ids, **(before.experiences if before else {})},
        digests=before.digests if before else {},
    )


def same_source(one: LockedPack, other: LockedPack) -> bool:
    """Tell whether two packs come from one place."""
    return (one.source, one.path) == (other.source, other.path)


def _ordered(value: Json) -> Json:
    """Sort every object, but for the two keys that open the document."""
    if isinstance(value, Mapping):
        first = ("format", "version")
        keys = sorted(value, key=lambda key: (key not in first, key))
        return {key: _ordered(value[key]) for key in keys}
    return value
