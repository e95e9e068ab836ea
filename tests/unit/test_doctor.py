from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.cli.run import run
from experience_pack.packs.doctor import KINDS, examine, is_ill, mend
from experience_pack.store import health
from experience_pack.workspace.folder import Folder, open_folder

FIXTURES = Path(__file__).parents[1] / "fixtures" / "doctor"
CASES = json.loads((FIXTURES / "damage.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a project that has everything and in which nothing is wrong."""
    project = tmp_path_factory.mktemp("sound") / "project"
    project.mkdir()
    at = ["--workspace", str(project)]
    for words in (
        ["init", str(project)],
        ["add", "--name", "整理", "--step", "先分类", *at],
        ["add", "--name", "publish", "--step", "tag it", *at],
        ["pack", "new", "all", "--kind", "process", *at],
        ["pack", "commit", "all", *at],
    ):
        assert run(words) == 0
    return project


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Iterator[Folder]:
    project = tmp_path / "project"
    shutil.copytree(sound, project)
    opened = open_folder(project)
    yield opened
    opened.close()


def damage(folder: Folder, case: dict[str, Any]) -> None:
    if "sql" in case:
        folder.store.connection.execute("PRAGMA foreign_keys=OFF")
        with folder.store.transaction() as tx:
            tx.run(case["sql"])
        folder.store.connection.execute("PRAGMA foreign_keys=ON")
    if "lose" in case:
        shutil.rmtree(folder.path / case["lose"])
        (folder.path / case["lose"]).mkdir()
    if "file" in case:
        path = folder.path / case["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case["text"], "utf-8")
        then = time.time() - 3600 * case.get("hours", 0)
        for one in (path, path.parent):
            os.utime(one, (then, then))


def state_of(path: Path) -> dict[str, str]:
    return {
        str(one): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in sorted(path.rglob("*"))
        if one.is_file() and not one.name.endswith("-shm")
    }


def ill(folder: Folder) -> list[tuple[str, str]]:
    return [
        (one.kind, f"{one.subject} {one.detail}")
        for one in examine(folder)
        if is_ill(one)
    ]


def test_nothing_is_found_where_nothing_is_wrong(folder: Folder) -> None:
    assert ill(folder) == []


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_damage_is_found_without_a_write_and_mended_where_it_can_be(
    case: dict[str, Any], folder: Folder
) -> None:
    damage(folder, case)
    before = state_of(folder.path)

    found = ill(folder)

    assert {kind for kind, _ in found} == {case["kind"]}, found
    assert case.get("says", "") in found[0][1]
    assert KINDS[case["kind"]].mends == case["mends"]
    assert state_of(folder.path) == before

    mend(folder)

    assert ill(folder) == ([] if case["mends"] else found)


def test_what_is_mended_answers_again(folder: Folder) -> None:
    damage(folder, {"sql": "DELETE FROM search_documents"})
    damage(folder, {"sql": "DELETE FROM search_postings"})
    damage(folder, {"sql": "DELETE FROM search_pending"})

    mend(folder)

    assert run(["request", "整理", "--workspace", str(folder.path.parent)]) == 0


def test_a_file_that_is_being_written_is_left_alone(folder: Folder) -> None:
    damage(folder, {"file": ".xp-tmp-0123456789abcdef", "text": "half"})

    mend(folder)

    assert (folder.path / ".xp-tmp-0123456789abcdef").exists()


def test_a_damaged_page_is_found(folder: Folder) -> None:
    folder.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    project = folder.path.parent
    folder.close()
    with (folder.path / "exp.db").open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        for at in range(4096, size, 4096):
            file.seek(at)
            file.write(b"\xff" * 8)

    assert run(["doctor", "--workspace", str(project)]) == 11


def test_the_users_own_workspace_is_closed_to_others(folder: Folder) -> None:
    folder.path.chmod(0o755)
    assert [one.kind for one in examine(folder, user=True) if is_ill(one)] == ["open"]

    mend(folder, user=True)

    assert not any(map(is_ill, examine(folder, user=True)))


@pytest.mark.parametrize(
    ("version", "exposed"),
    [((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False), ((4, 0, 0), False)],
)
def test_the_sqlite_that_can_damage_a_log_is_known(
    version: tuple[int, int, int], exposed: bool
) -> None:
    assert health.is_exposed(version) == exposed


def test_rows_are_dropped_only_after_a_backup(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--workspace", str(folder.path.parent)]
    damage(folder, {"sql": "INSERT INTO edges VALUES ('exp_gone', 'extends', 'x')"})
    assert run(["doctor", "--fix", *at]) == 4
    run(["config", "set", "review.non_interactive", "true", *at])
    capsys.readouterr()

    assert run(["doctor", "--fix", "--json", *at]) == 0

    out, err = capsys.readouterr()
    assert "edges: rows belong to nothing that is here (exp_gone)" in err
    (kept,) = (folder.path / "backups").glob("*.xbackup")
    assert json.loads(out)["before"] == str(kept)
    with sqlite3.connect(folder.path / "exp.db") as connection:
        assert connection.execute("SELECT * FROM edges").fetchall() == []
