"""Say everything that is wrong with a document, each fault with its path."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from experience_pack.model import Json
from experience_pack.resources import read_resource


def faults_of(document: Json, name: str, path: str = "") -> list[tuple[str, str]]:
    """Give `(path, text)` of every fault against a format's schema.

    The readers of the model are fast and stop at the first fault; this is asked
    only for a document that failed, and imports the schema library then.
    """
    found = [
        (_path(path, error.absolute_path), _text(error))
        for error in _validator(name).iter_errors(document)
    ]
    return sorted(found)


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    document = json.loads(read_resource("schemas", f"{name}.v1.schema.json"))
    return Draft202012Validator(document)


def _path(start: str, parts: Iterable[str | int]) -> str:
    found = start
    for part in parts:
        if isinstance(part, int):
            found += f"[{part}]"
        else:
            found += f".{part}" if found else part
    return found


def _text(error: Any) -> str:
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"required, but missing: {', '.join(missing)}"
    if error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        return f"expected one of {allowed}; got {error.instance!r:.60}"
    return str(error.message)[:200]
