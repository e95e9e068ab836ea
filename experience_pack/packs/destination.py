"""Where a pack goes: a folder, an `.xpack`, a JSON bundle, a text for review."""

from __future__ import annotations

import json
import secrets
import shutil
from pathlib import Path

from experience_pack.errors import ExperiencePackError, UsageError
from experience_pack.model import without_collector
from experience_pack.packs.archive import archive_parts
from experience_pack.packs.layout import MANIFEST, Files, bound
from experience_pack.packs.markdown import review_text
from experience_pack.packs.page import with_block
from experience_pack.packs.source import bundle_of, read_folder
from experience_pack.workspace.files import (
    TEMPORARY,
    file_errors,
    write_file,
    write_parts,
)

PAGES = (".html", ".htm")
"""Endings of pages."""


@without_collector()
def write_pack(files: Files, target: Path) -> None:
    """Write a pack in the form that the ending asks for.

    `.xpack`, `.json` (bundle) and `.md` (for review) are files, `.html` is a page that
    is a pack already; anything else is a folder: one that holds a pack is brought up
    to date, its manifest last and hidden files left alone; one that holds anything
    else is refused. Files that lie in a store go into archive and folder without being
    held all at once.
    """
    if target.suffix == ".xpack":
        write_parts(target, archive_parts(files))
    elif target.suffix == ".json":
        text = json.dumps(bundle_of(files), ensure_ascii=False, indent=1)
        write_file(target, text.encode("utf-8") + b"\n")
    elif target.suffix in PAGES:
        _write_page(files, target)
    elif target.suffix == ".md":
        write_file(target, review_text(files).encode("utf-8"))
    else:
        _write_folder(files, target)


def _write_page(files: Files, target: Path) -> None:
    """Put a pack into a page that is one already; views are made elsewhere."""
    if not target.is_file():
        raise UsageError(
            f"{target} is to be a page",
            hint="`experience-pack snapshot --pack NAME -o FILE` writes it.",
        )
    with file_errors(target):
        page = target.read_bytes()
    write_file(target, with_block(page, files, target.name))


def _write_folder(files: Files, target: Path) -> None:
    occupied = target.exists() and (target.is_file() or any(target.iterdir()))
    if occupied and not (target / MANIFEST).is_file():
        raise UsageError(
            f"{target} is not empty and holds no pack",
            hint="Name a new folder, or a file ending in .xpack, .json or .md.",
        )
    with file_errors(target):
        if occupied:
            _update_folder(files, target)
        else:
            _make_folder(files, target)


def _make_folder(files: Files, target: Path) -> None:
    """Write a new folder under a temporary name; it appears whole."""
    temporary = target.with_name(f"{TEMPORARY}{secrets.token_hex(8)}")
    try:
        for path, data in files.items():
            write_file(temporary / path, data, durable=False)
        if target.is_dir():
            target.rmdir()
        temporary.replace(target)
    except (OSError, ExperiencePackError):
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _update_folder(files: Files, target: Path) -> None:
    """Change what differs, the manifest last: until then its digest tells."""
    stale = set(read_folder(target)) - set(files)
    for path, data in files.items():
        if path != MANIFEST:
            _write_changed(target / path, data)
    _write_changed(target / MANIFEST, files[MANIFEST])
    for path in stale:
        if bound(path):
            (target / path).unlink()


def _write_changed(path: Path, data: bytes) -> None:
    if not (path.is_file() and path.read_bytes() == data):
        write_file(path, data, durable=False)
