"""The one form of zip that we write: members stored, times fixed, plain files.

The fields are those of APPNOTE.TXT 4.3.7 to 4.3.16. Whoever reads such an archive
makes its heads anew and compares: nothing about it can be odd unnoticed.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
SHARED = struct.Struct("<5H3I2H")
"""What a local header and the directory share: version, flags, method, time, date;
CRC-32 and both sizes; lengths of name and extra field."""

MOST_BYTES = 0xFFFF_FFFF
"""An offset has 32 bits."""

_MADE_BY = struct.pack("<H", 3 << 8 | 20)  # Unix, version 2.0
_PLACE = struct.Struct("<3H2I")  # comment, disk, text; attributes, offset
_END = struct.Struct("<4s4H2IH")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR_64 = struct.Struct("<4sIQI")

_VERSION, _STORED, _UTF_8 = 20, 0, 0x800
_TIME, _DATE = 0, 1 << 5 | 1  # midnight of 1 January 1980, the first that there is
_ATTRIBUTES = 0o100644 << 16  # a plain file, as Unix has it
_MOST_IN_16_BITS = 0xFFFF


class Member(NamedTuple):
    """What an archive says of one file."""

    path: str
    crc: int
    size: int
    """Bytes."""


def heads(member: Member, offset: int) -> tuple[bytes, bytes]:
    """Give the header of a member that begins at `offset`, and its directory entry."""
    name = member.path.encode("utf-8")
    flags = 0 if member.path.isascii() else _UTF_8
    shared = SHARED.pack(
        *(_VERSION, flags, _STORED, _TIME, _DATE),
        *(member.crc, member.size, member.size, len(name), 0),
    )
    place = _PLACE.pack(0, 0, 0, _ATTRIBUTES, offset)
    return LOCAL + shared + name, CENTRAL + _MADE_BY + shared + place + name


def end(count: int, size: int, offset: int) -> bytes:
    """Give the end of a directory of `count` entries and `size` bytes at `offset`.

    Many members need its 64-bit form before it.
    """
    small = min(count, _MOST_IN_16_BITS)
    last = _END.pack(b"PK\x05\x06", 0, 0, small, small, size, offset, 0)
    if count == small:
        return last
    rest = _END_64.size - 12  # the record's length, without its head
    large = _END_64.pack(b"PK\x06\x06", rest, 45, 45, 0, 0, count, count, size, offset)
    return large + _LOCATOR_64.pack(b"PK\x06\x07", 0, offset + size, 1) + last
