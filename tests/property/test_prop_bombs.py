"""Small files that would grow large, and large ones that say nothing."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from experience_pack.formats.canonical import digest
from experience_pack.packs.archive import write_archive
from experience_pack.packs.layout import MANIFEST, MOST_FILES, STANDING
from experience_pack.packs.manifest import make_manifest, read_manifest
from experience_pack.packs.page import BEGIN, END
from tests.shared_data import shared
from tests.small_pack import small_files

pytestmark = pytest.mark.property

MOST_MEGABYTES = 200

_CHILD = """
import re, sys
from experience_pack.cli.run import run
code = run(sys.argv[1:])
# of this program alone; getrusage would count what it was forked from
kilobytes = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(f"code={code} peak={int(kilobytes) // 1024}")
"""


def deflated(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def many_members() -> bytes:
    head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 6, 0)
    return b"".join(head + b"%06x" % at for at in range(MOST_FILES + 1))


def overlapping() -> bytes:
    """One member, and a directory that says ten thousand times that it is there."""
    sound = deflated({"cards/000000.md": b"0" * 4_000_000})
    at = sound.index(b"PK\x01\x02")
    entry = sound[at : sound.index(b"PK\x05\x06")]
    listed = b"".join(entry.replace(b"000000", b"%06d" % one) for one in range(10_000))
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, 10_000, 10_000, len(listed), at, 0
    )
    return sound[:at] + listed + end


def nested() -> bytes:
    inner = deflated({"cards/bomb.md": b"0" * 4_000_000})
    for _ in range(8):
        inner = deflated({f"cards/{at}.xpack": inner for at in range(8)})
    return inner


def dense_standing() -> bytes:
    files = {**small_files(), STANDING: b"[" + b"{}," * 8_000_000 + b"{}]"}
    known = read_manifest(small_files())
    files[MANIFEST] = make_manifest(known.pack, known.experiences, files)
    return write_archive(files)


def page_of(size: int) -> bytes:
    """A page with a pack of 150 million zeros that states a size of its own."""
    squeezed = zlib.compress(bytes(150_000_000), 9, wbits=-zlib.MAX_WBITS)
    archive = b64encode(squeezed).decode("ascii")
    document = {"format": "page", "version": [1, 0], "size": size, "archive": archive}
    block = json.dumps(
        {**document, "digest": digest(document)}, separators=(",", ":"), sort_keys=True
    )
    return f"<!doctype html>{BEGIN}{block}{END}".encode()


BOMBS: Mapping[str, tuple[str, Callable[[], bytes], str]] = {
    "one member a thousand times its size": (
        "bomb.xpack",
        lambda: deflated({"cards/bomb.md": b"0" * 4_900_000}),
        "'cards/bomb.md' is compressed",
    ),
    "forty such members": (
        "bomb.xpack",
        lambda: deflated({f"cards/{at}.md": b"0" * 4_900_000 for at in range(40)}),
        "'cards/0.md' is compressed",
    ),
    "more members than are read": ("many.xpack", many_members, "250,000 members"),
    "members that lie over each other": (
        "over.xpack",
        overlapping,
        "'cards/000000.md' is compressed",
    ),
    "archives in archives": ("nested.xpack", nested, "'cards/0.xpack' is compressed"),
    "a list of empty objects": (
        "dense.json",
        lambda: b"[" + b"{}," * 8_000_000 + b"{}]",
        "many times the memory",
    ),
    "a list of short texts": (
        "texts.json",
        lambda: b"[" + b'"a",' * 5_000_000 + b'"a"]',
        "many times the memory",
    ),
    "a list a million deep": (
        "deep.json",
        lambda: b"[" * 1_000_000 + b"]" * 1_000_000,
        "many times the memory",
    ),
    "a list deeper than is read": (
        "deep.json",
        lambda: b"[" * 200_000 + b"]" * 200_000,
        "nested too deeply",
    ),
    "a number of a million digits": ("number.json", lambda: b"1" * 1_000_000, "digits"),
    "a bundle with a large member": (
        "large.json",
        lambda: (
            b'{"format":"bundle","version":[1,0],"manifest":{},"files":{"cards/a.md":"'
            + b"0" * 6_000_000
            + b'"}}'
        ),
        "'cards/a.md' is larger",
    ),
    "a page whose pack is nothing but zeros": (
        "bomb.html",
        lambda: page_of(150_000_000),
        "grows too much",
    ),
    "a page whose pack is larger than it says": (
        "bomb.html",
        lambda: page_of(1_000),
        "not of the stated size",
    ),
    "standing of nothing but brackets": (
        "standing.xpack",
        dense_standing,
        "standing.json",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    file, build, said = BOMBS[name]
    path = tmp_path / file
    path.write_bytes(build())

    assert_refused(path, said)


@pytest.mark.parametrize("name", ["huge.xpack", "huge.json", "huge/cards/a.md"])
def test_what_is_huge_is_refused_by_its_size(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(3_000_000_000)
    if len(Path(name).parts) > 1:
        (tmp_path / "huge" / MANIFEST).write_text("{}")

    assert_refused(tmp_path / Path(name).parts[0], "larger")


def test_the_public_traversal_archives_are_refused_in_little_memory() -> None:
    for path in sorted(shared("traversal_archives").glob("*.zip")):
        assert_refused(path, "'")


def assert_refused(path: Path, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, "pack", "info", str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, peak = (int(part.split("=")[1]) for part in done.stdout.split())

    assert code == 4, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert peak < MOST_MEGABYTES, f"{peak} MB"
