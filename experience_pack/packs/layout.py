"""The files of a pack: their names, their roles, how large they may be."""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, Mapping

from experience_pack.errors import RefusedError
from experience_pack.formats.names import path_key

MANIFEST = "pack.json"
SHELL = "plugin.json"
READ_ME = "README.md"
STANDING = "standing.json"
TOMBSTONES = "tombstones.jsonl"
CARDS = "cards/"
SKILLS = "skills/"
EVIDENCE = "evidence/"
HISTORIES = "history/"
"""A git bundle of the versions that the pack had."""
CERTIFICATE = "certificate.json"
SIGNATURES = "signatures/"
"""Like the certificate said about a pack afterwards: its digest covers neither."""

Files = Mapping[str, bytes]
"""The files of a pack by path."""


class LazyFiles(Mapping[str, bytes]):
    """Files that stand in order, each read when it is reached."""

    @abstractmethod
    def each(self) -> Iterator[tuple[str, bytes]]:
        """Give every path and its bytes, by path."""

    def items(self) -> ItemsView[str, bytes]:
        """Give every path and its bytes, by path, without holding them all."""
        return _Each(self)


class _Each(ItemsView[str, bytes]):
    _mapping: LazyFiles

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        return self._mapping.each()


def by_path(files: Files) -> Iterable[tuple[str, bytes]]:
    """Give every path and its bytes in the order in which a pack has them."""
    return files.items() if isinstance(files, LazyFiles) else sorted(files.items())


MOST_FILES = 250_000
MOST_BYTES = 1_000_000_000
LARGEST_FILE = 5_000_000
LARGEST_LISTS = 64_000_000  # pack.json and standing.json list every experience
LARGEST_HISTORY = 100_000_000  # 10,000 cards through 1,000 versions have 30 MB

_ROLES = {
    "cards": "card",
    "skills": "skill",
    "evidence": "evidence",
    "history": "history",
    STANDING: "standing",
    TOMBSTONES: "tombstones",
}


def role_of(path: str) -> str:
    """Give the role of a file by its path."""
    return _ROLES.get(path.partition("/")[0], "shell")


def bound(path: str) -> bool:
    """Tell whether the manifest has to list a file."""
    return path not in (MANIFEST, CERTIFICATE) and not path.startswith(SIGNATURES)


def largest(path: str) -> int:
    """Give how many bytes a file may have."""
    if path.startswith(HISTORIES):
        return LARGEST_HISTORY
    return LARGEST_LISTS if path in (MANIFEST, STANDING) else LARGEST_FILE


def within_limits(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Hand files on, and refuse more of them, or larger ones, than any reader takes."""
    total = 0
    for count, (path, data) in enumerate(files, 1):
        total += len(data)
        fault = None
        if len(data) > largest(path):
            fault = f"{path!r:.200} has {len(data):,} bytes, more than are read"
        elif count > MOST_FILES:
            fault = f"more than {MOST_FILES:,} files"
        elif total > MOST_BYTES:
            fault = f"more than {MOST_BYTES:,} bytes in all"
        if fault:
            raise RefusedError(fault, hint=HINT)
        yield path, data


_CONTROL = re.compile("[\x00-\x1f\x7f\\\\]")
_DRIVE = re.compile("[A-Za-z]:")


def check_path(path: str) -> None:
    """Refuse a path that could lead out of the pack or mean two things."""
    parts = path.split("/")
    fault = None
    if not path or path.startswith("/") or _DRIVE.match(path):
        fault = "is absolute or empty"
    elif any(part in ("", ".", "..") for part in parts):
        fault = "has an empty part, '.' or '..'"
    elif _CONTROL.search(path):
        fault = "has a backslash or a control character"
    elif ".git" in (part.casefold() for part in parts):
        fault = "would bring a git repository"
    elif any(part != part.rstrip(" .") for part in parts):
        fault = "has a part that ends in a space or a dot"
    elif unicodedata.normalize("NFC", path) != path:
        fault = "is not in Unicode form NFC"
    if fault:
        raise RefusedError(f"the path {path!r:.200} {fault}", hint=HINT)


HINT = "Nothing was written. Ask whoever made the pack for a sound one."


def check_paths(paths: list[str]) -> None:
    """Check every path, and that no two are one on some file system."""
    seen: dict[str, str] = {}
    for path in paths:
        check_path(path)
        key = path_key(path)
        if key in seen:
            raise RefusedError(
                f"{seen[key]!r} and {path!r} are one file on some systems", hint=HINT
            )
        seen[key] = path
