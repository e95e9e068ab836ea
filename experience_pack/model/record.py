"""Records: frozen dataclasses that read and write plain JSON without loss."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Self, TypeVar, Union, get_args, get_origin

from experience_pack.errors import FormatError
from experience_pack.model import values

type_name = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}

Json = values.Json
"""A value as `json.loads` gives it."""

Reader = Callable[[Json, str], Any]
Writer = Callable[[Any], Json]


class WrongTypeError(ValueError):
    """A value at `path` is not of the kind the record wants."""

    def __init__(self, path: str, expected: str, value: object) -> None:
        got = type_name.get(type(value), type(value).__name__)
        if isinstance(value, str):
            got = f"the string {value[:60]!r}"
        self.path = path
        self.text = f"expected {expected}, got {got}"
        super().__init__(f"{path}: {self.text}")


class MissingValueError(WrongTypeError):
    """A required key is absent."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "a value", None)
        self.text = "required, but missing"


@dataclass(frozen=True, slots=True)
class Slot:
    """How one field travels: its attribute, its key and both directions."""

    name: str
    key: str
    default: Any
    required: bool
    read: Reader
    write: Writer


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """Base of the model's dataclasses.

    The key of a field is its name without a trailing underscore. Keys that the
    record does not know are kept in `extra` and written back. Fields that hold
    their default are not written, so a field added later changes no digest.
    """

    extra: Mapping[str, Json] = field(default_factory=dict)
    """Keys that this release does not know."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Json], path: str = "") -> Self:
        """Read a mapping; `WrongTypeError` names the first fault's path."""
        if not isinstance(data, Mapping):
            raise WrongTypeError(path, "an object", data)
        slots = slots_of(cls)
        values: dict[str, Any] = {}
        extra: dict[str, Json] = {}
        for key, value in data.items():
            slot = slots.get(key)
            if slot is None:
                extra[key] = value
            else:
                values[slot.name] = slot.read(value, f"{path}.{key}" if path else key)
        if len(values) < len(slots):
            for slot in slots.values():
                if slot.required and slot.name not in values:
                    at = f"{path}.{slot.key}" if path else slot.key
                    raise MissingValueError(at)
        return cls(**values, extra=extra)

    def to_dict(self) -> dict[str, Json]:
        """Write the fields that differ from their defaults, and what is extra."""
        found: dict[str, Json] = {}
        for slot in slots_of(type(self)).values():
            value = getattr(self, slot.name)
            if slot.required or value != slot.default:
                found[slot.key] = slot.write(value)
        found.update(self.extra)
        return found


_slots: dict[type[Record], dict[str, Slot]] = {}


def slots_of(cls: type[Record]) -> dict[str, Slot]:
    """Give the fields of a record class by key; worked out once a class."""
    found = _slots.get(cls)
    if found is None:
        found = _slots[cls] = _compile(cls)
    return found


def _compile(cls: type[Record]) -> dict[str, Slot]:
    hints = typing.get_type_hints(cls)
    found = {}
    for item in fields(cls):
        if item.name == "extra":
            continue
        default = item.default
        if item.default_factory is not MISSING:
            default = item.default_factory()
        read, write = _codec(hints[item.name])
        key = item.name.removesuffix("_")
        found[key] = Slot(item.name, key, default, default is MISSING, read, write)
    return found


def _same(value: Json, path: str) -> Json:
    _ = path
    return value


def _plain(value: Any) -> Json:
    return value


def _codec(hint: Any) -> tuple[Reader, Writer]:
    """Choose reader and writer for a field's annotation."""
    if hint is Json:
        return _same, _plain
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _optional_codec(hint)
    if origin is tuple:
        return _list_codec(get_args(hint)[0])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_codec(get_args(hint)[1])
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint.from_dict, _write_record
    return _scalar_reader(hint), _plain


def _write_record(value: Record) -> Json:
    return value.to_dict()


def _scalar_reader(kind: type) -> Reader:
    expected = type_name[kind]
    accepted = (int, float) if kind is float else (kind,)

    def read(value: Json, path: str) -> Any:
        # bool is an int to Python, never to us
        if type(value) not in accepted:
            raise WrongTypeError(path, expected, value)
        return value

    return read


def _optional_codec(hint: Any) -> tuple[Reader, Writer]:
    (inner,) = (arm for arm in get_args(hint) if arm is not type(None))
    read_inner, write_inner = _codec(inner)

    def read(value: Json, path: str) -> Any:
        return None if value is None else read_inner(value, path)

    def write(value: Any) -> Json:
        return None if value is None else write_inner(value)

    return read, write


def _list_codec(item: Any) -> tuple[Reader, Writer]:
    read_item, write_item = _codec(item)
    plain = write_item is _plain

    def read(value: Json, path: str) -> Any:
        if not isinstance(value, (list, tuple)):
            raise WrongTypeError(path, "a list", value)
        return tuple(
            [read_item(part, f"{path}[{at}]") for at, part in enumerate(value)]
        )

    def write(value: Any) -> Json:
        return list(value) if plain else [write_item(part) for part in value]

    return read, write


def _mapping_codec(item: Any) -> tuple[Reader, Writer]:
    read_item, write_item = _codec(item)

    def read(value: Json, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise WrongTypeError(path, "an object", value)
        return {key: read_item(part, f"{path}.{key}") for key, part in value.items()}

    def write(value: Any) -> Json:
        return {key: write_item(part) for key, part in value.items()}

    return read, write


R = TypeVar("R", bound="Record")


def read_record(cls: type[R], data: Json, subject: str) -> R:
    """Read a document into a record; a fault is a `FormatError` about `subject`."""
    try:
        return cls.from_dict(data)
    except WrongTypeError as fault:
        raise FormatError(subject, [(fault.path, fault.text)]) from fault
