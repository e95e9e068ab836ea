"""`.xpack`: a zip of exactly a pack's files, of which only one form is right.

Entries are sorted and stored, times fixed, so the same files give the same bytes.
Reading takes the members one behind the other, writes what it found anew, and refuses
an archive that differs in a single byte: whatever could be odd about a zip (a second
directory, data between members, headers that lie) is ruled out by that.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from experience_pack.errors import RefusedError
from experience_pack.formats.stored_zip import (
    CENTRAL,
    LOCAL,
    SHARED,
    Member,
    end,
    heads,
)
from experience_pack.model import without_collector
from experience_pack.packs.layout import (
    HINT,
    MOST_BYTES,
    MOST_FILES,
    Files,
    by_path,
    check_paths,
    within_limits,
)

_ENCRYPTED = 0x1


@without_collector()
def write_archive(files: Files) -> bytes:
    """Give the archive whole, as `archive_parts` does piece by piece."""
    return b"".join(archive_parts(files))


def archive_parts(files: Files) -> Iterator[bytes]:
    """Give the archive: entries sorted, times fixed, stored; same files, same bytes.

    More than any reader takes is a `RefusedError`.
    """
    return _parts(within_limits(by_path(files)))


def read_archive(path: Path) -> Files:
    """Give the files of an archive; anything odd about it is a `RefusedError`."""
    if path.stat().st_size > 2 * MOST_BYTES:
        raise _refused(f"{path.name} is larger than any archive that is read")
    return archive_files(path.read_bytes(), path.name)


@without_collector()
def archive_files(raw: bytes, subject: str) -> Files:
    """Give the files of an archive's bytes, as `read_archive` does."""
    try:
        found = _members(raw)
        check_paths(list(found))
    except (struct.error, UnicodeDecodeError) as error:
        raise _refused(f"{subject} is cut short or misnamed ({error})") from error
    if not _is_joined(raw, archive_parts(found)):
        fault = _fault_of(raw) or _difference(raw, found)
        raise _refused(f"{subject}: {fault}")
    return found


def _refused(text: str) -> RefusedError:
    return RefusedError(text, hint=HINT)


def _parts(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """Give an archive piece by piece: members, directory, end."""
    directory = io.BytesIO()
    count = offset = 0
    for count, (path, data) in enumerate(files, 1):  # noqa: B007  # how many there were
        head, entry = _heads(path, data, offset)
        yield head
        yield data
        directory.write(entry)
        offset += len(head) + len(data)
    yield directory.getvalue()
    yield end(count, directory.tell(), offset)


def _heads(path: str, data: bytes, offset: int) -> tuple[bytes, bytes]:
    return heads(Member(path, zlib.crc32(data), len(data)), offset)


def _members(raw: bytes) -> dict[str, bytes]:
    """Take the members as they follow each other; they may still be anything."""
    found = {}
    at = 0
    while raw.startswith(LOCAL, at):
        *_, size, length, _ = SHARED.unpack_from(raw, at + len(LOCAL))
        name = at + len(LOCAL) + SHARED.size
        data = name + length
        at = data + size
        found[raw[name:data].decode("utf-8")] = raw[data:at]
        if len(found) > MOST_FILES:
            raise _refused(f"more than {MOST_FILES:,} members")
    return found


def _is_joined(raw: bytes, parts: Iterable[bytes]) -> bool:
    """Tell whether bytes are exactly the parts, without joining them."""
    at = 0
    for part in parts:
        if not raw.startswith(part, at):
            return False
        at += len(part)
    return at == len(raw)


def _fault_of(raw: bytes) -> str:
    """Say what is wrong with an archive by its directory, if that shows it."""
    if raw.count(CENTRAL) > MOST_FILES:
        return f"its directory lists more than {MOST_FILES:,} members"
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, struct.error, ValueError, NotImplementedError) as error:
        return f"this is no sound archive ({error})"
    check_paths([member.filename for member in members])
    for member in members:
        for holds, text in _FAULTS:
            if holds(member):
                return f"{member.filename!r:.200} {text}"
    return ""


def _difference(raw: bytes, files: Files) -> str:
    """Say which member is the first that is not as we write it."""
    entries = []
    offset = 0
    for path in sorted(files):
        head, entry = _heads(path, files[path], offset)
        data = offset + len(head)
        if not (raw.startswith(head, offset) and raw.startswith(files[path], data)):
            return f"{path!r:.200} was not packed by us, or was changed since"
        entries.append((path, entry))
        offset = data + len(files[path])
    for path, entry in entries:
        if not raw.startswith(entry, offset):
            return f"{path!r:.200} stands in the directory as something else"
        offset += len(entry)
    return "something stands behind its members that we do not write"


def _is_special(member: zipfile.ZipInfo) -> bool:
    return stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG)


_FAULTS: tuple[tuple[Callable[[zipfile.ZipInfo], bool], str], ...] = (
    (_is_special, "is a link or a special file"),
    (lambda one: bool(one.flag_bits & _ENCRYPTED), "is encrypted"),
    (
        lambda one: one.compress_type != zipfile.ZIP_STORED,
        "is compressed; a pack's files are not",
    ),
)
"""What is named about a member, in the order in which it is looked for."""
