"""JSON Schemas, made from the model's own records.

`python -m experience_pack.formats.schemas` writes them to `schemas/`; a test says
when they no longer agree with the model.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from experience_pack.formats.versions import CURRENT
from experience_pack.model import (
    KINDS,
    Backup,
    Category,
    Certificate,
    Decision,
    Episode,
    Experience,
    Goal,
    Json,
    Lock,
    Manifest,
    Membership,
    Proposal,
    Record,
    Standing,
    Tombstone,
    slots_of,
)
from experience_pack.model.settings import SETTINGS
from experience_pack.model.snapshot import Snapshot, SnapshotIndex

DIALECT = "https://json-schema.org/draft/2020-12/schema"

RECORDS: Mapping[str, type[Record]] = {
    "backup": Backup,
    "category": Category,
    "certificate": Certificate,
    "decision": Decision,
    "episode": Episode,
    "experience": Experience,
    "goal": Goal,
    "lock": Lock,
    "membership": Membership,
    "pack": Manifest,
    "proposal": Proposal,
    "snapshot": Snapshot,
    "snapshot-index": SnapshotIndex,
    "standing": Standing,
    "tombstone": Tombstone,
}
"""Every document that has a schema of its own, by format name."""

_SCALARS: Mapping[Any, dict[str, Json]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}

NAMES = (*RECORDS, "workspace")
"""Every published schema; the workspace's comes from the table of settings."""

_WITH_HEADER = (
    "backup",
    "certificate",
    "lock",
    "pack",
    "membership",
    "snapshot",
    "workspace",
)
"""Documents that begin with `format` and `version`."""

_ENUMERATIONS: Mapping[tuple[type[Record], str], list[str]] = {
    (Experience, "kind"): list(KINDS)
}


def file_name(name: str) -> str:
    """Give the file that holds a schema, such as `experience.v1.schema.json`."""
    return f"{name}.v{CURRENT.get(name, (1, 0))[0]}.schema.json"


def schema(name: str) -> dict[str, Json]:
    """Give the JSON Schema (draft 2020-12) of a format."""
    definitions: dict[str, Json] = {}
    root = _workspace() if name == "workspace" else _object(RECORDS[name], definitions)
    found = {
        "$schema": DIALECT,
        "$id": f"https://experience-pack.dev/schemas/{file_name(name)}",
        "title": name,
        **root,
    }
    if name in _WITH_HEADER:
        found["properties"] = {
            "format": {"const": name},
            "version": {"type": "array", "items": {"type": "integer", "minimum": 0}},
            **found["properties"],
        }
    if definitions:
        found["$defs"] = dict(sorted(definitions.items()))
    return found


def text_of(name: str) -> str:
    """Give the schema as it stands in the file."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def _object(record: type[Record], definitions: dict[str, Json]) -> dict[str, Json]:
    hints = typing.get_type_hints(record)
    texts = field_texts(record)
    properties = {}
    for key, slot in slots_of(record).items():
        found = _of_hint(hints[slot.name], definitions)
        if (record, key) in _ENUMERATIONS:
            found = {**found, "enum": _ENUMERATIONS[record, key]}
        properties[key] = {"description": texts[slot.name], **found}
    required = [key for key, slot in slots_of(record).items() if slot.required]
    form: dict[str, Json] = {
        "description": inspect.getdoc(record),
        "type": "object",
        "properties": properties,
    }
    return {**form, "required": required} if required else form


def _workspace() -> dict[str, Json]:
    return {
        "description": "`config.json` of a workspace: flat dotted keys.",
        "type": "object",
        "properties": {
            setting.key: {
                "description": setting.text,
                **_SCALARS[type(setting.default)],
            }
            for setting in SETTINGS
        },
    }


def _of_hint(hint: Any, definitions: dict[str, Json]) -> dict[str, Json]:
    if hint is Json:
        return {}
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (arm for arm in get_args(hint) if arm is not type(None))
        return {"anyOf": [_of_hint(inner, definitions), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _of_hint(get_args(hint)[0], definitions)}
    if origin is not None:
        values = _of_hint(get_args(hint)[1], definitions)
        return {"type": "object", "additionalProperties": values or True}
    if hint in _SCALARS:
        return dict(_SCALARS[hint])
    if hint.__name__ not in definitions:
        definitions[hint.__name__] = {}
        definitions[hint.__name__] = _object(hint, definitions)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def field_texts(record: type[Record]) -> dict[str, str]:
    """Give the text below each field of a record class, by field."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(record))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for before, after in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            found[before.target.id] = " ".join(str(after.value.value).split())
    return found


def write_all(folder: Path) -> None:
    """Write every schema to a folder."""
    for name in NAMES:
        (folder / file_name(name)).write_text(text_of(name), "utf-8")


if __name__ == "__main__":
    write_all(Path("schemas"))
