"""One at a time: the lock of whoever changes the files of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experience_pack.errors import LockedError
from experience_pack.workspace.files import file_errors

_LOCK = "exp.db-cards-lock"
_LOCK_SECONDS = 30.0


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only one who changes a workspace's files; `LockedError` after 30 s.

    The lock is the operating system's, so it dies with the process that held it.
    """
    from filelock import FileLock, Timeout

    with file_errors(path):
        lock = FileLock(path / _LOCK)
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except Timeout as error:
            text = f"{path} is being synchronised by another process"
            raise LockedError(text) from error
    try:
        yield
    finally:
        lock.release()
