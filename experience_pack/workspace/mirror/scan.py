"""Look at the card files without reading those that cannot have changed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from experience_pack.errors import FormatError, VersionError
from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.formats.strict_json import utf8
from experience_pack.model import Experience
from experience_pack.workspace.files import file_errors

_TICK = 20_000_000
"""Nanoseconds; a file changed this shortly before it was looked at may change again
without a trace, since file times advance in ticks of up to some milliseconds."""

_LARGEST = 5_000_000  # bytes; a longer card is no card


@dataclass(slots=True)
class Scan:
    """The card files: a signature for each path, and folders that kept closed."""

    files: dict[str, str] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)


def scan(root: Path) -> Scan:
    """Give the signature of every card file below a folder."""
    found = Scan()
    if root.is_dir():
        _walk(str(root), "", found)
    return found


def signature(path: Path | str) -> str:
    """Give what the file system says of a file; any change to it shows here."""
    return _signature(os.stat(path))  # noqa: PTH116  # a string, many thousand times


def settled(stat: str, now_ns: int) -> bool:
    """Tell whether a change after this look would show in the signature."""
    changed = max(int(part) for part in stat.split(":")[1:3])
    return changed < now_ns - _TICK


def _signature(found: os.stat_result) -> str:
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_ino}"


def _walk(folder: str, prefix: str, found: Scan) -> None:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        found.closed.append(prefix.rstrip("/") or ".")
        return
    for entry in listed:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            _walk(entry.path, f"{prefix}{entry.name}/", found)
        elif entry.name.endswith(".md"):
            found.files[prefix + entry.name] = _signature(entry.stat())


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card as it is on disk."""

    path: str
    sha256: str
    """Of its bytes, after undoing a conversion to CRLF."""
    stat: str
    experience: Experience
    digest: str


def read_card(root: Path, path: str) -> CardFile:
    """Read and parse a card; a `FormatError` or `VersionError` names its path."""
    with file_errors(root / path):
        stat = signature(root / path)
        if int(stat.partition(":")[0]) > _LARGEST:
            raise FormatError(path, [("", f"larger than {_LARGEST:,} bytes")])
        data = (root / path).read_bytes()
    text = card.unix_lines(utf8(data, path))
    experience = card.parse(text, path)
    return CardFile(
        path=path,
        sha256=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        stat=stat,
        experience=experience,
        digest=digest(experience.content()),
    )


def file_sha256(path: Path) -> str | None:
    """Give the hash of a card file as `read_card` has it; None if it is not there."""
    try:
        with file_errors(path):
            data = path.read_bytes()
    except (FormatError, VersionError):
        raise
    except Exception as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    text = data.decode("utf-8", "surrogateescape")
    plain = card.unix_lines(text).encode("utf-8", "surrogateescape")
    return hashlib.sha256(plain).hexdigest()
