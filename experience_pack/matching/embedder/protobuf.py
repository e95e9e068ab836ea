"""Just enough of the protobuf wire format to write an ONNX file.

The numbers of the fields are those of onnx.proto (IR version 10); the wire format is
protobuf.dev/programming-guides/encoding. A user's machine needs no `onnx` for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack

Field = tuple[int, int | str | bytes]
"""Number of a field, and its value: an integer, a text, or a message or bytes."""

_VARINT, _BYTES, _FLOAT = 0, 2, 5


def message(fields: Iterable[Field]) -> bytes:
    """Give the bytes of a message whose fields are written in this order."""
    return b"".join(_field(number, value) for number, value in fields)


def real(number: int, value: float) -> bytes:
    """Give one field that holds a 32-bit float."""
    return _varint(number << 3 | _FLOAT) + pack("<f", value)


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | _BYTES) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    found = bytearray()
    value &= 2**64 - 1  # a negative number is written in two's complement
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
