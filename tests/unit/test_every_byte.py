from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from experience_pack.cli.run import run
from experience_pack.formats.versions import CURRENT
from experience_pack.packs.archive import write_archive
from experience_pack.packs.destination import write_pack
from experience_pack.packs.layout import MANIFEST, Files
from experience_pack.packs.source import read_source
from tests.oracle import state_of
from tests.small_pack import refusal, small_files


@pytest.fixture(scope="module")
def files() -> Files:
    return small_files()


def test_a_bundle_has_the_version_of_its_pack() -> None:
    assert CURRENT["bundle"] == CURRENT["pack"]


Members = list[tuple[str, bytes]]
CHANGES: dict[str, Callable[[Members, int], Members]] = {
    "removed": lambda all_, at: all_[:at] + all_[at + 1 :],
    "added": lambda all_, at: [*all_[:at], ("cards/new.md", b""), *all_[at:]],
    "renamed": lambda all_, at: [
        *all_[:at],
        (f"{all_[at][0]}x", all_[at][1]),
        *all_[at + 1 :],
    ],
    "swapped with the next": lambda all_, at: [
        *all_[:at],
        (all_[at][0], all_[at - 1][1]),
        *all_[at + 1 :],
    ],
    "under another case": lambda all_, at: [
        *all_[:at],
        (all_[at][0].swapcase(), all_[at][1]),
        *all_[at + 1 :],
    ],
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", ["small.xpack", "small.json", "small"])
def test_every_changed_member_is_noticed_in_every_form(
    files: Files, change: str, form: str, tmp_path: Path
) -> None:
    for at, path in enumerate(files):
        changed = dict(CHANGES[change]([*files.items()], at))
        if form == "small.json" and changed.get(MANIFEST) != files[MANIFEST]:
            continue
        target = tmp_path / str(at) / form
        target.parent.mkdir()
        write_members(changed, target)
        error = refusal(target)
        code = error.exit_code if error else 0
        # a folder without pack.json is no pack at all
        assert code in ((2, 4, 9) if path == MANIFEST else (4, 9)), (path, error)


def write_members(files: dict[str, bytes], target: Path) -> None:
    """Write members in a form, whatever they hold."""
    if target.suffix == ".xpack":
        target.write_bytes(write_archive(files))
    elif target.suffix == ".json":
        write_pack(files, target)
    else:
        for path, data in files.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)


def test_members_in_another_order_are_noticed_by_name(
    files: Files, tmp_path: Path
) -> None:
    sound = write_archive(files)
    target = tmp_path / "small.xpack"
    starts = [sound.index(b"PK\x03\x04" + b"\x14\x00", at) for at in range(1)]
    second = sound.index(b"PK\x03\x04", starts[0] + 1)
    third = sound.index(b"PK\x03\x04", second + 1)
    target.write_bytes(sound[second:third] + sound[:second] + sound[third:])
    error = refusal(target)

    assert error is not None
    assert error.exit_code == 4
    assert repr(min(files)) in str(error)


def test_a_bundle_in_another_order_is_the_same_pack(
    files: Files, tmp_path: Path
) -> None:
    target = tmp_path / "small.json"
    write_pack(files, target)
    value = json.loads(target.read_text("utf-8"))
    value["files"] = dict(reversed(value["files"].items()))
    target.write_text(json.dumps(dict(reversed(value.items()))), "utf-8")

    assert read_source(target).files == files


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"version": [1, 7]},
        {"version": [1]},
        {"files": {}},
        {"manifest": {}},
    ],
    ids=str,
)
def test_what_stands_in_a_bundle_beside_its_manifest_is_refused(
    files: Files, tmp_path: Path, change: dict[str, object]
) -> None:
    target = tmp_path / "small.json"
    write_pack(files, target)
    value = json.loads(target.read_text("utf-8"))
    target.write_text(json.dumps({**value, **change}), "utf-8")
    error = refusal(target)

    assert error is not None
    assert error.exit_code in (3, 4, 9)


def test_a_header_that_differs_from_the_directory_is_named(
    files: Files, tmp_path: Path
) -> None:
    sound = write_archive(files)
    target = tmp_path / "small.xpack"
    first = min(files)
    for header, length in ((b"PK\x03\x04", 30), (b"PK\x01\x02", 46)):
        at = sound.index(header) + length + len(first) - 1
        target.write_bytes(sound[:at] + b"X" + sound[at + 1 :])
        error = refusal(target)
        assert error is not None
        assert error.exit_code == 4
        assert first[:-1] in str(error)


@pytest.mark.parametrize("form", ["small.xpack", "small.json", "small"])
def test_a_refused_pack_leaves_the_workspace_to_the_byte(
    files: Files, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    run(["init"])
    run(["add", "--name", "整理"])
    write_pack(files, tmp_path / form)
    place = tmp_path / form
    victim = place / "README.md" if place.is_dir() else place
    sound = victim.read_bytes()
    before = state_of(project)
    for at in range(7, len(sound), len(sound) // 12):
        victim.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
        assert run(["pack", "import", str(place)]) in (4, 9)
    for command in ("verify", "info", "scan", "test"):
        assert run(["pack", command, str(place)]) in (4, 9)

    assert state_of(project) == before
    shutil.rmtree(place) if place.is_dir() else place.unlink()
