"""The views of lessons as files, and their history, which follow a transaction."""

from __future__ import annotations

from experience_pack.errors import ExperiencePackError
from experience_pack.learning.reflection.views import rendered
from experience_pack.packs.history import History
from experience_pack.packs.releases import HISTORY
from experience_pack.store import outbox
from experience_pack.workspace.files import write_file
from experience_pack.workspace.folder import Folder

LESSONS = "lessons"
"""Folder of the views in a workspace."""

REPOSITORY = "_workspace.git"

_MESSAGE = "Lessons"


def settle(folder: Folder) -> list[str]:
    """Render and record what waits; give the paths that were written.

    What goes wrong stays in the outbox with its reason, and `status` shows it.
    """
    store = folder.store
    waiting = outbox.waiting(store, outbox.LESSONS)
    if not waiting:
        return []
    written: list[str] = []
    try:
        with folder.locked():
            files = {
                path: text.encode("utf-8")
                for path, text in rendered(store, store.clock()).items()
            }
            for path, data in files.items():
                target = folder.path / LESSONS / path
                if not target.is_file() or target.read_bytes() != data:
                    write_file(target, data)
                    written.append(f"{LESSONS}/{path}")
            history_of(folder).commit(files, _MESSAGE, store.clock())
    except ExperiencePackError as error:
        with store.transaction() as tx:
            for one in waiting:
                outbox.failed(tx, one, str(error))
        return written
    with store.transaction() as tx:
        outbox.done(tx, waiting)
    return written


def history_of(folder: Folder) -> History:
    """Give the history of what a workspace renders."""
    return History(folder.path / HISTORY / REPOSITORY)
