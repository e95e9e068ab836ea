"""A dashboard that answers while a test asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from experience_pack.hosts.dashboard import Dashboard
from experience_pack.workspace.folder import Folder


@contextmanager
def serving(folder: Folder, *, writable: bool = False) -> Iterator[Dashboard]:
    """Serve a workspace on a free port of the loopback until the block ends."""
    dashboard = Dashboard(folder, 0, writable=writable)
    thread = Thread(target=dashboard.serve)
    thread.start()
    try:
        yield dashboard
    finally:
        dashboard.close()
        thread.join()
