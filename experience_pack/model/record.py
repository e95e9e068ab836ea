"""Records: frozen dataclasses that read and write plain JSON without loss."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
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

_OBJECT = (dict, Mapping)  # in this order: asking an abstract class takes long

Reader = Callable[[Json], Any]
Writer = Callable[[Any], Json]


class WrongTypeError(ValueError):
    """A value at `path` is not of the kind the record wants."""

    def __init__(self, path: str, expected: str, value: object) -> None:
        got = type_name.get(type(value), type(value).__name__)
        if isinstance(value, str):
            got = f"the string {value[:60]!r}"
        super().__init__(path, expected, value)
        self.path = path
        self.text = f"expected {expected}, got {got}"

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"

    def within(self, outer: str) -> Self:
        """Say that the fault is inside `outer`; a path grows on its way up."""
        joint = "." if outer and self.path and not self.path.startswith("[") else ""
        self.path = f"{outer}{joint}{self.path}"
        return self


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


@dataclass(frozen=True, slots=True)
class _Form:
    """What reading and writing a record class needs, worked out once."""

    slots: dict[str, Slot]
    """By key."""
    defaults: dict[str, Any]
    """By attribute; records are frozen, so all of them share these."""
    values: Callable[[Any], tuple[Any, ...]]
    """Gives a record's values in the order of `slots`, `extra` last."""


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
        try:
            return cls.read(data)
        except WrongTypeError as fault:
            raise fault.within(path) from None

    @classmethod
    def read(cls, data: Mapping[str, Json]) -> Self:
        """Read a mapping as `from_dict` does, where the path of `data` is unknown."""
        if not isinstance(data, _OBJECT):
            raise WrongTypeError("", "an object", data)
        form = _form_of(cls)
        values = form.defaults.copy()
        extra: dict[str, Json] = {}
        for key, value in data.items():
            slot = form.slots.get(key)
            if slot is None:
                extra[key] = value
                continue
            try:
                values[slot.name] = slot.read(value)
            except WrongTypeError as fault:
                raise fault.within(key) from None
        if len(values) < len(form.slots):
            missing = (one.key for one in form.slots.values() if one.name not in values)
            raise MissingValueError(next(missing))
        return cls(**values, extra=extra)

    def to_dict(self) -> dict[str, Json]:
        """Write the fields that differ from their defaults, and what is extra.

        Fields stand in their own order, keys that anybody may choose sorted: what
        comes back from a store is written as it was before.
        """
        form = _form_of(type(self))
        values = form.values(self)
        found: dict[str, Json] = {}
        for slot, value in zip(form.slots.values(), values, strict=False):
            # most fields hold the shared default itself
            if value is not slot.default and value != slot.default:
                found[slot.key] = slot.write(value)
        if self.extra:
            found.update(_ordered(self.extra))
        return found


_forms: dict[type[Record], _Form] = {}


def slots_of(cls: type[Record]) -> dict[str, Slot]:
    """Give the fields of a record class by key."""
    return _form_of(cls).slots


def _form_of(cls: type[Record]) -> _Form:
    found = _forms.get(cls)
    if found is None:
        found = _forms[cls] = _compile(cls)
    return found


def _compile(cls: type[Record]) -> _Form:
    hints = typing.get_type_hints(cls)
    slots = {}
    for item in fields(cls):
        if item.name == "extra":
            continue
        default = item.default
        if item.default_factory is not MISSING:
            default = item.default_factory()
        read, write = _codec(hints[item.name])
        key = item.name.removesuffix("_")
        slots[key] = Slot(item.name, key, default, default is MISSING, read, write)
    return _Form(
        slots,
        {one.name: one.default for one in slots.values() if not one.required},
        attrgetter(*(one.name for one in slots.values()), "extra"),
    )


def _plain(value: Any) -> Json:
    return value


def _ordered(value: Any) -> Json:
    """Sort the keys of every object in a value, however deep a reader let it be."""
    if not isinstance(value, (*_OBJECT, list, tuple)):
        return value
    try:
        return json.loads(_sorted(value))
    except RecursionError as error:
        fault = "nested too deeply"
        raise FormatError("a value", [("", fault)]) from error


_sorted = json.JSONEncoder(sort_keys=True, default=dict).encode


def _codec(hint: Any) -> tuple[Reader, Writer]:
    """Choose reader and writer for a field's annotation."""
    if hint is Json:
        return _plain, _ordered
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _optional_codec(hint)
    if origin is tuple:
        return _list_codec(get_args(hint)[0])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_codec(get_args(hint)[1])
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint.read, hint.to_dict
    return _scalar_reader(hint), _plain


def _accepted(kind: Any) -> Collection[type]:
    """Give the types that a scalar may have; bool is an int to Python, never to us."""
    return (int, float) if kind is float else (kind,)


def _scalar_reader(kind: type) -> Reader:
    expected = type_name[kind]
    accepted = _accepted(kind)

    def read(value: Json) -> Any:
        if type(value) not in accepted:
            raise WrongTypeError("", expected, value)
        return value

    return read


def _optional_codec(hint: Any) -> tuple[Reader, Writer]:
    (inner,) = (arm for arm in get_args(hint) if arm is not type(None))
    read_inner, write_inner = _codec(inner)

    def read(value: Json) -> Any:
        return None if value is None else read_inner(value)

    def write(value: Any) -> Json:
        return None if value is None else write_inner(value)

    return read, write


def _list_codec(item: Any) -> tuple[Reader, Writer]:
    read_item, write_item = _codec(item)
    scalars = frozenset(_accepted(item) if item in type_name else ())

    def read(value: Json) -> Any:
        if not isinstance(value, (list, tuple)):
            raise WrongTypeError("", "a list", value)
        if scalars.issuperset(map(type, value)):
            return tuple(value)
        found: list[Any] = []
        try:
            for part in value:
                found.append(read_item(part))  # noqa: PERF401  # its length is the place
        except WrongTypeError as fault:
            raise fault.within(f"[{len(found)}]") from None
        return tuple(found)

    def write(value: Any) -> Json:
        return list(value) if write_item is _plain else [*map(write_item, value)]

    return read, write


def _mapping_codec(item: Any) -> tuple[Reader, Writer]:
    read_item, write_item = _codec(item)

    def read(value: Json) -> Any:
        if not isinstance(value, _OBJECT):
            raise WrongTypeError("", "an object", value)
        found: dict[str, Any] = {}
        for key, part in value.items():
            try:
                found[key] = read_item(part)
            except WrongTypeError as fault:
                raise fault.within(key) from None
        return found

    def write(value: Any) -> Json:
        return {key: write_item(value[key]) for key in sorted(value)}

    return read, write


R = TypeVar("R", bound="Record")


def read_record(cls: type[R], data: Json, subject: str) -> R:
    """Read a document into a record; a fault is a `FormatError` about `subject`."""
    try:
        return cls.from_dict(data)
    except WrongTypeError as fault:
        raise FormatError(subject, [(fault.path, fault.text)]) from fault
