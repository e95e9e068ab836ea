"""Which version a document has, and the steps from an older one to ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experience_pack.errors import FormatError, VersionError
from experience_pack.model.values import Json

CURRENT: Mapping[str, tuple[int, int]] = {
    "backup": (1, 0),
    "bundle": (1, 0),
    "card": (1, 0),
    "certificate": (1, 0),
    "experience": (1, 0),
    "lock": (1, 0),
    "membership": (1, 0),
    "pack": (1, 0),
    "page": (1, 0),
    "snapshot": (1, 2),
    "standing": (1, 1),
    "workspace": (1, 0),
}
"""Every format we write, with the version (major, minor) that we write."""

RENDERER = "2"
"""Raised whenever cards, skills or listings of the same content are written in
another way."""

ANALYZER = "1"
"""Raised whenever the search index of the same content is made in another way."""

UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Json]], dict[str, Json]]] = {}
"""By format and major version: the one step to the next major version."""


def header(format_name: str) -> dict[str, Json]:
    """Give the two keys that open every document of a format."""
    return {"format": format_name, "version": list(CURRENT[format_name])}


def upgraded(document: Json, format_name: str, subject: str) -> dict[str, Json]:
    """Give a document in our version of its format.

    A newer minor version is read as it is, its unknown keys kept; a newer major
    version, or none, is a `VersionError`, another format or none a `FormatError`.
    """
    if not isinstance(document, dict):
        raise FormatError(subject, [("", "expected an object")])
    if document.get("format") != format_name:
        found = document.get("format")
        fault = f"expected {format_name!r}, got {found!r}"
        raise FormatError(subject, [("format", fault)])
    major, _ = read_version(document.get("version"), format_name, subject)
    ours = CURRENT[format_name]
    current: dict[str, Json] = document
    for step in range(major, ours[0]):
        current = UPGRADES[format_name, step](current)
    return current


def read_version(value: Json, format_name: str, subject: str) -> tuple[int, int]:
    """Read `[major, minor]`; a newer major, or anything else, is a `VersionError`."""
    most = CURRENT[format_name][0]
    if not _is_version(value):
        stated = "no version" if value is None else f"the version {value!r:.60}"
        raise VersionError(
            f"{subject} has {stated} of the {format_name} format; "
            f"this release reads [1, 0] up to {most}.x",
            hint="The file was not touched; bring a sound one.",
        )
    major, minor = value
    if major > most:
        raise VersionError(
            f"{subject} has {format_name} format {major}.{minor}; "
            f"this release reads up to {most}.x"
        )
    return major, minor


def _is_version(value: Json) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(part) is int and part >= 0 for part in value)
        and value[0] >= 1
    )
