from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from experience_pack.cli.run import run
from experience_pack.packs.interchange.report import LEFT_OUT
from experience_pack.packs.interchange.self_learning import Remembered, read_memory
from experience_pack.store import experiences, sightings
from experience_pack.workspace.folder import create, open_folder

FIXTURE = Path(__file__).parents[1] / "fixtures" / "self_learning"
NOW = 1_800_000_000.0

AVOID = {
    "Pushed a tag before the tests had run",
    "没有备份就改了数据库",
    "Trusted a green build of another branch",
}
DO = {
    "Run make test before every tag, and read its last line",
    "先备份，再改数据库",
    "Read the changelog of a dependency before the update",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(FIXTURE, tmp_path / "memory")
    return tmp_path / "memory"


def polarities(memory: Remembered) -> tuple[set[str], set[str]]:
    return (
        {one.text for one in memory.lessons if one.polarity == "avoid"},
        {one.text for one in memory.lessons if one.polarity == "do"},
    )


def keep(_: Path) -> None:
    """Leave the folder as it is."""


def truncate(folder: Path) -> None:
    path = folder / "core" / "index.json"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("read the changelog")], "utf-8")


def remove(folder: Path) -> None:
    (folder / "core" / "index.json").unlink()


def rebuilt(folder: Path) -> None:
    """What some releases make of a damaged index: every "avoid" becomes "do"."""
    path = folder / "core" / "index.json"
    items = [
        {"key": text.lower(), "text": text, "kind": "learning", "hits": 1, "score": 1}
        for text in ("Pushed a tag before the tests had run", "先备份，再改数据库")
    ]
    path.write_text(json.dumps({"version": 1, "items": items}), "utf-8")


@pytest.mark.parametrize("harm", [keep, truncate, remove, rebuilt])
def test_avoid_stays_avoid_whatever_happened_to_the_index(
    harm: Callable[[Path], None], folder: Path
) -> None:
    harm(folder)
    assert polarities(read_memory(folder, NOW)) == (AVOID, DO)


def test_only_core_and_long_term_are_enough(folder: Path) -> None:
    shutil.rmtree(folder / "daily")
    remove(folder)
    avoid, _ = polarities(read_memory(folder, NOW))
    assert "Pushed a tag before the tests had run" in avoid


@pytest.mark.parametrize("harm", [keep, truncate, remove, rebuilt])
def test_every_line_is_carried_or_left_out_with_a_reason(
    harm: Callable[[Path], None], folder: Path
) -> None:
    harm(folder)
    memory = read_memory(folder, NOW)
    for path in folder.rglob("*.md"):
        name = path.relative_to(folder).as_posix()
        told = {
            number
            for one in memory.carried
            if one.file == name
            for number in range(one.first, one.last + 1)
        }
        lines = enumerate(path.read_text("utf-8").splitlines(), 1)
        assert {number for number, line in lines if line.strip()} <= told, name
    assert all(one.reason for one in memory.carried if one.where == LEFT_OUT)


def test_hits_and_times_come_from_the_index_else_from_the_days(folder: Path) -> None:
    memory = read_memory(folder, NOW)
    by_text = {one.id: one.text for one in memory.lessons}
    seen = [one for one in memory.sightings if "Pushed" in by_text[one.experience_id]]
    assert [(one.hits, one.first_seen) for one in seen] == [(5, "2026-02-20T10:00:00Z")]
    remove(folder)
    days = read_memory(folder, NOW).sightings
    seen = [one for one in days if "Pushed" in by_text[one.experience_id]]
    assert [one.last_seen for one in seen] == [
        "2026-03-02T09:15:00Z",
        "2026-03-05T17:40:00Z",
    ]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (truncate, "damaged, 2 whole items were read"),
        (remove, "missing"),
        (rebuilt, "said to do what a day says to avoid"),
    ],
)
def test_what_is_wrong_is_told(
    harm: Callable[[Path], None], said: str, folder: Path
) -> None:
    harm(folder)
    found = [one.reason for one in read_memory(folder, NOW).problems]
    assert any(reason.startswith(said) for reason in found), found


def test_what_is_hostile_is_a_problem_and_no_failure(folder: Path) -> None:
    (folder / "daily" / "2026-13-99.md").write_text("### Fixes\n- x y z\n", "utf-8")
    (folder / "daily" / "2026-03-06.md").write_bytes(b"\xff\xfe")
    (folder / "daily" / "2026-03-07.md").symlink_to("/etc/hostname")
    (folder / "other.bin").write_bytes(b"x")
    (folder / "core" / "index.json").write_text('{"items": [{"text": {}}, 5]}', "utf-8")
    memory = read_memory(folder, NOW)
    told = {one.file for one in memory.problems}
    assert {f"daily/2026-03-0{day}.md" for day in (6, 7)} <= told
    assert "daily/2026-13-99.md" in told
    left = {one.file for one in memory.carried if one.where == LEFT_OUT}
    assert {"other.bin", "core/index.json"} <= left


def test_a_secret_is_taken_out(folder: Path) -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    page = folder / "daily" / "2026-03-08.md"
    page.write_text(f"### How it was fixed\n- use {token} here\n", "utf-8")
    memory = read_memory(folder, NOW)
    assert token not in repr(memory)


def test_a_folder_is_imported_once_and_waits_for_review(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "project").mkdir()
    create(tmp_path / "project").close()
    monkeypatch.chdir(tmp_path / "project")
    for _ in range(2):
        assert run(["convert", "from", "pi-self-learning", str(folder)]) == 0
    opened = open_folder(tmp_path / "project")
    listed = sightings.lessons(opened.store)
    assert len(listed) == len(AVOID) + len(DO)
    assert max(one.hits for one in listed) == 5
    assert experiences.count(opened.store) == len(listed) + 1
    day = (opened.path / "lessons" / "daily" / "2026-03-05.md").read_text("utf-8")
    assert "**Avoid:** Pushed a tag before the tests had run (waits" in day
    opened.close()
    assert "left out" in capsys.readouterr().err
