"""Reports of others' users: each is tried here by its number, or cannot happen."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.cli.run import run
from experience_pack.errors import VersionError
from experience_pack.store import Store, experiences
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror import sync
from tests.figures import figure
from tests.packs_at import experience
from tests.shared_data import reference

TESTS = Path(__file__).parents[1]
LISTS = ("security", "peers")
_DEFINED = re.compile(r"^(?:async )?def test_(\w+)", re.MULTILINE)


class Report(NamedTuple):
    """A line of a list of reports."""

    number: int
    text: str
    tests: list[str]
    reason: str


def reports(name: str) -> Iterator[Report]:
    path = TESTS / "fixtures" / "reports" / f"{name}.tsv"
    for line in path.read_text("utf-8").splitlines()[1:]:
        number, text, tests, reason = line.split("\t")
        yield Report(int(number), text, tests.split(), reason)


def defined() -> set[str]:
    """Give the names of all tests that there are."""
    files = (*TESTS.glob("*/test_*.py"),)
    return {
        name for file in files for name in _DEFINED.findall(file.read_text("utf-8"))
    }


@pytest.mark.parametrize("name", LISTS)
def test_every_report_is_tried_or_says_why_it_cannot_happen(name: str) -> None:
    known = defined()
    listed = [*reports(name)]
    for one in listed:
        assert bool(one.tests) != bool(one.reason), one
        assert set(one.tests) <= known, (one.number, set(one.tests) - known)
    numbers = [one.number for one in listed]
    tried = sum(bool(one.tests) for one in listed)

    assert numbers == sorted(set(numbers))
    figure(
        f"reports of others' users: {name}",
        f"{tried} tried, {len(listed) - tried} cannot happen, of {len(listed)}",
    )


@pytest.mark.parametrize("name", LISTS)
def test_no_report_is_left_out(name: str) -> None:
    text = reference(f"{name}.md").read_text("utf-8")
    section = re.split(r"^## ", text, flags=re.MULTILINE)
    (told,) = (one for one in section if re.match(r"5\. (Real bug|User compl)", one))
    numbers = {int(one) for one in re.findall(r"^(\d+)\. ", told, re.MULTILINE)}

    assert {one.number for one in reports(name)} == numbers


def test_a_store_of_a_schema_that_is_not_ours_is_refused_at_once(
    tmp_path: Path,
) -> None:
    path = tmp_path / "exp.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE large (data BLOB)")
        made.execute("INSERT INTO large VALUES (zeroblob(200000000))")
        made.execute("PRAGMA user_version=1100")
        made.commit()
    start = time.process_time()
    with pytest.raises(VersionError, match=r"11\.0.* up to 1\.x"):
        Store.open(path)

    assert time.process_time() - start < 0.05


def test_a_marker_of_a_foreign_process_blocks_nothing(folder: Folder) -> None:
    """A file that names a process, ours or a stranger's, is no lock of ours."""
    folder.close()
    markers = ("exp.db-lock", "exp.db-cards-lock", "lock", "exp.db.pid")
    for name in markers:
        (folder.path / name).write_text(f"{os.getppid()} elsewhere.example\n", "utf-8")
    start = time.monotonic()

    assert run(["add", "--name", "整理", "--workspace", str(folder.path.parent)]) == 0
    assert run(["sync", "--workspace", str(folder.path.parent)]) == 0
    assert time.monotonic() - start < 5


def _in_place(path: Path, text: str) -> None:
    with path.open("r+", encoding="utf-8") as file:
        file.write(text)
        file.truncate()


def _renamed_over(path: Path, text: str) -> None:
    other = path.with_suffix(".swp")
    other.write_text(text, "utf-8")
    other.replace(path)


def _with_a_copy_kept(path: Path, text: str) -> None:
    path.rename(path.with_name(f"{path.name}~"))
    path.write_text(text, "utf-8")


@pytest.mark.parametrize("way", [_in_place, _renamed_over, _with_a_copy_kept])
def test_every_way_of_saving_a_card_is_an_edit(
    way: Callable[[Path, str], None], folder: Folder
) -> None:
    with folder.store.transaction() as tx:
        experiences.save(tx, experience("exp_one", "发布 release"))
    sync(folder)
    (card,) = folder.cards.rglob("*.md")
    text = card.read_text("utf-8")
    way(card, text)
    unchanged = sync(folder)
    way(card, text.replace("发布 release", "发布 publish"))
    sync(folder)

    assert unchanged.findings == []
    assert experiences.get(folder.store, "exp_one").name == "发布 publish"
