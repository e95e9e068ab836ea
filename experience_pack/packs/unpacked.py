"""How large the objects of a git pack are, told before git unpacks them.

A delta of a few bytes can ask for an object of gigabytes, and of each such object
for many; git makes room for what a delta asks (gitformat-pack(5)).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from experience_pack.packs.layout import LARGEST_LISTS

_LARGEST_OBJECT = LARGEST_LISTS  # no file of a pack may be larger
_MOST_OBJECTS = 1_000_000  # those have an eighth of it
_MOST_UNPACKED = 10_000_000_000  # 10,000 cards through 1,000 versions come to half

_HEAD = struct.Struct(">4sII")
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_NAME = 20  # bytes of a SHA-1
_TAKEN = 1_024  # bytes at a time; most objects are smaller
_GIVEN = 1_000_000
_SIZES = 20  # the two sizes at the start of a delta are no longer


class _Inflated(NamedTuple):
    start: bytes
    size: int
    end: int


def fault_of(packed: bytes) -> str:
    """Say why a pack of objects must not be unpacked; nothing if it may."""
    total = 0
    try:
        _, _, count = _HEAD.unpack_from(packed)
        if count > _MOST_OBJECTS:
            return f"it has more than {_MOST_OBJECTS:,} objects"
        for size in _sizes(packed, count):
            total += size
            if size > _LARGEST_OBJECT:
                return f"an object of {size:,} bytes is larger than any of a pack"
            if total > _MOST_UNPACKED:
                return f"it unpacks to more than {_MOST_UNPACKED:,} bytes"
    except (IndexError, struct.error, zlib.error):
        return "its objects are cut short or damaged"
    return ""


def _sizes(packed: bytes, count: int) -> Iterator[int]:
    """Give what each object unpacks to, or as much of it as is too much."""
    view = memoryview(packed)
    at = _HEAD.size
    for _ in range(count):
        kind = packed[at] >> 4 & 7
        at = _number_end(packed, at)
        if kind == _OFFSET_DELTA:
            at = _number_end(packed, at)
        elif kind == _NAMED_DELTA:
            at += _NAME
        found = _inflated(view, at)
        yield found.size
        if kind in (_OFFSET_DELTA, _NAMED_DELTA):
            yield _number(found.start, _number_end(found.start, 0))
        at = found.end


def _inflated(view: memoryview, at: int) -> _Inflated:
    engine = zlib.decompressobj()
    start, size, waiting = b"", 0, b""
    while not engine.eof and size <= _LARGEST_OBJECT:
        if not waiting:
            waiting = bytes(view[at : at + _TAKEN])
            at += len(waiting)
            if not waiting:
                raise IndexError(at)
        data = engine.decompress(waiting, _GIVEN)
        waiting = engine.unconsumed_tail
        start += data[: _SIZES - len(start)]
        size += len(data)
    return _Inflated(start, size, at - len(engine.unused_data))


def _number_end(data: bytes, at: int) -> int:
    """Give where a number ends whose bytes but the last have their highest bit."""
    while data[at] & 0x80:
        at += 1
    return at + 1


def _number(data: bytes, at: int) -> int:
    """Read the number that begins at a place, the lowest seven bits first."""
    end = _number_end(data, at)
    return sum((data[one] & 0x7F) << 7 * (one - at) for one in range(at, end))
