"""`pack.json`: made from a pack's files, and held against them again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain

from experience_pack.errors import DigestError, FormatError, RefusedError
from experience_pack.formats.canonical import canonical, canonical_parts, digest
from experience_pack.formats.strict_json import loads
from experience_pack.formats.validation import faults_of
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import (
    Json,
    Manifest,
    PackFile,
    PackInfo,
    WrongTypeError,
)
from experience_pack.packs.layout import (
    HINT,
    MANIFEST,
    Files,
    bound,
    by_path,
    check_paths,
    role_of,
)

_NAME = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")


def check_info(info: PackInfo, subject: str = "pack") -> None:
    """Refuse a name or a version that no reader would take."""
    from semver import Version

    faults = []
    if not _NAME.fullmatch(info.name) or len(info.name) > 64:
        faults.append(
            ("pack.name", "use lower-case letters, digits, '-' and '.', at most 64")
        )
    if not Version.is_valid(info.version):
        faults.append(("pack.version", f"{info.version!r} is no SemVer version"))
    if faults:
        raise FormatError(subject, faults)


def make_manifest(
    info: PackInfo, experiences: Mapping[str, str], files: Files
) -> bytes:
    """Give `pack.json` for the files of a pack and its content digests by id.

    Rows are written and hashed one by one, so that only the result is held in memory;
    `digest` stands before what it covers and is filled in at the end.
    """
    document: dict[str, Json] = {
        **header("pack"),
        "pack": info.to_dict(),
        "content_digest": _hashed(canonical_parts(experiences)).hexdigest(),
        "experiences": {},
        "files": [],
    }
    start, end = canonical(document).split('{},"files":[]', 1)
    hashed = _hashed(chain([start], canonical_parts(experiences), [',"files":']))
    lines = encode({**document, "digest": _BLANK}).split(b'{},\n"files":[]', 1)
    written = BytesIO()
    written.write(lines[0])
    members = (f"{_line(one)}:{_line(experiences[one])}" for one in sorted(experiences))
    written.writelines(_block("{", map(str.encode, members), "}"))
    written.write(b',\n"files":')
    for line in _block("[", _rows(files), "]"):
        written.write(line)
        hashed.update(line.replace(b"\n", b""))
    hashed.update(end.encode())
    written.write(lines[1])
    written.seek(lines[0].index(_BLANK.encode()))
    written.write(hashed.hexdigest().encode())
    return written.getvalue()


_BLANK = "0" * 64
"""Stands for a digest that is not known yet."""


def _hashed(parts: Iterable[str]) -> hashlib._Hash:
    found = hashlib.sha256()
    for part in parts:
        found.update(part.encode())
    return found


def _rows(files: Files) -> Iterator[bytes]:
    """Give the row of each file as `encode` writes it, which is canonical."""
    for path, data in by_path(files):
        if bound(path):
            sha256 = hashlib.sha256(data).hexdigest()
            row = f'"role":"{role_of(path)}","sha256":"{sha256}","size":{len(data)}'
            yield f'{{"path":{_line(path)},{row}}}'.encode()


def _block(start: str, rows: Iterable[bytes], end: str) -> Iterator[bytes]:
    """Give an object or a list as `encode` writes it, a line a row."""
    before = start.encode()
    empty = True
    for row in rows:
        yield b"%b\n%b" % (before, row)
        before, empty = b",", False
    yield f"{start}{end}".encode() if empty else f"\n{end}".encode()


def encode(document: Mapping[str, Json]) -> bytes:
    """Write a document as it stands in a pack: sorted, a line an item."""
    lines = [f"{_line(key)}:{_lines(document[key])}" for key in sorted(document)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("utf-8")


_line = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
).encode


def _lines(value: Json) -> str:
    if isinstance(value, Mapping) and value:
        inner = [f"{_line(key)}:{_line(value[key])}" for key in sorted(value)]
        return "{\n" + ",\n".join(inner) + "\n}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(map(_line, value)) + "\n]"
    return _line(value)


def read_manifest(files: Files) -> Manifest:
    """Read `pack.json` and hold every file against it.

    A document that is not one is a `FormatError`; a missing, extra or changed file,
    or a digest that does not fit, is a `DigestError` that names them all.
    """
    data = files.get(MANIFEST)
    if data is None:
        fault = "this is no pack: it has no pack.json"
        raise FormatError(MANIFEST, [("", fault)], hint=HINT)
    raw = loads(data, MANIFEST)
    document = upgraded(raw, "pack", MANIFEST)
    try:
        manifest = Manifest.from_dict(document)
    except WrongTypeError as fault:
        faults = faults_of(document, "pack") or [(fault.path, fault.text)]
        raise FormatError(MANIFEST, faults, hint=HINT) from fault
    check_info(manifest.pack, MANIFEST)
    _check_paths(manifest)
    if encode(raw) != data:
        raise DigestError("pack.json was formatted anew after it was made", hint=HINT)
    _check_digests(manifest, raw)
    _check_files(manifest, files)
    return manifest


def _check_paths(manifest: Manifest) -> None:
    try:
        check_paths([file.path for file in manifest.files])
    except RefusedError as error:
        raise RefusedError(f"{MANIFEST}: {error}", hint=HINT) from error


def _check_digests(manifest: Manifest, raw: Mapping[str, Json]) -> None:
    unsigned = {key: value for key, value in raw.items() if key != "digest"}
    if digest(unsigned) != manifest.digest:
        raise DigestError("pack.json was changed after it was made", hint=HINT)
    if digest(manifest.experiences) != manifest.content_digest:
        raise DigestError("content_digest does not fit the experiences", hint=HINT)


def _check_files(manifest: Manifest, files: Files) -> None:
    listed: dict[str, PackFile] = {file.path: file for file in manifest.files}
    present = {path for path in files if bound(path)}
    faults = [f"{path} is missing" for path in listed if path not in present]
    faults += [f"{path} is not listed" for path in present if path not in listed]
    faults += [
        f"{path} was changed"
        for path, file in listed.items()
        if path in present and _differs(files[path], file)
    ]
    if faults:
        shown = "\n  ".join(sorted(faults)[:20])
        more = f"\n  and {len(faults) - 20} more" if len(faults) > 20 else ""
        raise DigestError(
            f"{len(faults)} files do not fit pack.json\n  {shown}{more}", hint=HINT
        )


def _differs(data: bytes, file: PackFile) -> bool:
    return len(data) != file.size or hashlib.sha256(data).hexdigest() != file.sha256
