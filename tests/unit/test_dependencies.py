"""What packs need of each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from experience_pack.errors import (
    RefusedError,
)
from experience_pack.packs import keep
from experience_pack.packs.lock import path_of, read_lock
from experience_pack.workspace.folder import Folder
from tests.keeping import ONE, add, find, names
from tests.packs_at import experience, release, write


def test_what_a_pack_needs_is_taken_from_beside_it(folder: Folder, shelf: Path) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "^1.0"})
    write(shelf / "base.xpack", "2.1.0")
    write(shelf / "all", "1.0.0", needs={"notes": "1.x", "base": "~2.1"})

    assert add(folder, shelf / "all") == ["base", "releases", "notes", "all"]
    assert read_lock(folder).packs["base"].source == "../packs/base.xpack"


def test_what_a_pack_needs_is_taken_from_its_repository(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "deep" / "notes", "1.0.0", needs={"releases": "^1.0"})
    release(shelf, "1.0.0")
    add(folder, shelf / ".git", "deep/notes")

    locked = read_lock(folder).packs
    assert locked["releases"].path == "releases"
    assert locked["releases"].commit == locked["notes"].commit


def test_references_lead_from_pack_to_pack(folder: Folder, shelf: Path) -> None:
    lead = experience("exp_lead", "公告", prerequisites=["exp_one"])
    write(shelf / "notes", "1.0.0", [lead], needs={"releases": "^1.0"})
    add(folder, shelf / "notes")

    assert find(folder, "公告").prerequisites == (find(folder, ONE.name).id,)


def test_what_is_nowhere_is_refused_with_the_next_step(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "notes", "1.0.0", needs={"nowhere": "^1.0"})

    with pytest.raises(RefusedError, match="notes needs nowhere") as refused:
        add(folder, shelf / "notes")
    assert "Add nowhere first" in refused.value.hint
    assert names(folder) == []
    assert not path_of(folder).exists()


def test_two_demands_that_do_not_fit_are_both_named(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "^1.0"})
    write(shelf / "news", "1.0.0", needs={"releases": ">=2 <3"})
    add(folder, shelf / "notes")

    with pytest.raises(RefusedError) as refused:
        add(folder, shelf / "news")
    assert "news needs releases >=2 <3" in str(refused.value)
    assert "notes needs releases ^1.0" in str(refused.value)


def test_an_update_that_another_pack_cannot_take_is_refused(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "^1.0"})
    add(folder, shelf / "notes")
    write(shelf / "releases", "2.0.0", [ONE])

    with pytest.raises(RefusedError, match=r"releases 2\.0\.0 does not do for all"):
        keep.update(folder)
    assert read_lock(folder).packs["releases"].version == "1.0.0"


def test_packs_that_need_each_other_are_refused_with_the_circle(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "a", "1.0.0", needs={"b": "*"})
    write(shelf / "b", "1.0.0", needs={"c": "*"})
    write(shelf / "c", "1.0.0", needs={"a": "*"})

    with pytest.raises(RefusedError, match="a → b → c → a"):
        add(folder, shelf / "b")
    assert names(folder) == []


def test_what_is_needed_is_not_removed(folder: Folder, shelf: Path) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "^1.0"})
    add(folder, shelf / "notes")

    with pytest.raises(RefusedError, match="notes needs releases"):
        keep.remove(folder, "releases")
    keep.remove(folder, "notes")
    keep.remove(folder, "releases")
    assert names(folder) == []


def test_a_range_that_is_none_is_refused(folder: Folder, shelf: Path) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "最新"})

    with pytest.raises(RefusedError, match="no range of versions"):
        add(folder, shelf / "notes")
