from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from experience_pack.learning import review
from experience_pack.model import Experience, new_id
from experience_pack.store import experiences, outbox, standings, versions
from experience_pack.workspace.folder import Folder, create, open_folder
from experience_pack.workspace.mirror import Report, drain, sync

ID = "exp_" + "a" * 26


def an(**fields: object) -> Experience:
    given = {"id": ID, "kind": "process", "name": "整理 release notes", **fields}
    return Experience.from_dict(given)


def keep(folder: Folder, *some: Experience) -> None:
    with folder.store.transaction() as tx:
        experiences.save_all(tx, some)
    drain(folder)


def card_of(folder: Folder) -> Path:
    (path,) = folder.cards.rglob("*.md")
    return path


def states(report: Report) -> list[str]:
    return [finding.state for finding in report.findings]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


@pytest.fixture
def kept(folder: Folder) -> Folder:
    """A workspace with one experience and its card."""
    keep(folder, an(description="as it was"))
    return folder


def test_a_saved_experience_gets_a_card_in_its_category(kept: Folder) -> None:
    path = card_of(kept).relative_to(kept.cards)

    assert path.as_posix() == "general/整理-release-notes-aaaaaaaa.md"


def test_a_child_has_its_card_below_its_parents_name(folder: Folder) -> None:
    child = Experience(id=new_id(), kind="process", name="b", parent_id=ID)
    keep(folder, an(category="planning"), child)

    names = [path.parent.name for path in folder.cards.rglob("b-*.md")]
    assert names == ["整理-release-notes-aaaaaaaa"]


def test_nothing_changed_is_found_without_reading_a_card(kept: Folder) -> None:
    sync(kept)

    assert states(sync(kept)) == []


def in_place(path: Path) -> None:
    edit(path, "as it was", "as it is now")


def by_rename(path: Path) -> None:
    other = path.with_suffix(".swp")
    shutil.copyfile(path, other)
    edit(other, "as it was", "as it is now")
    other.replace(path)


def keeping_the_time(path: Path) -> None:
    before = path.stat()
    edit(path, "as it was", "as he was")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [in_place, by_rename, keeping_the_time])
def test_an_edited_card_becomes_a_version(
    kept: Folder, change: Callable[[Path], None]
) -> None:
    change(card_of(kept))
    report = sync(kept)

    assert states(report) == ["edited"]
    assert experiences.get(kept.store, ID).description != "as it was"
    assert len(versions.of(kept.store, ID)) == 2
    assert states(sync(kept)) == []


def test_a_touched_card_changes_nothing(kept: Folder) -> None:
    card_of(kept).touch()

    assert states(sync(kept)) == []
    assert len(versions.of(kept.store, ID)) == 1


def test_a_card_converted_to_crlf_counts_as_converted(kept: Folder) -> None:
    path = card_of(kept)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert states(sync(kept)) == []
    keep(kept, an(description="newer in the store"))
    assert "newer in the store" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('kind: "process"', "kind: process", "line 4"),
        ("as it was", "<<<<<<< ours\nas it was\n=======\nx\n>>>>>>> b", "line 9"),
        ("as it was", "as it was\n\n## Unheard of\n\nx", "line 11"),
        ("---\nexp", "exp", "line 1"),
    ],
)
def test_a_broken_card_is_named_by_line_and_left_alone(
    kept: Folder, old: str, new: str, line: str
) -> None:
    path = card_of(kept)
    edit(path, old, new)
    before = path.read_bytes()
    report = sync(kept)

    assert states(report) == ["broken"]
    assert line in report.findings[0].detail
    assert path.read_bytes() == before
    assert experiences.get(kept.store, ID).description == "as it was"


def test_a_change_on_both_sides_keeps_both_and_names_the_conflict(
    kept: Folder,
) -> None:
    in_place(card_of(kept))
    with kept.store.transaction() as tx:
        experiences.save(tx, an(description="from the store"))
    report = sync(kept)

    assert states(report) == ["conflict"]
    assert "as it is now" in card_of(kept).read_text("utf-8")
    assert experiences.get(kept.store, ID).description == "from the store"


@pytest.mark.parametrize(
    ("take", "wins"), [("cards", "as it is now"), ("store", "from the store")]
)
def test_a_conflict_is_decided_by_the_one_who_is_named(
    kept: Folder, take: str, wins: str
) -> None:
    in_place(card_of(kept))
    with kept.store.transaction() as tx:
        experiences.save(tx, an(description="from the store"))
    sync(kept)
    sync(kept, take=take)

    assert experiences.get(kept.store, ID).description == wins
    assert wins in card_of(kept).read_text("utf-8")
    assert states(sync(kept)) == []
    seen = {versions.get(kept.store, ID, one.id).description
            for one in versions.of(kept.store, ID)}  # fmt: skip
    assert "from the store" in seen


def test_saving_never_writes_over_an_edit_that_was_not_taken_in(kept: Folder) -> None:
    in_place(card_of(kept))
    keep(kept, an(description="from the store"))

    assert "as it is now" in card_of(kept).read_text("utf-8")
    (waiting,) = outbox.waiting(kept.store, outbox.CARD)
    assert "edited by hand" in waiting.last_error


def test_an_older_checkout_is_reported_and_not_adopted(kept: Folder) -> None:
    old = card_of(kept).read_bytes()
    keep(kept, an(description="newer"))
    card_of(kept).write_bytes(old)
    report = sync(kept)

    assert states(report) == ["older"]
    assert experiences.get(kept.store, ID).description == "newer"
    sync(kept, take="cards")
    assert experiences.get(kept.store, ID).description == "as it was"


def test_a_missing_card_deletes_nothing_and_comes_back_when_asked(
    kept: Folder,
) -> None:
    path = card_of(kept)
    path.unlink()

    assert states(sync(kept)) == ["missing"]
    assert experiences.count(kept.store) == 1
    sync(kept, restore=True)
    assert path.exists()
    assert states(sync(kept)) == []


def test_a_missing_folder_deletes_nothing(kept: Folder) -> None:
    shutil.rmtree(kept.cards)

    assert states(sync(kept)) == ["missing"]
    assert experiences.count(kept.store) == 1


def test_a_card_without_an_id_is_taken_in_and_gets_one(folder: Folder) -> None:
    path = folder.cards / "mine.md"
    path.write_text(
        '---\nkind: "lesson"\n---\n\n# 新的教训\n\n## Lesson\n\n先备份\n', "utf-8"
    )
    report = sync(folder)

    (entry,) = experiences.entries(folder.store)
    assert states(report) == ["added", "written"]
    assert f'id: "{entry.id}"' in path.read_text("utf-8")
    assert states(sync(folder)) == []


def test_a_moved_card_keeps_its_new_place(kept: Folder) -> None:
    target = kept.cards / "elsewhere" / "renamed.md"
    target.parent.mkdir()
    card_of(kept).rename(target)

    assert states(sync(kept)) == ["moved"]
    keep(kept, an(description="changed", name="another name"))
    assert card_of(kept) == target
    assert "another name" in target.read_text("utf-8")


def test_a_copied_card_is_reported(kept: Folder) -> None:
    path = card_of(kept)
    shutil.copyfile(path, path.with_name("copy.md"))

    assert states(sync(kept)) == ["duplicate"]
    assert experiences.count(kept.store) == 1


def test_a_renamed_experience_moves_its_card(kept: Folder) -> None:
    keep(kept, an(description="as it was", name="new name"))

    assert card_of(kept).name == "new-name-aaaaaaaa.md"


def test_a_deleted_experience_loses_its_card_unless_it_was_edited(
    kept: Folder,
) -> None:
    with kept.store.transaction() as tx:
        experiences.delete(tx, ID, "done")
    drain(kept)

    assert list(kept.cards.rglob("*.md")) == []


def test_an_edited_card_of_a_deleted_experience_is_kept(kept: Folder) -> None:
    in_place(card_of(kept))
    with kept.store.transaction() as tx:
        experiences.delete(tx, ID, "done")
    report = sync(kept)

    assert "deleted" in states(report)
    assert "as it is now" in card_of(kept).read_text("utf-8")


def test_a_store_is_rebuilt_from_the_cards_of_a_fresh_clone(kept: Folder) -> None:
    before = experiences.get(kept.store, ID)
    bytes_before = card_of(kept).read_bytes()
    kept.close()
    for file in kept.path.glob("exp.db*"):
        file.unlink()
    again = create(kept.path.parent)
    report = sync(again)

    assert states(report) == ["added"]
    assert experiences.get(again.store, ID) == before
    assert card_of(again).read_bytes() == bytes_before
    again.close()


def test_check_changes_nothing(kept: Folder) -> None:
    in_place(card_of(kept))
    report = sync(kept, check=True)

    assert states(report) == ["edited"]
    assert experiences.get(kept.store, ID).description == "as it was"


def test_an_approval_follows_an_edit_unless_the_wording_was_approved(
    folder: Folder,
) -> None:
    habit = Experience(id=new_id(), kind="habit", name="h", when="as it was", do="x")
    for one in (an(description="as it was"), habit):
        keep(folder, one)
        with folder.store.transaction() as tx:
            review.confirm(folder.store, tx, one)
    for path in folder.cards.rglob("*.md"):
        in_place(path)
    sync(folder)

    known = standings.seen_here(folder.store)
    assert [one.id for one in review.waiting(folder.store, known)] == [habit.id]


def test_names_that_differ_only_in_case_have_cards_of_their_own(
    folder: Folder,
) -> None:
    names = ["Release", "RELEASE", "con", "a/b", "x" * 200, "…", "Re\u0301", "R\u00e9"]
    keep(folder, *(Experience(id=new_id(), kind="reference", name=n) for n in names))

    paths = [path.name.casefold() for path in folder.cards.rglob("*.md")]
    assert len(set(paths)) == len(names)
    assert states(sync(folder)) == []


@pytest.mark.usefixtures("kept", "ordinary_user")
def test_a_folder_that_may_not_be_read_deletes_nothing(kept: Folder) -> None:
    kept.cards.chmod(0)
    report = sync(kept)
    kept.cards.chmod(0o755)

    assert states(report) == ["unreadable"]
    assert experiences.count(kept.store) == 1
    assert states(sync(kept)) == []


def test_a_linked_worktree_shares_the_main_trees_workspace(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for command in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["worktree", "add", "-q", "../linked"],
    ):
        subprocess.run([*git, *command], cwd=main, check=True, capture_output=True)
    made = create(tmp_path / "linked")
    keep(made, an())
    opened = open_folder(tmp_path / "linked")

    assert made.path == main / ".experience" == opened.path
    assert not (tmp_path / "linked" / ".experience").exists()
    made.close()
    opened.close()


def git(directory: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(
        [*command, *arguments], cwd=directory, check=True, capture_output=True
    )


def test_an_older_branch_of_the_project_takes_nothing_away(kept: Folder) -> None:
    project = kept.path.parent
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "first")
    git(project, "branch", "older")
    second = Experience(id=new_id(), kind="lesson", name="later", text="x")
    keep(kept, an(description="newer"), second)
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "second")
    git(project, "checkout", "-q", "older")
    report = sync(kept)
    git(project, "checkout", "-q", "main")

    assert sorted(states(report)) == ["missing", "older"]
    assert states(sync(kept)) == []
    assert experiences.get(kept.store, ID).description == "newer"
    assert experiences.get(kept.store, second.id) == second


def test_a_clone_with_converted_line_ends_is_read_as_it_was_meant(
    kept: Folder, tmp_path: Path
) -> None:
    project = kept.path.parent
    (kept.path / ".gitattributes").unlink()
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "first")
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", str(project), "clone")
    clone = create(tmp_path / "clone")
    report = sync(clone)

    assert b"\r\n" in card_of(clone).read_bytes()
    assert states(report) == ["added"]
    assert experiences.get(clone.store, ID) == experiences.get(kept.store, ID)
    clone.close()


def test_a_project_that_has_the_database_ignores_it(kept: Folder) -> None:
    project = kept.path.parent
    git(project, "init", "-q")
    git(project, "add", ".")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=project, check=True, capture_output=True, text=True
    ).stdout

    assert ".experience/config.json" in listed
    assert "exp.db" not in listed
    assert "dashboard.html" not in listed
