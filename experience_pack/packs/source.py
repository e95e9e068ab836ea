"""Where a pack comes from: a folder, an `.xpack`, a JSON bundle, a page."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import FormatError, NotFoundError, RefusedError, UsageError
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import CURRENT, header, upgraded
from experience_pack.model import Json
from experience_pack.packs.archive import read_archive
from experience_pack.packs.layout import (
    HINT,
    MANIFEST,
    MOST_BYTES,
    Files,
    check_paths,
    largest,
)
from experience_pack.packs.manifest import encode
from experience_pack.packs.page import is_page, read_page
from experience_pack.workspace.files import file_errors

_LARGEST_BUNDLE = 300_000_000
_START = 256  # bytes that tell what a file is


class Source(NamedTuple):
    """What was found: the files of a pack, or the value of another JSON file."""

    files: Files
    document: Json = None


def read_source(path: Path) -> Source:
    """Read a pack in any of its forms, or a JSON file that may be of another format.

    Nothing is trusted yet: `manifest.read_manifest` holds the files against their
    digests. What cannot be a pack at all is a `RefusedError`.
    """
    if not path.exists():
        raise NotFoundError(f"there is nothing at {path}")
    with file_errors(path):
        if path.is_dir():
            return Source(read_folder(path))
        with path.open("rb") as file:
            start = file.read(_START)
        if start.startswith(b"PK"):
            return Source(read_archive(path))
        if is_page(start):
            return Source(read_page(path))
        if path.suffix == ".xpack":
            fault = "does not begin as an archive does"
            raise RefusedError(f"{path.name} {fault}", hint=HINT)
        return _read_json(path)


def read_folder(root: Path) -> Files:
    """Give the files of a pack that is a folder; hidden ones do not belong to it."""
    if not (root / MANIFEST).is_file():
        raise UsageError(
            f"{root} is no pack: it has no pack.json",
            hint="A folder of agent skills comes in with "
            "`experience-pack convert from skill DIR`.",
        )
    found: dict[str, bytes] = {}
    total = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith("."):
                continue
            path = file.relative_to(root).as_posix()
            if file.is_symlink() or not file.is_file():
                raise RefusedError(f"{path!r} is a link or a special file", hint=HINT)
            size = file.stat().st_size
            total += size
            if size > largest(path) or total > MOST_BYTES:
                raise RefusedError(f"{path!r} is larger than is read", hint=HINT)
            found[path] = file.read_bytes()
    check_paths(list(found))
    return found


def _read_json(path: Path) -> Source:
    size = path.stat().st_size
    if size > _LARGEST_BUNDLE:
        raise RefusedError(f"{path.name} is larger than {_LARGEST_BUNDLE:,} bytes")
    value = loads(path.read_bytes(), path.name)
    if isinstance(value, dict) and value.get("format") == "bundle":
        return Source(files_of_bundle(value, path.name))
    return Source({}, value)


def files_of_bundle(value: Json, subject: str) -> Files:
    """Give the files of a JSON bundle."""
    document = upgraded(value, "bundle", subject)
    files, manifest = document.get("files"), document.get("manifest")
    if not isinstance(files, dict) or not isinstance(manifest, dict):
        fault = "expected 'manifest' and 'files'"
        raise FormatError(subject, [("", fault)], hint=HINT)
    check_paths([path for path in files if isinstance(path, str)])
    found = {path: _decoded(path, data, subject) for path, data in files.items()}
    faults = [*_faults_of_bundle(document, found)]
    if faults:
        raise FormatError(subject, faults, hint=HINT)
    return {**found, MANIFEST: encode(manifest)}


def _faults_of_bundle(
    document: Mapping[str, Json], files: Files
) -> Iterator[tuple[str, str]]:
    """Find what a bundle says that its manifest, and so its digest, does not cover.

    Its version has to be that of `pack.json`, or nothing would notice that the one
    was changed; other keys may only stand in a version that is newer than ours.
    """
    version = document["version"]
    if version != document["manifest"].get("version"):
        yield "version", "is not that of the manifest"
    if version == list(CURRENT["bundle"]):
        unknown = document.keys() - {"format", "version", "manifest", "files"}
        yield from ((key, "is no key of a bundle") for key in sorted(unknown))
    for path, data in files.items():
        if path == MANIFEST:
            yield f"files.{MANIFEST}", "stands as 'manifest'"
        elif document["files"][path] != _encoded(data):
            yield f"files.{path}", "is not written as it would be"


def _decoded(path: str, data: Json, subject: str) -> bytes:
    try:
        if isinstance(data, str):
            found = data.encode("utf-8")
        elif isinstance(data, dict) and isinstance(data.get("base64"), str):
            found = base64.b64decode(data["base64"], validate=True)
        else:
            raise FormatError(subject, [(f"files.{path}", "expected text or base64")])
    except (binascii.Error, UnicodeEncodeError) as error:
        raise FormatError(subject, [(f"files.{path}", str(error))]) from error
    if len(found) > largest(path):
        raise RefusedError(f"{path!r} is larger than is read", hint=HINT)
    return found


def bundle_of(files: Files) -> dict[str, Json]:
    """Give the JSON bundle of a pack's files."""
    manifest = loads(files[MANIFEST], MANIFEST)
    rest = {path: _encoded(files[path]) for path in sorted(files) if path != MANIFEST}
    return {**header("bundle"), "manifest": manifest, "files": rest}


def _encoded(data: bytes) -> Json:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
