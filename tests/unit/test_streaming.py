from __future__ import annotations

import hashlib
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.errors import RefusedError
from experience_pack.formats.canonical import digest
from experience_pack.model import Episode, Evidence, Experience, Origin, PackInfo
from experience_pack.packs import layout
from experience_pack.packs.archive import archive_parts, write_archive
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import export_pack, exporting
from experience_pack.packs.layout import MANIFEST, SKILLS, Files
from experience_pack.packs.manifest import make_manifest, read_manifest
from experience_pack.packs.source import read_source
from experience_pack.store import Store, episodes, experiences
from experience_pack.workspace.files import TEMPORARY

INFO = PackInfo(name="big", version="1.0.0")

X_DIGEST = hashlib.sha256(b"x").hexdigest()

WORDS = {"en": "Release the package", "zh": "发布软件包"}


def experience(at: int, name: str = "", notes: str = "") -> Experience:
    identity = f"exp_{at:026}"
    origin = Origin(evidence=(Evidence(episode_id="doc"),)) if at == 1 else Origin()
    name = name or f"{WORDS['zh' if at % 2 else 'en']} {at}"
    return Experience(
        id=identity, kind="process", name=name, notes=notes, origin=origin
    )


def fill(store: Store, count: int, notes: str = "") -> Store:
    with store.transaction() as tx:
        document = Episode(id="doc", type="document", text="原文")
        episodes.put_all(tx, [document])
        every = (experience(at, notes=notes) for at in range(count))
        experiences.save_all(tx, every)
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "exp.db"
    fill(Store.open(path, create=True), 700).close()
    return path


def test_files_that_lie_in_a_store_are_those_that_are_held(path: Path) -> None:
    store = Store.open(path)
    held = export_pack(store, INFO).files

    with exporting(store, INFO) as exported:
        files = exported.files
        assert dict(files.items()) == held
        assert list(files) == sorted(held)
        assert len(files) == len(held)
        assert {one: files[one] for one in files} == held
        assert "cards/none.md" not in files


@pytest.mark.parametrize("form", ["big.xpack", "big", "big.json", "big.md"])
def test_every_form_is_written_from_a_store_as_from_memory(
    path: Path, tmp_path: Path, form: str
) -> None:
    store = Store.open(path)
    (tmp_path / "held").mkdir()
    write_pack(export_pack(store, INFO).files, tmp_path / "held" / form)

    with exporting(store, INFO) as exported:
        write_pack(exported.files, tmp_path / form)

    assert contents(tmp_path / form) == contents(tmp_path / "held" / form)


def contents(path: Path) -> Files | bytes:
    return dict(read_source(path).files) if path.is_dir() else path.read_bytes()


def test_a_writer_in_between_does_not_mix_two_states(path: Path) -> None:
    store, other = Store.open(path), Store.open(path)
    before = write_archive(export_pack(store, INFO).files)

    with exporting(store, INFO) as exported:
        fill(other, 800, notes="changed 改了")
        written = b"".join(archive_parts(exported.files))

    assert written == before
    assert write_archive(export_pack(store, INFO).files) != before


def test_an_export_leaves_nothing_in_the_store(path: Path) -> None:
    store = Store.open(path)

    for _ in range(2):
        export_pack(store, INFO)

    assert store.rows("SELECT name FROM temp.sqlite_master") == []
    assert not store.connection.in_transaction


def test_an_export_within_a_transaction_is_a_mistake(path: Path) -> None:
    store = Store.open(path)

    with store.transaction(), pytest.raises(RuntimeError, match="under way"):
        export_pack(store, INFO)


def test_writing_does_not_hold_the_texts(tmp_path: Path) -> None:
    peaks, written = {}, {}
    for count in (500, 2000):
        store = fill(Store.in_memory(), count, notes="lang 长 " * 1000)
        target = tmp_path / f"{count}.xpack"
        with exporting(store, INFO) as exported:
            tracemalloc.start()
            write_pack(exported.files, target)
            peaks[count] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        written[count] = target.stat().st_size

    assert written[2000] > 3.9 * written[500]
    assert peaks[2000] < 1.3 * peaks[500]


def test_what_no_reader_takes_leaves_the_old_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "big.xpack"
    target.write_bytes(b"old")
    monkeypatch.setattr(layout, "MOST_FILES", 900)

    match = "more than 900 files"
    with (
        exporting(Store.open(path), INFO) as exported,
        pytest.raises(RefusedError, match=match),
    ):
        write_pack(exported.files, target)

    assert target.read_bytes() == b"old"
    assert not list(tmp_path.glob(f"{TEMPORARY}*"))


def test_skills_of_one_name_stay_apart() -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save_all(tx, [experience(at, name="发布") for at in (2, 3)])

    files = export_pack(store, INFO).files
    skills = [path for path in files if path.startswith(SKILLS)]

    assert len(skills) == 2
    for path in skills:
        assert f"name: {path.split('/')[1]}\n".encode() in files[path]


@pytest.mark.parametrize("count", [0, 1, 1200])
def test_a_manifest_is_digested_in_canonical_form(count: int) -> None:
    """Ids beyond the first plane sort by UTF-16 there, by code point in the file."""
    known = {f"{at % 7}\U0001f600\uff01{at}": "0" * 64 for at in range(count)}
    known |= {"\U0001f600": "1" * 64, "\uff01": "2" * 64} if count else {}
    files = {f"cards/{at}.md": b"x" for at in range(count)}
    info = replace(INFO, extra={"weight": 1.0e21, "files": []})

    made = make_manifest(info, known, files)

    document = json.loads(made)
    assert read_manifest({**files, MANIFEST: made}).experiences == known
    assert document["content_digest"] == digest(known)
    assert document.pop("digest") == digest(document)
    assert {one["sha256"] for one in document["files"]} <= {X_DIGEST}
