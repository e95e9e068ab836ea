"""The lock that keeps checkpoints away from writers.

SQLite 3.7.0 to 3.51.2 can corrupt a WAL database when a checkpoint races a writer
(sqlite.org/wal.html, "WAL-reset bug"). Writers hold this lock shared, checkpoints
and orderly closes hold it alone. It is the operating system's, so it dies with the
process that held it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experience_pack.errors import LockedError

WAIT_SECONDS = 30.0
"""How long a writer waits; the same as SQLite's own busy timeout."""

_PAUSE = 0.005


class FileLock:
    """A lock file that many may hold shared, or one alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock together with other writers; `LockedError` after 30 s."""
        if not self._wait(exclusive=False, seconds=WAIT_SECONDS):
            raise LockedError(f"{self._path.parent} is being compacted by another")
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def alone(self, seconds: float = 0.0) -> Iterator[bool]:
        """Try to hold the lock alone; give whether that worked in time."""
        held = self._wait(exclusive=True, seconds=seconds)
        try:
            yield held
        finally:
            if held:
                self._release()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _wait(self, *, exclusive: bool, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not _try_lock(self._opened(), exclusive=exclusive):
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)
        return True

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        return self._file

    def _release(self) -> None:
        _unlock(self._opened())


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int, *, exclusive: bool) -> bool:
        """Lock one byte; Windows has no shared form, so writers take turns."""
        _ = exclusive
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: int, *, exclusive: bool) -> bool:
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
