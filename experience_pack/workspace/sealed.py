"""`.xbackup`: a zip of stored files whose first, `backup.json`, tells all the others.

Everything after the manifest follows from it to the byte, so reading holds each header
and each file against it, and knows a change, a missing, an added or a moved file for
what it is. Nothing is held in memory but the manifest.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from experience_pack.errors import (
    DigestError,
    FormatError,
    RefusedError,
    StorageError,
)
from experience_pack.formats.stored_zip import (
    LOCAL,
    MOST_BYTES,
    SHARED,
    Member,
    end,
    heads,
)
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Backup, read_record
from experience_pack.workspace.files import file_errors
from experience_pack.workspace.members import check_members

MANIFEST = "backup.json"

_LARGEST_MANIFEST = 64_000_000  # 250,000 files take some 40 MB
_CHUNK = 1 << 20
_HEAD = len(LOCAL) + SHARED.size
_MOST_HEADS = 10_000  # bytes; two paths of 4,096, and what surrounds them
_LARGE = (
    "Copy `.experience/` while nothing runs, or take decisions out: "
    "`experience-pack audit cleanup --days 30`."
)
_HINT = "Nothing was written. Use another backup: `experience-pack backup list`."


class Measured(NamedTuple):
    """What there is to know of the bytes of a file."""

    size: int
    crc: int
    sha256: str


def measure(path: Path) -> Measured:
    """Read a file once and give what there is to know of it."""
    with file_errors(path), path.open("rb") as file:
        return _copy(file, path.stat().st_size, _nowhere)


def write_sealed(
    target: BinaryIO, manifest: Backup, sources: Mapping[str, tuple[Path, Measured]]
) -> None:
    """Write a backup: its manifest, then the files by path.

    A file that is no longer as it was measured is a `StorageError`, more than an
    archive of this form can say a `RefusedError` before anything is written.
    """
    text = json.dumps({**header("backup"), **manifest.to_dict()}, ensure_ascii=False)
    data = text.encode("utf-8")
    total = len(data) + sum(one.size + _MOST_HEADS for _, one in sources.values())
    if total > MOST_BYTES:
        raise RefusedError(f"{total:,} bytes; a backup has at most 4 GB", hint=_LARGE)
    entries = [Member(MANIFEST, zlib.crc32(data), len(data))]
    target.write(heads(entries[0], 0)[0] + data)
    for name in sorted(sources):
        path, measured = sources[name]
        entries.append(Member(name, measured.crc, measured.size))
        target.write(heads(entries[-1], target.tell())[0])
        with file_errors(path), path.open("rb") as file:
            if _copy(file, measured.size, target.write) != measured or file.read(1):
                raise StorageError(
                    f"{name} was changed while it was read", hint="Try again."
                )
    target.write(_directory(entries))


def read_manifest(path: Path) -> Backup:
    """Give the manifest of a backup, without a look at what follows it."""
    with file_errors(path), path.open("rb") as file:
        return _Reader(path, file).manifest()[0]


def check_sealed(
    path: Path, place: Path | None = None, only: Collection[str] = ()
) -> Backup:
    """Give the manifest of a backup once every byte is as it says.

    With `place` the files (or `only` these) are written below that folder. What is
    no backup is a `RefusedError`, a newer format a `VersionError`, a backup that
    was changed a `DigestError` that says where.
    """
    with file_errors(path), path.open("rb") as file:
        reader = _Reader(path, file)
        manifest, first = reader.manifest()
        entries = [first]
        for member in manifest.members:
            wanted = not only or member.path in only
            target = place / member.path if place and wanted else None
            measured = reader.member(member.path, member.size, target)
            if measured.sha256 != member.sha256:
                reader.fail(f"{member.path} was changed")
            entries.append(Member(member.path, measured.crc, measured.size))
        reader.expect(_directory(entries), "its directory was changed")
        reader.expect(b"", "something stands behind its end", rest=True)
    return manifest


class _Reader:
    """A backup as it is read from the front."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    def manifest(self) -> tuple[Backup, Member]:
        """Read the first member."""
        raw = self._file.read(_HEAD + len(MANIFEST))
        size = _size_in(raw)
        if raw[_HEAD:] != MANIFEST.encode() or not 0 < size <= _LARGEST_MANIFEST:
            raise RefusedError(f"{self._path.name} is no backup", hint=_HINT)
        data = self._file.read(size)
        entry = Member(MANIFEST, zlib.crc32(data), len(data))
        if heads(entry, 0)[0] != raw:
            self.fail(f"{MANIFEST} was changed")
        return self._parsed(data), entry

    def member(self, name: str, size: int, target: Path | None) -> Measured:
        """Read the next member, which has to be this one."""
        offset = self._file.tell()
        raw = self._file.read(_HEAD + len(name.encode("utf-8")))
        if raw[_HEAD:] != name.encode("utf-8"):
            self.fail(f"{name} is missing, or something stands before it")
        if target is None:
            found = _copy(self._file, size, _nowhere)
        else:
            found = _write(self._file, size, target)
        if heads(Member(name, found.crc, size), offset)[0] != raw:
            self.fail(f"{name} was changed, or its header was")
        return found

    def expect(self, expected: bytes, otherwise: str, *, rest: bool = False) -> None:
        """Fail unless exactly these bytes follow; with `rest` no others after them."""
        if self._file.read(len(expected) + rest) != expected:
            self.fail(otherwise)

    def fail(self, text: str) -> NoReturn:
        """Say what is not as it was packed."""
        raise DigestError(f"{self._path.name}: {text}", hint=_HINT)

    def _parsed(self, data: bytes) -> Backup:
        subject = f"{self._path.name}: {MANIFEST}"
        document = dict(upgraded(loads(data, subject), "backup", subject))
        for key in ("format", "version"):
            document.pop(key, None)
        try:
            manifest = read_record(Backup, document, subject)
        except FormatError as error:
            raise FormatError(subject, error.faults, hint=_HINT) from error
        check_members([one.path for one in manifest.members], self._path.name)
        return manifest


def _size_in(raw: bytes) -> int:
    """Give the size that a header states; -1 if it is none."""
    if not raw.startswith(LOCAL) or len(raw) < _HEAD:
        return -1
    size: int = SHARED.unpack_from(raw, len(LOCAL))[7]
    return size


def _directory(entries: list[Member]) -> bytes:
    listed = []
    offset = 0
    try:
        for entry in entries:
            head, place = heads(entry, offset)
            listed.append(place)
            offset += len(head) + entry.size
        directory = b"".join(listed)
        return directory + end(len(entries), len(directory), offset)
    except struct.error as error:
        raise RefusedError("more bytes than the 4 GB a backup may have") from error


def _write(file: BinaryIO, size: int, target: Path) -> Measured:
    with file_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as written:
            return _copy(file, size, written.write)


def _copy(file: BinaryIO, size: int, put: Callable[[bytes], object]) -> Measured:
    digest = hashlib.sha256()
    crc = done = 0
    for chunk in _chunks(file, size):
        digest.update(chunk)
        crc = zlib.crc32(chunk, crc)
        done += len(chunk)
        put(chunk)
    return Measured(done, crc, digest.hexdigest())


def _chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := file.read(min(size, _CHUNK))):
        size -= len(chunk)
        yield chunk


def _nowhere(_: bytes) -> None:
    """Let bytes go."""
