from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.errors import DigestError
from experience_pack.model import Experience, Membership, PackInfo
from experience_pack.packs import membership, merging, releases
from experience_pack.packs.carried import bring_history
from experience_pack.packs.export import ExportOptions
from experience_pack.packs.layout import Files
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder, create

NAME = "releases"


def make(folder: Folder, *versions: str) -> None:
    """Make the pack, and record a version for each name of its experience."""
    info = PackInfo(name=NAME, version="1.0.0")
    membership.create(folder, Membership(pack=info, experiences=("exp_a",)))
    for name in versions:
        with folder.store.transaction() as tx:
            one = Experience(id="exp_a", kind="process", name=name)
            experiences.save(tx, one)
        releases.record(folder, NAME, name)


def exported(folder: Folder) -> Files:
    options = ExportOptions(history=releases.bundle_of(folder, NAME))
    known = membership.load(folder, NAME)
    return membership.exported(folder.store, known, options).files


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[Folder]:
    (tmp_path / "theirs").mkdir()
    made = create(tmp_path / "theirs")
    make(made, "发布", "发布软件包")
    yield made
    made.close()


def test_a_history_comes_along_where_the_pack_is_made(
    folder: Folder, theirs: Folder
) -> None:
    make(folder, "Release")
    before = releases.history_of(folder, NAME).log()

    found = bring_history(folder, NAME, exported(theirs))
    history = releases.history_of(folder, NAME)

    assert found is not None
    assert (found.versions, found.fault) == (2, "")
    assert history.has(found.newest)
    assert history.log() == before
    assert [one.subject for one in history.log(revision=found.newest)] == [
        "发布软件包",
        "发布",
    ]


def test_what_came_along_merges_by_its_commit(folder: Folder, theirs: Folder) -> None:
    make(folder, "发布")
    found = bring_history(folder, NAME, exported(theirs))
    assert found is not None

    plan = merging.plan_revision(folder, NAME, found.newest)
    done = merging.carry_out(folder, NAME, plan)

    assert experiences.get(folder.store, "exp_a").name == "发布软件包"
    assert releases.history_of(folder, NAME).is_ancestor(found.newest)
    assert done.commit


def test_a_pack_without_versions_here_gets_the_objects_only(
    folder: Folder, theirs: Folder
) -> None:
    make(folder)

    found = bring_history(folder, NAME, exported(theirs))
    history = releases.history_of(folder, NAME)

    assert found is not None
    assert history.has(found.newest)
    assert history.head() is None


def test_a_history_stays_in_the_file_where_the_pack_is_not_made(
    folder: Folder, theirs: Folder
) -> None:
    found = bring_history(folder, NAME, exported(theirs))

    assert found == ("", 0, "")
    assert not (folder.path / "history").exists()


def test_a_dry_run_takes_nothing(folder: Folder, theirs: Folder) -> None:
    make(folder, "发布")

    found = bring_history(folder, NAME, exported(theirs), dry_run=True)

    assert found is not None
    assert found.versions == 2
    assert not releases.history_of(folder, NAME).has(found.newest)


def test_a_pack_without_history_brings_none(folder: Folder, theirs: Folder) -> None:
    known = membership.load(theirs, NAME)
    files = membership.exported(theirs.store, known).files

    assert bring_history(folder, NAME, files) is None


def test_a_history_that_is_not_sound_refuses_the_import(
    folder: Folder, theirs: Folder
) -> None:
    make(folder, "发布")
    files = {**exported(theirs), f"history/{NAME}.bundle": b"# v2 git bundle\n"}

    with pytest.raises(DigestError, match="not sound"):
        bring_history(folder, NAME, files)


def test_without_git_the_reason_is_told(
    folder: Folder, theirs: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(folder)
    files = exported(theirs)
    monkeypatch.setenv("PATH", "/nowhere")

    found = bring_history(folder, NAME, files)

    assert found is not None
    assert "git" in found.fault
    assert found.newest == ""
