"""What others wrote to break readers, through every reader; nothing may be touched."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from experience_pack.model import Experience, PackInfo
from experience_pack.packs.archive import write_archive
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import export_pack
from experience_pack.packs.layout import MANIFEST
from experience_pack.packs.manifest import make_manifest, read_manifest
from experience_pack.store import Store, experiences
from tests.faults.test_hostile_documents import READERS
from tests.figures import figure
from tests.hostile import everywhere
from tests.oracle import REFUSALS, Program, program, state_of
from tests.shared_data import naughty_strings, shared
from tests.small_pack import small_files

FIXTURES = Path(__file__).parents[1] / "fixtures" / "hostile"
PATHS = [
    re.sub(r"\\u(\w{4})", lambda found: chr(int(found[1], 16)), line)
    for line in (FIXTURES / "paths.txt").read_text("utf-8").splitlines()
]
"""A character that has no form of its own is written as JSON does."""
TRAPS = json.loads((FIXTURES / "unicode.json").read_text("utf-8"))
LENIENT = ("skill", "experiences")
"""Readers that have no key of an unknown name, or pass over what they cannot read."""


@pytest.fixture
def ask() -> Iterator[Program]:
    with program() as found:
        yield found


@pytest.fixture
def project(tmp_path: Path, ask: Program) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    ask("init", cwd=made)
    ask("add", "--name", "整理", "--step", "先分类", cwd=made)
    return made


STRICT = {
    name: one
    for name, one in READERS.items()
    if not any(word in name for word in LENIENT)
}


@pytest.mark.parametrize("name", STRICT)
def test_no_reader_takes_what_is_no_json(
    name: str, ask: Program, project: Path
) -> None:
    reader = STRICT[name]
    path = project / reader.path
    path.parent.mkdir(parents=True, exist_ok=True)
    tried = 0
    for file in sorted(shared("json_parsing").glob("[ni]_*.json")):
        value = file.read_bytes()
        path.write_bytes(reader.document(value))
        for words in reader.commands:
            answer = ask(*words, cwd=project)
            why = f"{file.name} {words}: {answer}"
            # a list of lines may be empty; other values are read or not, as one likes
            optional = file.name.startswith("i_") or not value.strip()
            assert answer.code in (REFUSALS if not optional else (0, *REFUSALS)), why
            assert "Traceback" not in answer.said, why
            tried += 1

    figure(f"JSON that is none, as {name}", f"{tried} of {tried} answered")


def test_what_is_json_is_read(ask: Program, project: Path) -> None:
    reader = READERS["the configuration"]
    for file in sorted(shared("json_parsing").glob("y_*.json")):
        (project / reader.path).write_bytes(reader.document(file.read_bytes()))
        said = ask("config", "list", cwd=project)
        twice = "duplicated_key" in file.name
        assert said.code == (4 if twice else 0), (file.name, said)


VERSIONS: Mapping[str, Any] = {
    "newer": [99, 0],
    "negative": [-1, 0],
    "text": "one",
    "number": 1,
    "too short": [1],
    "missing": None,
}


def restated(raw: bytes, version: Any) -> bytes:
    """Give a JSON document, or a card, with another version."""
    if raw.startswith(b"---\n"):
        lines = raw.decode("utf-8").split("\n")
        lines[1] = f"experience-card: {json.dumps(version)}"
        return "\n".join(lines).encode("utf-8")
    document = {**json.loads(raw), "version": version}
    if version is None:
        del document["version"]
    return json.dumps(document).encode("utf-8")


KEPT = FIXTURES.parent / "versions"
VERSIONED = {
    "card": ("card-1.0.md", "card.md", ("add", "card.md")),
    "workspace": ("workspace-1.0.json", ".experience/config.json", ("config", "list")),
    "membership": (
        "membership-1.0.json",
        ".experience/packs/kept.json",
        ("pack", "export", "kept", "-o", "out.xpack"),
    ),
    "bundle": ("pack-1.0.json", "made.json", ("pack", "import", "made.json")),
}


@pytest.mark.parametrize("stated", VERSIONS)
@pytest.mark.parametrize("name", VERSIONED)
def test_a_version_that_is_not_ours_is_named_and_the_file_left(
    name: str, stated: str, ask: Program, project: Path
) -> None:
    kept, place, words = VERSIONED[name]
    path = project / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(restated((KEPT / kept).read_bytes(), VERSIONS[stated]))
    answer = ask.refuses(*words, cwd=project)

    assert answer.code == 3, answer
    assert "up to 1.x" in answer.said
    assert {"newer": "99.0", "missing": ""}.get(stated, "version") in answer.said


@pytest.mark.parametrize("stated", VERSIONS)
@pytest.mark.parametrize(
    ("place", "words"),
    [
        (".experience/packs.lock.json", ("pack", "install")),
        ("made/pack.json", ("pack", "verify", "made")),
    ],
    ids=["lock", "pack"],
)
def test_a_document_of_a_version_that_is_not_ours_is_left(
    place: str, words: tuple[str, ...], stated: str, ask: Program, project: Path
) -> None:
    name = "lock" if "lock" in place else "pack"
    path = project / place
    path.parent.mkdir(exist_ok=True)
    raw = json.dumps({"format": name, "namespace": "ws_x", "packs": {}})
    path.write_bytes(restated(raw.encode(), VERSIONS[stated]))
    answer = ask.refuses(*words, cwd=project)

    assert answer.code == 3, answer
    assert "up to 1.x" in answer.said


@pytest.mark.parametrize("version", [200, 9900, 1_000_000, -1, -2_147_483_648])
def test_a_store_of_a_schema_that_is_not_ours_is_left(
    version: int, ask: Program, project: Path
) -> None:
    with closing(sqlite3.connect(project / ".experience" / "exp.db")) as store:
        store.execute(f"PRAGMA user_version={version}")
        store.commit()
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for words in (("list",), ("add", "--name", "x"), ("sync",), ("doctor", "--fix")):
        answer = ask.refuses(*words, cwd=project)
        assert answer.code == 3, answer
        assert "this release reads up to 1.x" in answer.said


def test_a_database_without_a_schema_version_is_left(
    ask: Program, project: Path
) -> None:
    with closing(sqlite3.connect(project / ".experience" / "exp.db")) as store:
        store.execute("PRAGMA user_version=0")
        store.commit()
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    assert ask.refuses("list", cwd=project).code in (3, 8)


def test_archives_that_lead_out_are_refused(ask: Program, project: Path) -> None:
    outside = set(Path("/tmp").iterdir())
    archives = sorted(shared("traversal_archives").glob("*.zip"))
    for file in archives:
        for words in (("import",), ("verify",), ("info",), ("scan",)):
            answer = ask.refuses("pack", *words, str(file), cwd=project, case=file.name)
            assert answer.code == 4, answer
            with zipfile.ZipFile(file) as archive:
                names = [one.filename for one in archive.infolist()]
            assert any(name.strip("/") in answer.said for name in names), answer
    new = set(Path("/tmp").iterdir()) - outside
    tried = 4 * len(archives)

    assert not [path for path in new if path.name in ("moo", "escaped.md")]
    figure("archives that lead out", f"{tried} of {tried} refused")


def listing(path: str, form: str, place: Path) -> Path:
    """Write a pack that lists a file under a path, in a form that can say it."""
    files = {**small_files(), path: b"x"}
    known = read_manifest(small_files())
    files[MANIFEST] = make_manifest(known.pack, known.experiences, files)
    target = place / f"made.{form}"
    if form == "xpack":
        target.write_bytes(write_archive(files))
    else:
        write_pack(files, target)
    return target


@pytest.mark.parametrize("form", ["xpack", "json"])
def test_no_path_of_a_pack_leads_out(form: str, ask: Program, project: Path) -> None:
    refused = 0
    for path in PATHS:
        try:
            target = listing(path.split("|")[0], form, project)
        except (ValueError, OSError):
            continue
        before = state_of(project.parent)
        answer = ask("pack", "import", target.name, "--dry-run", cwd=project)
        assert answer.code in (0, 4), (path, answer)
        assert state_of(project.parent) == before, path
        refused += answer.code == 4

    assert refused >= 15


def named(text: str, place: Path) -> Path:
    """Write a pack with an experience that has a text for its id and everywhere."""
    store = Store.in_memory()
    hostile = Experience.from_dict({**everywhere(1, text).to_dict(), "id": text[:200]})
    with store.transaction() as tx:
        experiences.save(tx, hostile)
    write_pack(export_pack(store, PackInfo(name="named", version="1.0.0")).files, place)
    return place


def test_no_name_and_no_id_leads_out(
    ask: Program, project: Path, tmp_path: Path
) -> None:
    came_in = 0
    for path in PATHS:
        named(path, tmp_path / "named.xpack")
        words = ("pack", "import", "../named.xpack", "--mode", "preserve")
        answer = ask(*words, cwd=project)
        assert answer.code in (0, 4), (path, answer)
        assert "Traceback" not in answer.said
        came_in += answer.code == 0
    cards = [
        one.relative_to(project / ".experience" / "experiences")
        for one in (project / ".experience" / "experiences").rglob("*")
    ]
    made = {one.name for one in tmp_path.iterdir()}

    assert made == {"project", "named.xpack"}
    assert came_in == len(PATHS)
    for card in cards:
        assert not {*'<>:"|?*\\'} & {*str(card)}, card
        assert all(part == part.rstrip(". ") for part in card.parts), card
    figure("path strings as names and ids", f"{came_in} of {len(PATHS)} stay in place")


def round_trip(ask: Program, texts: list[str], tmp_path: Path, project: Path) -> None:
    """Have texts in every field come in, go to cards and out again."""
    store = Store.in_memory()
    with store.transaction() as tx:
        for at, text in enumerate(texts):
            experiences.save(tx, everywhere(at, text))
    info = PackInfo(name="texts", version="1.0.0")
    write_pack(export_pack(store, info).files, tmp_path / "texts.xpack")
    before = set(experiences.digests(store).items())
    for words in (
        ("pack", "import", "../texts.xpack", "--mode", "preserve"),
        ("sync",),
        ("sync", "--check"),
        ("pack", "export", "-o", "../again.json"),
        ("list",),
        ("doctor",),
    ):
        answer = ask(*words, cwd=project)
        assert answer.code == 0, (words, answer.said[:2_000])
    with closing(Store.open(project / ".experience" / "exp.db")) as here:
        assert before <= set(experiences.digests(here).items())


def test_naughty_strings_in_every_field_survive(
    ask: Program, project: Path, tmp_path: Path
) -> None:
    texts = naughty_strings()
    round_trip(ask, texts, tmp_path, project)

    figure("naughty strings in every field", f"{len(texts)} of {len(texts)} kept")


def test_unicode_traps_in_every_field_survive_or_are_refused(
    ask: Program, project: Path, tmp_path: Path
) -> None:
    sound = [one["text"] for one in TRAPS if "refused" not in one["trap"]]
    round_trip(ask, sound, tmp_path, project)
    halves = [one["text"] for one in TRAPS if "refused" in one["trap"]]
    for text in halves:
        (project / "half.json").write_text(
            json.dumps({"kind": "lesson", "name": text}), "utf-8"
        )
        assert ask.refuses("add", "half.json", cwd=project).code == 4

    figure("Unicode traps in every field", f"{len(sound)} kept, {len(halves)} refused")


BYTES = {
    "Latin-1": "caf\xe9".encode("latin-1"),
    "GBK": "整理".encode("gbk"),
    "UTF-16": "整理".encode("utf-16"),
    "half a character": "整".encode()[:2],
    "overlong": b"\xc0\xaf",
    "a surrogate": b"\xed\xa0\x80",
    "NUL": b"\x00",
}


@pytest.mark.parametrize("name", BYTES)
@pytest.mark.parametrize(
    "document",
    [b'{"kind": "lesson", "name": "%b"}', b'---\nkind: "lesson"\nname: "%b"\n---\n'],
    ids=["json", "card"],
)
def test_bytes_that_are_no_utf8_are_refused_with_their_place(
    name: str, document: bytes, ask: Program, project: Path
) -> None:
    (project / "given").write_bytes(document % BYTES[name])
    answer = ask.refuses("add", "given", cwd=project)

    assert answer.code == 4
    assert "given" in answer.said
