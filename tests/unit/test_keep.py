"""Update, undo and remove packs that a workspace keeps to."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.errors import (
    NotFoundError,
    RefusedError,
    UsageError,
)
from experience_pack.model import DOCUMENT, Episode, Standing
from experience_pack.packs import keep
from experience_pack.packs.install import undo
from experience_pack.packs.kept import gravest, kept_packs
from experience_pack.packs.lock import path_of, read_lock, settle, write_lock
from experience_pack.store import episodes, experiences, standings
from experience_pack.workspace.folder import Folder, create
from tests.keeping import ONE, TWO, add, edit, find, names
from tests.packs_at import experience, release, write


def test_an_update_joins_what_was_edited_here(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    edit(folder, ONE.name, notes="Ours.")
    write(shelf / "releases", "1.1.0", [replace(ONE, description="新的"), TWO])
    (done,) = keep.update(folder)

    assert done.plan.counts() == {"merged": 1, "same": 1}
    one = find(folder, ONE.name)
    assert (one.description, one.notes) == ("新的", "Ours.")


def test_a_dry_run_changes_nothing(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    before = path_of(folder).read_bytes()
    write(shelf / "releases", "1.1.0", [replace(ONE, description="新的")])
    (done,) = keep.update(folder, dry_run=True)

    assert done.action == "updated"
    assert find(folder, ONE.name).description == "Old words."
    assert path_of(folder).read_bytes() == before


def test_what_the_pack_no_longer_has_goes_unless_it_was_edited(
    folder: Folder, shelf: Path
) -> None:
    three = experience("exp_three", "三")
    write(shelf / "releases", "1.0.0", [ONE, TWO, three])
    add(folder, shelf / "releases")
    edit(folder, "三", notes="mine")
    write(shelf / "releases", "2.0.0", [ONE])
    (done,) = keep.update(folder)

    assert (len(done.dropped), len(done.kept)) == (1, 1)
    assert names(folder) == ["三", ONE.name]
    undo(folder.store)
    assert names(folder) == ["三", ONE.name, TWO.name]


def test_undo_takes_every_change_of_the_lock_back(folder: Folder, shelf: Path) -> None:
    states = []

    def remember() -> None:
        settle(folder)
        states.append((names(folder), read_lock(folder).packs))

    remember()
    add(folder, shelf / "releases")
    remember()
    write(shelf / "releases", "1.1.0", [replace(ONE, description="新的"), TWO])
    keep.update(folder)
    remember()
    keep.remove(folder, "releases")
    remember()
    for expected in states[-2::-1]:
        undo(folder.store)
        settle(folder)
        assert (names(folder), read_lock(folder).packs) == expected
    with pytest.raises(NotFoundError):
        undo(folder.store)


def test_removing_and_undoing_keeps_counters_and_documents(
    folder: Folder, tmp_path: Path
) -> None:
    maker = create(tmp_path / "maker")
    with maker.store.transaction() as tx:
        document = Episode(id="ep_1", type=DOCUMENT, text="正文")
        episodes.put_all(tx, [document])
        cites = {"origin": {"episode_ids": ["ep_1"]}}
        experiences.save(tx, experience("exp_one", "引用", **cites))
    from experience_pack.model import PackInfo
    from experience_pack.packs.destination import write_pack
    from experience_pack.packs.export import export_pack

    info = PackInfo(name="cited", version="1.0.0")
    write_pack(export_pack(maker.store, info).files, tmp_path / "cited")
    maker.close()
    add(folder, tmp_path / "cited")
    here = find(folder, "引用")
    with folder.store.transaction() as tx:
        standings.put(tx, (folder.store.installation, here.id), Standing(total_usage=7))
    keep.remove(folder, "cited")
    assert episodes.entries(folder.store) == []
    undo(folder.store)

    mine = standings.own(folder.store, folder.store.installation, here.id)
    assert mine is not None
    assert mine.total_usage == 7
    assert [one.text for one in episodes.entries(folder.store)] == ["正文"]


def test_removing_keeps_what_was_here_before(folder: Folder, shelf: Path) -> None:
    with folder.store.transaction() as tx:
        experiences.save_all(tx, [ONE])
    add(folder, shelf / "releases")
    keep.remove(folder, "releases")

    assert names(folder) == [ONE.name]


def test_a_removed_pack_can_be_added_again(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    ids = set(experiences.digests(folder.store))
    keep.remove(folder, "releases")
    add(folder, shelf / "releases")

    assert set(experiences.digests(folder.store)) == ids


def test_what_two_packs_brought_stays_until_both_are_gone(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "another", "1.0.0", [ONE])
    add(folder, shelf / "releases")
    add(folder, shelf / "another")
    keep.remove(folder, "releases")
    assert names(folder) == [ONE.name]
    keep.remove(folder, "another")
    assert names(folder) == []


def test_the_same_name_from_elsewhere_is_refused(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    other = write(shelf / "elsewhere" / "releases", "9.0.0")

    with pytest.raises(RefusedError, match="is another"):
        add(folder, other)
    assert read_lock(folder).packs["releases"].version == "1.0.0"


def test_the_installed_packs_are_held_against_the_lock(
    folder: Folder, shelf: Path
) -> None:
    add(folder, shelf / "releases")
    assert gravest(kept_packs(folder)) == ""
    edit(folder, ONE.name, notes="Ours.")
    assert gravest(kept_packs(folder)) == "edited"
    lock = read_lock(folder)
    changed = replace(lock.packs["releases"], digest="0" * 64)
    write_lock(folder, replace(lock, packs={"releases": changed}))
    assert gravest(kept_packs(folder)) == "other"
    with folder.store.transaction() as tx:
        tx.run("UPDATE versions SET content = replace(content, 'Old', 'Odd')")
    assert gravest(kept_packs(folder)) == "damaged"


@pytest.mark.parametrize(
    ("rev", "after"), [("", "1.1.0"), ("main", "1.1.0"), ("1.0.0", "1.0.0")]
)
def test_a_pinned_pack_stays_and_others_move(
    folder: Folder, tmp_path: Path, rev: str, after: str
) -> None:
    repository = tmp_path / "packs"
    write(repository / "releases", "1.0.0", [ONE])
    release(repository, "1.0.0")
    add(folder, repository, "releases", rev or "1.0.0")
    if not rev:
        keep.remove(folder, "releases")
        add(folder, repository / ".git", "releases")
    write(repository / "releases", "1.1.0", [replace(ONE, notes="x")])
    release(repository, "1.1.0")
    assert bool(keep.outdated(folder)) == (after == "1.1.0")
    keep.update(folder)

    assert read_lock(folder).packs["releases"].version == after


def test_adding_at_another_revision_moves_the_pin(
    folder: Folder, tmp_path: Path
) -> None:
    repository = tmp_path / "packs"
    for number in range(3):
        text = replace(ONE, description=f"words {number}")
        write(repository / "releases", f"1.{number}.0", [text])
        release(repository, f"1.{number}.0")
    found = []
    for rev in ("1.0.0", "1.2.0", "1.1.0"):
        add(folder, repository, "releases", rev)
        found.append(find(folder, ONE.name).description)

    assert found == ["words 0", "words 2", "words 1"]


def test_a_version_does_not_go_down_by_itself(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    write(shelf / "releases", "0.9.0", [ONE])

    with pytest.raises(RefusedError, match=r"go down from 1\.0\.0 to 0\.9\.0"):
        keep.update(folder)


def test_a_source_that_now_has_another_pack_is_refused(
    folder: Folder, shelf: Path
) -> None:
    add(folder, shelf / "releases")
    write(shelf / "notes", "1.0.0")
    shutil.rmtree(shelf / "releases")
    (shelf / "notes").rename(shelf / "releases")

    with pytest.raises(RefusedError, match="has no longer releases, but notes"):
        keep.update(folder)


def test_what_is_no_pack_is_not_kept_to(folder: Folder, tmp_path: Path) -> None:
    document = tmp_path / "v2.json"
    document.write_text('[{"id": "exp_a", "name": "a"}]', "utf-8")

    with pytest.raises(UsageError, match="is no pack"):
        add(folder, document)


TESTED = experience(
    "exp_tested",
    "整理文档",
    tests={"must_match": ["整理文档", "ship it"], "must_not_execute": ["别整理文档"]},
)


def failure_here(folder: Folder) -> str:
    """Give what went wrong in the tests of the one experience that is here."""
    (entry,) = experiences.entries(folder.store)
    standing = standings.own(folder.store, folder.store.installation, entry.id)
    assert standing is not None
    assert standing.tested is not None
    assert standing.tested.digest == entry.digest
    return standing.tested.failure


def test_tests_of_a_pack_are_run_once_it_is_here(folder: Folder, shelf: Path) -> None:
    write(shelf / "releases", "1.0.0", [TESTED])
    add(folder, shelf / "releases")
    assert "ship it" in failure_here(folder)


def test_an_update_is_tested_again_and_a_dry_run_tests_too(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "releases", "1.0.0", [TESTED])
    add(folder, shelf / "releases")
    better = replace(TESTED, match=replace(TESTED.match, keywords=("ship it",)))
    write(shelf / "releases", "1.1.0", [better])
    (planned,) = keep.update(folder, dry_run=True)
    assert all(one.passed for one in planned.plan.trials)
    assert failure_here(folder)
    keep.update(folder)
    assert failure_here(folder) == ""


def test_what_a_frozen_install_brings_is_tested(
    folder: Folder, shelf: Path, tmp_path: Path
) -> None:
    write(shelf / "releases", "1.0.0", [TESTED])
    add(folder, shelf / "releases")
    clone = create(tmp_path / "clone")
    shutil.copy(folder.path / "packs.lock.json", clone.path)
    keep.install(clone, frozen=True)
    assert "ship it" in failure_here(clone)
    clone.close()


def test_a_store_is_not_copied_within_a_transaction(folder: Folder) -> None:
    with (
        folder.store.transaction(),
        pytest.raises(RuntimeError, match="transaction is under way"),
    ):
        folder.store.copied()
