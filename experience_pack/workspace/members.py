"""Which files of a workspace a backup holds: everything else is refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import RefusedError
from experience_pack.formats.names import path_key
from experience_pack.workspace.files import TEMPORARY, file_errors
from experience_pack.workspace.folder import CARDS, DATABASE, PACKS

HISTORIES = "history"
FOLDERS = (CARDS, PACKS, HISTORIES)
FILES = ("config.json", "packs.lock.json")

_PART = r"(?!\.)[^/\\:\x00-\x1f\x7f]*[^/\\:\x00-\x1f\x7f. ]"
_HEX = "[0-9a-f]"
_REPOSITORY = rf"history/{_PART}\.git"

_ALLOWED = (
    re.escape(DATABASE),
    *map(re.escape, FILES),
    rf"experiences(/{_PART})+",
    rf"packs/{_PART}\.json",
    # of a repository what git needs, and nothing that it would run or follow
    rf"{_REPOSITORY}/(HEAD|config|packed-refs|merging\.json)",
    rf"{_REPOSITORY}/refs/(heads|tags)(/{_PART})+",
    rf"{_REPOSITORY}/objects/{_HEX}{{2}}/{_HEX}{{38}}",
    rf"{_REPOSITORY}/objects/pack/pack-{_HEX}{{40}}\.(pack|idx|rev)",
)
_is_allowed = re.compile("|".join(f"(?:{one})" for one in _ALLOWED)).fullmatch

_PASSING = re.compile(
    rf"(.*/)?{re.escape(TEMPORARY)}.*|{_REPOSITORY}/.*(\.lock|\.keep|/tmp_[^/]*)"
    rf"|{_REPOSITORY}/(description|hooks/.*|info/.*|objects/info/.*|branches/.*)"
)
"""What comes and goes, or is made anew when it is needed."""


class Members(NamedTuple):
    """The files of a workspace, relative to it, beside the store."""

    kept: list[str]
    left_out: list[str]
    """What no backup takes: links, special files and odd names."""


def members_of(workspace: Path) -> Members:
    """Give the files that a backup takes and those it leaves out, sorted."""
    kept: list[str] = []
    left_out: list[str] = []
    for name in FILES:
        if os.path.lexists(workspace / name):
            (kept if _is_plain(workspace / name) else left_out).append(name)
    for folder in FOLDERS:
        for path in _walk(workspace / folder):
            name = path.relative_to(workspace).as_posix()
            if _PASSING.fullmatch(name):
                continue
            takes = _is_allowed(name) and _is_plain(path)
            (kept if takes else left_out).append(name)
    return Members(sorted(kept), sorted(left_out))


def check_members(paths: Sequence[str], subject: str) -> None:
    """Refuse a list with any other path, one out of order, or two that are one file."""
    for path in paths:
        if not _is_allowed(path):
            text = f"{subject} lists {path!r:.200}, which no backup holds"
            raise RefusedError(text, hint=_HINT)
    if list(paths) != sorted(paths) or len({*map(path_key, paths)}) < len(paths):
        raise RefusedError(
            f"{subject} lists its files twice or out of order", hint=_HINT
        )
    if DATABASE not in paths:
        raise RefusedError(f"{subject} holds no {DATABASE}", hint=_HINT)


_HINT = "Nothing was written. Use another backup: `experience-pack backup list`."


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _walk(folder: Path) -> Iterator[Path]:
    """Give whatever is below a folder and is no folder itself."""
    if folder.is_symlink():
        yield folder
        return
    if not folder.is_dir():
        return
    with file_errors(folder):
        entries = sorted(folder.iterdir())
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry)
        else:
            yield entry
