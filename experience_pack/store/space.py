"""Whether a disk has room, where what failed on it does not say so."""

from __future__ import annotations

import shutil
from pathlib import Path

_LITTLE = 65_536
"""Bytes; with less neither SQLite can map its log's index nor git make a file."""


def is_full(folder: Path) -> bool:
    """Tell whether the disk that a folder is on has no room."""
    try:
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:
        return False
