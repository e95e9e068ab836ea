"""`.xpack`: a zip of exactly a pack's files, written alike and read with suspicion.

An archive that is odd in any way is refused, never repaired, and nothing of it is
written before all of it was read. Sizes are counted while reading, since headers lie.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from experience_pack.errors import RefusedError
from experience_pack.model import without_collector
from experience_pack.packs.layout import (
    HINT,
    LARGEST_RATIO,
    MOST_BYTES,
    MOST_FILES,
    Files,
    check_paths,
    largest,
)

_EPOCH = (1980, 1, 1, 0, 0, 0)
_ATTRIBUTES = 0o100644 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _DESCRIPTOR = 0x1, 0x8
_LOCAL = struct.Struct("<4s2xHHHHIIIHH")  # APPNOTE.TXT 4.3.7, up to the name
_END_BYTES = 22  # end of central directory without a comment


@without_collector()
def write_archive(files: Files) -> bytes:
    """Give the archive: entries sorted, times fixed, stored; same files, same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, _EPOCH)
            info.external_attr = _ATTRIBUTES
            info.create_system = 3
            archive.writestr(info, files[path])
    return buffer.getvalue()


@without_collector()
def read_archive(path: Path) -> Files:
    """Give the files of an archive; anything odd about it is a `RefusedError`."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_directory(members)
            return _read_members(file, archive, members)
    except (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError) as error:
        raise _refused(f"{path.name} is no sound archive ({error})") from error
    except (EOFError, UnicodeDecodeError, ValueError) as error:
        raise _refused(f"{path.name} is cut short or misnamed ({error})") from error


def _refused(text: str) -> RefusedError:
    return RefusedError(text, hint=HINT)


def _check_directory(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_FILES:
        raise _refused(f"{len(members):,} files; at most {MOST_FILES:,} are read")
    for member in members:
        fault = _fault_of(member)
        if fault:
            raise _refused(f"{member.filename!r:.200} {fault}")
    check_paths([member.filename for member in members])
    total = sum(member.file_size for member in members)
    if total > MOST_BYTES:
        raise _refused(f"{total:,} bytes unpacked; at most {MOST_BYTES:,} are read")


def _fault_of(member: zipfile.ZipInfo) -> str:
    return next((text for holds, text in _FAULTS if holds(member)), "")


def _is_special(member: zipfile.ZipInfo) -> bool:
    return stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG)


_FAULTS: tuple[tuple[Callable[[zipfile.ZipInfo], bool], str], ...] = (
    (_is_special, "is a link or a special file"),
    (
        lambda one: one.orig_filename != one.filename,
        "has a name that systems read differently",
    ),
    (lambda one: bool(one.flag_bits & _ENCRYPTED), "is encrypted"),
    (
        lambda one: one.compress_type not in _METHODS,
        "is packed in a way that is not read",
    ),
    (
        lambda one: one.file_size > largest(one.filename),
        "has more bytes than are read",
    ),
    (
        lambda one: one.file_size > LARGEST_RATIO * max(one.compress_size, 1),
        "unpacks to far more than it holds",
    ),
)
"""What is wrong with a member, in the order in which it is looked for."""


def _read_members(
    file: BinaryIO, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]
) -> Files:
    """Read every member; they have to cover the file from its first byte on."""
    found = {}
    position = 0
    for member in sorted(members, key=lambda one: one.header_offset):
        if member.header_offset != position:
            raise _refused(f"{member.filename!r} does not begin where it should")
        file.seek(position)
        position += _check_local(file.read(_LOCAL.size), file, member)
        file.seek(position - member.compress_size)
        found[member.filename] = _unpacked(file.read(member.compress_size), member)
    if archive.start_dir != position:
        raise _refused("there is data between the files and the directory")
    _check_end(file, archive)
    return found


def _unpacked(packed: bytes, member: zipfile.ZipInfo) -> bytes:
    """Unpack as much as the directory states; anything else in it is refused."""
    data, ended = packed, True
    if member.compress_type == zipfile.ZIP_DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        data = inflater.decompress(packed, member.file_size + 1)
        ended = inflater.eof and not inflater.unused_data
    if not ended or len(data) != member.file_size or zlib.crc32(data) != member.CRC:
        raise _refused(f"{member.filename!r} holds something else than it states")
    return data


def _check_end(file: BinaryIO, archive: zipfile.ZipFile) -> None:
    size = file.seek(0, io.SEEK_END)
    file.seek(size - _END_BYTES)
    if archive.comment or file.read(4) != b"PK\x05\x06":
        raise _refused("there is data behind the directory")


def _check_local(head: bytes, file: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Compare a local header with the directory; give the member's whole length."""
    magic, flags, method, *_, packed, size, name_bytes, extra = _LOCAL.unpack(head)
    name = file.read(name_bytes)
    encoding = "utf-8" if flags & 0x800 else "cp437"
    agrees = (
        magic == b"PK\x03\x04"
        and name.decode(encoding) == member.orig_filename
        and method == member.compress_type
        and flags == member.flag_bits
        and not flags & _DESCRIPTOR
        and (packed, size) == (member.compress_size, member.file_size)
    )
    if not agrees:
        raise _refused(f"{member.filename!r} has two headers that differ")
    return int(_LOCAL.size + name_bytes + extra + packed)
