"""One row of the table of tools, and the few words its schemas are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.errors import FormatError
from experience_pack.model.values import Json

Schema = Mapping[str, Any]


class Hints(NamedTuple):
    """What a host may rely on before it lets a model call a tool (MCP annotations)."""

    reads: bool = False
    """Changes nothing but the audit."""
    destroys: bool = False
    """Takes something away; what is gone can be brought back or was only a record."""
    repeats: bool = False
    """Called twice with the same arguments it comes to the same."""


READS = Hints(reads=True, repeats=True)
ADDS = Hints()
SETS = Hints(repeats=True)
REMOVES = Hints(destroys=True, repeats=True)


class Question(NamedTuple):
    """What a person is asked before a tool acts, bound to the text they see."""

    text: str
    digest: str


class Tool(NamedTuple):
    """A tool: what hosts are told of it, and the function behind it."""

    name: str
    title: str
    text: str
    """One line for the model that chooses."""
    hints: Hints
    takes: Schema
    gives: Schema
    call: Callable[..., Json]
    """Takes the runtime and the arguments; with `asks` also `approved`."""
    asks: Callable[..., Question | None] | None = None
    """Gives what a person is asked first, from the same arguments."""
    long: bool = False
    """May take longer than a person waits; runs beside, can be cancelled."""
    founds: bool = False
    """Makes workspaces, so it is called without a runtime."""
    view: str = ""
    """Address of the page that a host may show beside its answer (MCP Apps)."""


VIEWER = "ui://experience/viewer.html"
"""The viewer, for hosts that show pages."""


class UnattendedRuntime(ExperienceRuntime):
    """A runtime whose caller is a model: what it adds waits for a person's word."""

    answers = False


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
TEXTS: Schema = {"type": "array", "items": TEXT}
OBJECTS: Schema = {"type": "array", "items": OBJECT}
ANY: Schema = {}
ID: Schema = {"type": "string", "description": "Id, its start, or the exact name."}


def said(schema: Schema, text: str) -> Schema:
    """Give a schema with a sentence about the value."""
    return {**schema, "description": text}


def one_of(*names: str) -> Schema:
    """Give the schema of one of some words."""
    return {"type": "string", "enum": [*names]}


def takes(*required: str, **properties: Schema) -> Schema:
    """Give the schema of arguments; every one that is not named first may be left."""
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        found["required"] = [*required]
    return {**found, "additionalProperties": False}


def gives(**properties: Schema) -> Schema:
    """Give the schema of an answer; a value that is no object is its `result`."""
    return {"type": "object", "properties": properties}


LISTED = gives(result=OBJECTS)
"""Answer of every tool that lists."""


def checked(tool: Tool, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """Give arguments that fit; else a `FormatError` that names every fault."""
    given = dict(arguments or {})
    properties = tool.takes["properties"]
    missing = [key for key in tool.takes.get("required", ()) if key not in given]
    faults = [(key, "is missing") for key in missing]
    for key, value in given.items():
        if key not in properties:
            faults.append((key, f"is not known; {', '.join(properties)} are"))
        elif fault := _fault(properties[key], value):
            faults.append((key, fault))
    if faults:
        raise FormatError(tool.name, faults)
    return given


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}


def _fault(schema: Schema, value: Json) -> str:
    expected = schema.get("type")
    if expected is None:
        return ""
    fits = isinstance(value, _TYPES[expected])
    if not fits or (isinstance(value, bool) and expected != "boolean"):
        return f"expected {expected}, got {type(value).__name__}"
    if "enum" in schema and value not in schema["enum"]:
        return f"expected one of {', '.join(schema['enum'])}, got {value!r}"
    if expected == "array":
        return next((fault for one in value if (fault := _item(schema, one))), "")
    return ""


def _item(schema: Schema, value: Json) -> str:
    fault = _fault(schema["items"], value)
    return f"in the list, {fault}" if fault else ""
