"""Where a pack goes: a folder, an `.xpack`, a JSON bundle, a text for review."""

from __future__ import annotations

import json
from pathlib import Path

from experience_pack.errors import UsageError
from experience_pack.packs.archive import write_archive
from experience_pack.packs.layout import MANIFEST, Files, bound
from experience_pack.packs.markdown import review_text
from experience_pack.packs.source import bundle_of, read_folder
from experience_pack.workspace.files import file_errors, write_file


def write_pack(files: Files, target: Path) -> None:
    """Write a pack in the form that the ending asks for.

    `.xpack`, `.json` (bundle) and `.md` (for review) are files; anything else is a
    folder: one that holds a pack already is brought up to date, its manifest last and
    hidden files left alone; one that holds anything else is refused.
    """
    if target.suffix == ".xpack":
        write_file(target, write_archive(files))
    elif target.suffix == ".json":
        text = json.dumps(bundle_of(files), ensure_ascii=False, indent=1)
        write_file(target, text.encode("utf-8") + b"\n")
    elif target.suffix == ".md":
        write_file(target, review_text(files).encode("utf-8"))
    else:
        _write_folder(files, target)


def _write_folder(files: Files, target: Path) -> None:
    occupied = target.exists() and (target.is_file() or any(target.iterdir()))
    if occupied and not (target / MANIFEST).is_file():
        raise UsageError(
            f"{target} is not empty and holds no pack",
            hint="Name a new folder, or a file ending in .xpack, .json or .md.",
        )
    with file_errors(target):
        stale = set(read_folder(target)) - set(files) if occupied else set()
        order = sorted(files, key=lambda path: (path == MANIFEST, path))
        for path in order:
            _write_changed(target / path, files[path])
        for path in stale:
            if bound(path):
                (target / path).unlink()


def _write_changed(path: Path, data: bytes) -> None:
    if not (path.is_file() and path.read_bytes() == data):
        write_file(path, data, durable=False)
