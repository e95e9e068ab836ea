"""A clone of the project, and installing what the lock says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.errors import (
    CheckFailedError,
    DigestError,
    RefusedError,
    UsageError,
)
from experience_pack.model import LockedPack
from experience_pack.packs import keep
from experience_pack.packs.install import undo
from experience_pack.packs.kept import kept_packs
from experience_pack.packs.lock import path_of, read_lock, settle, write_lock
from experience_pack.store import experiences, packs
from experience_pack.workspace.folder import Folder, create
from experience_pack.workspace.mirror import drain, sync
from tests.keeping import ONE, TWO, add, edit, names
from tests.packs_at import release, write


@pytest.fixture
def clone(tmp_path: Path) -> Callable[[Folder], Folder]:
    """What somebody else has who clones the project: the files, and no database."""

    def cloned(folder: Folder) -> Folder:
        drain(folder)
        target = tmp_path / "clone" / ".experience"
        ignored = shutil.ignore_patterns("exp.db*", "history", "backups")
        shutil.copytree(folder.path, target, ignore=ignored)
        made = create(target.parent)
        sync(made)
        return made

    return cloned


def test_a_clone_of_the_project_doubles_nothing(
    folder: Folder, shelf: Path, clone: Callable[[Folder], Folder]
) -> None:
    write(shelf / "releases", "1.0.0", [ONE, TWO])
    add(folder, shelf / "releases")
    edit(folder, ONE.name, notes="Ours.")
    other = clone(folder)
    before = experiences.digests(other.store)
    for action in (lambda: keep.install(other), lambda: add(other, shelf / "releases")):
        action()
        assert experiences.digests(other.store) == before
    assert read_lock(other) == read_lock(folder)
    other.close()


def test_a_clone_is_updated_as_the_first_would_be(
    folder: Folder, tmp_path: Path, clone: Callable[[Folder], Folder]
) -> None:
    repository = tmp_path / "packs"
    write(repository / "releases", "1.0.0", [ONE, TWO])
    release(repository, "1.0.0")
    add(folder, repository / ".git", "releases")
    edit(folder, ONE.name, notes="Ours.")
    other = clone(folder)
    new = [replace(ONE, description="新的"), replace(TWO, notes="also")]
    write(repository / "releases", "1.1.0", new)
    release(repository, "1.1.0")
    done = [keep.update(one)[0].plan.counts() for one in (folder, other)]

    assert done[0] == done[1] == {"changed": 1, "merged": 1}
    assert experiences.digests(folder.store) == experiences.digests(other.store)
    assert read_lock(other) == read_lock(folder)
    undo(other.store)
    settle(other)
    assert read_lock(other).packs["releases"].version == "1.0.0"
    other.close()


def test_a_frozen_install_brings_a_clone_to_the_lock(
    folder: Folder, tmp_path: Path, clone: Callable[[Folder], Folder]
) -> None:
    repository = tmp_path / "packs"
    write(repository / "releases", "1.0.0", [ONE, TWO])
    release(repository, "1.0.0")
    add(folder, repository / ".git", "releases")
    write(repository / "releases", "1.1.0", [ONE])
    release(repository, "1.1.0")
    shutil.rmtree(folder.cards)
    folder.cards.mkdir()
    other = clone(folder)
    bytes_before = path_of(other).read_bytes()
    done = keep.install(other, frozen=True)

    assert [one.name for one in done.taken] == ["releases"]
    assert names(other) == names(folder)
    assert path_of(other).read_bytes() == bytes_before
    assert keep.install(other, frozen=True).taken == ()
    undo(other.store)
    settle(other)
    assert path_of(other).read_bytes() == bytes_before
    assert [one.here for one in kept_packs(other)] == [False]
    other.close()


def test_a_source_with_other_bytes_than_the_lock_installs_nothing(
    folder: Folder, shelf: Path, clone: Callable[[Folder], Folder]
) -> None:
    add(folder, shelf / "releases")
    other = clone(folder)
    write(shelf / "releases", "1.0.0", [replace(ONE, description="swapped"), TWO])
    before = experiences.digests(other.store)

    with pytest.raises(DigestError, match="no longer what the lock says"):
        keep.install(other, frozen=True)
    assert experiences.digests(other.store) == before
    assert packs.all_of(other.store) == {}
    other.close()


def test_a_frozen_install_refuses_what_would_change_the_lock(
    folder: Folder, shelf: Path
) -> None:
    add(folder, shelf / "releases")
    lock = read_lock(folder)
    write_lock(folder, replace(lock, packs={}))
    with pytest.raises(CheckFailedError, match="says nothing"):
        keep.install(folder, frozen=True)
    assert names(folder) == [ONE.name, TWO.name]

    assert keep.install(folder).removed == ("releases",)
    assert names(folder) == []
    undo(folder.store)
    assert names(folder) == [ONE.name, TWO.name]
    assert read_lock(folder).packs == {}


def test_a_lock_that_lacks_what_a_pack_needs_is_refused(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "notes", "1.0.0", needs={"releases": "^1.0"})
    add(folder, shelf / "notes")
    lock = read_lock(folder)
    write_lock(folder, replace(lock, packs={"notes": lock.packs["notes"]}))

    with pytest.raises(RefusedError, match=r"notes needs releases \^1\.0"):
        keep.install(folder, frozen=True)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("source", "ext::sh -c 'touch trapped'"),
        ("source", "--upload-pack=touch"),
        ("path", "../.."),
        ("path", "/etc"),
        ("rev", "--upload-pack=touch"),
        ("commit", "-c"),
        ("commit", "x\ny"),
    ],
)
def test_what_a_strangers_lock_says_is_refused_by_name(
    folder: Folder, shelf: Path, key: str, value: str
) -> None:
    add(folder, shelf / "releases")
    lock = read_lock(folder)
    hostile = LockedPack.from_dict({**lock.packs["releases"].to_dict(), key: value})
    write_lock(folder, replace(lock, packs={"releases": hostile}))

    for action in (keep.install, keep.update, keep.outdated):
        with pytest.raises((RefusedError, UsageError)):
            action(folder)
