"""Documents that are very deep or very wide, wherever the program reads one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.formats.stored_zip import Member, heads
from experience_pack.formats.versions import CURRENT, header
from experience_pack.packs.archive import write_archive
from experience_pack.packs.layout import (
    CERTIFICATE,
    MANIFEST,
    STANDING,
    TOMBSTONES,
)
from experience_pack.packs.manifest import make_manifest, read_manifest
from experience_pack.packs.page import BEGIN, END
from tests.figures import figure
from tests.oracle import REFUSALS, Program, program, state_of
from tests.small_pack import small_files

MANY = 1_000_000
MOST = 4_900_000  # bytes; larger files no pack may have, however they are made

SHAPES: Mapping[str, Callable[[], bytes]] = {
    "a list in a list": lambda: b"[" * MANY + b"]" * MANY,
    "an object in an object": lambda: b'{"a":' * MANY + b"1" + b"}" * MANY,
    "a list not closed": lambda: b"[" * MANY,
    "a list of numbers": lambda: b"[" + b"0," * MANY + b"0]",
    "a list of lists": lambda: b"[" + b"[]," * MANY + b"0]",
    "a list of objects": lambda: b"[" + b"{}," * MANY + b"0]",
    "a list of texts": lambda: b'["' + b'a","' * MANY + b'"]',
    "an object of keys": lambda: (
        b"{" + b",".join(b'"%x":0' % at for at in range(MANY)) + b"}"
    ),
    "a number of many digits": lambda: b"1" * MANY,
    "a text of many characters": lambda: b'"' + b"a" * MANY + b'"',
    "many escapes": lambda: b'"' + rb"\u0041" * MANY + b'"',
}
"""Values of a million parts; the first three can be read by no reader."""
UNREADABLE = list(SHAPES)[:3]
PASSED_OVER = "x/SKILL.md:"
"""A skill whose head cannot be read is named; its text can be read."""


class Reader(NamedTuple):
    """A document that the program reads: where it lies, and what reads it."""

    path: str
    document: Callable[[bytes], bytes]
    """Gives the document with a value in a key that nobody knows."""
    commands: tuple[tuple[str, ...], ...]


def with_value(name: str) -> Callable[[bytes], bytes]:
    """Give a document of a format with a hostile value in it."""
    start = json.dumps(header(name)).encode()[:-1]
    return lambda value: start + b', "extra": ' + value + b"}"


def card(value: bytes) -> bytes:
    version = json.dumps(CURRENT["card"]).encode()
    front = b'id: "exp_x"\nkind: "lesson"\nname: "x"\nextra: ' + value
    return b"---\nexperience-card: " + version + b"\n" + front + b"\n---\n"


def archive(path: str, data: bytes) -> bytes:
    files = {**small_files(), path: data}
    known = read_manifest(small_files())
    files[MANIFEST] = make_manifest(known.pack, known.experiences, files)
    return write_archive(files)


def backup(value: bytes) -> bytes:
    data = with_value("backup")(value)
    return heads(Member("backup.json", 0, len(data)), 0)[0] + data


def page(value: bytes) -> bytes:
    data = with_value("page")(value)
    return b"<!doctype html>" + BEGIN.encode() + data + END.encode()


READERS: Mapping[str, Reader] = {
    "a card": Reader("card.md", card, (("add", "card.md"),)),
    "a card of the workspace": Reader(
        ".experience/experiences/x.md", card, (("sync", "--check"),)
    ),
    "an experience": Reader(
        "one.json",
        lambda value: b'{"kind": "lesson", "name": "x", "extra": ' + value + b"}",
        (("add", "one.json"),),
    ),
    "experiences": Reader(
        "some.json",
        lambda value: b'{"experiences": ' + value + b"}",
        (("pack", "import", "some.json", "--dry-run"),),
    ),
    "a bundle": Reader(
        "made.json", with_value("bundle"), (("pack", "import", "made.json"),)
    ),
    "a manifest": Reader(
        "made/pack.json",
        with_value("pack"),
        (("pack", "import", "made"), ("pack", "verify", "made")),
    ),
    "a manifest in an archive": Reader(
        "made.xpack",
        lambda value: write_archive({MANIFEST: with_value("pack")(value)}),
        (("pack", "import", "made.xpack"), ("pack", "info", "made.xpack")),
    ),
    "standing": Reader(
        "made.xpack",
        lambda value: archive(STANDING, with_value("standing")(value)),
        (("pack", "import", "made.xpack", "--dry-run"),),
    ),
    "tombstones": Reader(
        "made.xpack",
        lambda value: archive(TOMBSTONES, value[:MOST]),
        (("pack", "import", "made.xpack"),),
    ),
    "evidence": Reader(
        "made.xpack",
        lambda value: archive("evidence/a.json", value[:MOST]),
        (("pack", "import", "made.xpack"),),
    ),
    "a certificate": Reader(
        "made.xpack",
        lambda value: archive(CERTIFICATE, with_value("certificate")(value[:MOST])),
        (("pack", "import", "made.xpack", "--dry-run"),),
    ),
    "a page": Reader("made.html", page, (("pack", "import", "made.html"),)),
    "a backup": Reader(
        "made.xbackup",
        backup,
        (("backup", "verify", "made.xbackup"), ("backup", "restore", "made.xbackup")),
    ),
    "the configuration": Reader(
        ".experience/config.json", with_value("workspace"), (("config", "list"),)
    ),
    "the lock": Reader(
        ".experience/packs.lock.json",
        with_value("lock"),
        (("pack", "install"), ("pack", "outdated")),
    ),
    "a membership": Reader(
        ".experience/packs/made.json",
        with_value("membership"),
        (("pack", "export", "made", "-o", "out.xpack"),),
    ),
    "a journal": Reader(
        ".experience/exp.db-restore", lambda value: value, (("list",),)
    ),
    "the front matter of a skill": Reader(
        "skills/x/SKILL.md",
        lambda value: b"---\nname: x\nextra: " + value + b"\n---\n# X\n",
        (("convert", "from", "skill", "skills", "--dry-run"),),
    ),
    "the front matter of a skill, cut to what is read": Reader(
        "skills/x/SKILL.md",
        lambda value: b"---\nname: x\nextra: " + value[:60_000] + b"\n---\n# X\n",
        (("convert", "from", "skill", "skills", "--dry-run"),),
    ),
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    with program() as ask:
        ask("init", cwd=made)
        ask("add", "--name", "整理", "--step", "先分类", cwd=made)
    return made


def asked(ask: Program, project: Path, reader: Reader, shape: str) -> Iterator[int]:
    """Run what reads a document; give exit codes of the table, and no other."""
    for words in reader.commands:
        before = state_of(project)
        answer = ask(*words, cwd=project)
        why = f"{reader.path} {shape} {words}: {answer}"[:1_500]
        assert answer.code in (0, *REFUSALS), why
        assert "Traceback" not in answer.said, why
        assert answer.code == 0 or state_of(project) == before, why
        if shape in UNREADABLE:
            assert answer.code or PASSED_OVER in answer.said, why
        assert answer.peak < 300, why
        yield answer.code


@pytest.mark.parametrize("name", READERS)
def test_a_document_of_a_million_parts_costs_little(name: str, project: Path) -> None:
    reader = READERS[name]
    path = project / reader.path
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = path.read_bytes() if path.exists() else None
    codes: list[int] = []
    with program() as ask:
        for shape, value in SHAPES.items():
            path.write_bytes(reader.document(value()))
            codes += asked(ask, project, reader, shape)
            path.unlink()
            if kept is not None:
                path.write_bytes(kept)

    figure(
        f"{name} of a million parts",
        f"{len(codes)} of {len(codes)} answered, {ask.peak} MB at most",
    )
