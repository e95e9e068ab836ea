from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.errors import IntegrityError, UsageError
from experience_pack.model import Experience
from experience_pack.model.standing import Authorisation, Standing
from experience_pack.store import Store, experiences, standings
from experience_pack.workspace import backup, members
from experience_pack.workspace import folder as folders
from experience_pack.workspace.folder import Folder, open_folder
from experience_pack.workspace.mirror import sync
from experience_pack.workspace.restore import finish, restore


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    made = folders.create(tmp_path / "project")
    yield made
    made.close()


def add(store: Store, *names: str) -> None:
    with store.transaction() as tx:
        experiences.save_all(
            tx,
            [Experience(id=f"exp_{name}", kind="process", name=name) for name in names],
        )


def ids(store: Store) -> set[str]:
    return set(experiences.digests(store))


def test_a_restore_brings_back_store_cards_settings_and_packs(folder: Folder) -> None:
    add(folder.store, "整理", "publish")
    sync(folder)
    (folder.path / "packs").mkdir()
    (folder.path / "packs" / "all.json").write_text("{}", "utf-8")
    made = backup.create(folder)
    cards = {path.name for path in folder.cards.rglob("*.md")}

    add(folder.store, "later")
    (folder.path / "packs" / "all.json").write_text('{"a": 1}', "utf-8")
    (folder.path / "packs.lock.json").write_text("{}", "utf-8")
    for card in folder.cards.rglob("*.md"):
        card.unlink()
    folder.config.set("name", "别的")
    restore(folder.path, made.path)

    again = open_folder(folder.path.parent)
    assert ids(again.store) == {"exp_整理", "exp_publish"}
    assert {path.name for path in folder.cards.rglob("*.md")} == cards
    assert (folder.path / "packs" / "all.json").read_text("utf-8") == "{}"
    assert not (folder.path / "packs.lock.json").exists()
    assert again.name == "project"
    assert not sync(again, check=True).findings
    again.close()


def test_the_state_before_a_restore_is_a_backup_of_its_own(folder: Folder) -> None:
    made = backup.create(folder)
    add(folder.store, "后来")

    done = restore(folder.path, made.path)
    restore(folder.path, done.before)

    assert ids(folder.store) == {"exp_后来"}


def test_whoever_has_the_store_open_sees_what_was_restored(folder: Folder) -> None:
    add(folder.store, "整理")
    made = backup.create(folder)
    reader = Store.open(folder.path / "exp.db")
    add(reader, "later")
    file = (folder.path / "exp.db").stat().st_ino

    restore(folder.path, made.path)

    assert ids(reader) == ids(folder.store) == {"exp_整理"}
    assert (folder.path / "exp.db").stat().st_ino == file
    add(reader, "再来")
    assert ids(folder.store) == {"exp_整理", "exp_再来"}
    reader.close()


def test_a_restore_is_an_installation_of_its_own_and_keeps_what_was_earned(
    folder: Folder,
) -> None:
    add(folder.store, "整理")
    before = folder.store.installation
    earned = Standing(
        authorisation=Authorisation(digest="d", at="2026-12-01T00:00:00Z")
    )
    with folder.store.transaction() as tx:
        standings.put(tx, (before, "exp_整理"), earned)
    made = backup.create(folder)

    restore(folder.path, made.path)

    after = folder.store.installation
    assert after != before
    assert standings.mine(folder.store) == {before, after}
    assert standings.own(folder.store, after, "exp_整理") == earned
    assert standings.own(folder.store, before, "exp_整理") is None


def test_a_backup_beside_a_writer_is_whole_every_time(folder: Folder) -> None:
    stop = threading.Event()
    written = [0]

    def write() -> None:
        store = Store.open(folder.path / "exp.db")
        while not stop.is_set():
            add(store, f"n{written[0]}", f"另{written[0]}")
            written[0] += 1
        store.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [backup.create(folder) for _ in range(8)]
    finally:
        stop.set()
        writer.join()

    found = [backup.verify(one.path).tables["experiences"].rows for one in made]
    assert all(rows % 2 == 0 for rows in found)
    assert found == sorted(found)
    assert found[-1] > 0
    figure = f"8 backups beside {written[0]} transactions: {found} rows, each whole"
    print(figure)  # noqa: T201


def test_a_store_that_does_not_open_is_kept_and_replaced(folder: Folder) -> None:
    add(folder.store, "整理")
    made = backup.create(folder)
    folder.close()
    database = folder.path / "exp.db"
    database.write_bytes(b"not a database" * 100)

    done = restore(folder.path, made.path)

    assert (done.before / "exp.db").read_bytes() == b"not a database" * 100
    again = open_folder(folder.path.parent)
    assert ids(again.store) == {"exp_整理"}
    again.close()


def test_a_damaged_store_is_not_backed_up(folder: Folder) -> None:
    folder.store.connection.execute("PRAGMA foreign_keys=OFF")
    with folder.store.transaction() as tx:
        tx.run(
            "INSERT INTO renders (seq, card, skill_name, skill) VALUES (99, '', '', '')"
        )

    with pytest.raises(IntegrityError, match="renders refers to nothing") as refused:
        backup.create(folder)

    assert "doctor" in refused.value.hint
    assert not backup.listed(folder.path)


def test_what_no_backup_takes_is_named_and_moved_aside(folder: Folder) -> None:
    (folder.cards / "odd.md").symlink_to("/etc/hostname")
    (folder.cards / ".hidden").write_text("留着", "utf-8")
    made = backup.create(folder)

    done = restore(folder.path, made.path)

    assert made.manifest.left_out == ("experiences/.hidden", "experiences/odd.md")
    assert (done.aside / "experiences" / ".hidden").read_text("utf-8") == "留着"
    assert (done.aside / "experiences" / "odd.md").is_symlink()
    assert members.members_of(folder.path).left_out == []


def test_a_file_that_is_there_is_not_overwritten(
    folder: Folder, tmp_path: Path
) -> None:
    target = tmp_path / "mine.xbackup"
    target.write_text("mine", "utf-8")

    with pytest.raises(UsageError, match="is there already"):
        backup.create(folder, target)

    assert target.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "change",
    [
        {"token": "../../elsewhere"},
        {"aside": "../up"},
        {"left_out": ["../../x"]},
        {"gone": ["exp.db"]},
        {"gone": 7},
        {"token": None},
    ],
    ids=json.dumps,
)
def test_a_journal_that_leads_elsewhere_is_refused(
    folder: Folder, change: dict[str, object]
) -> None:
    sound = {"token": "a", "aside": "b", "left_out": [], "gone": []}
    journal = folder.path / "exp.db-restore"
    journal.write_text(json.dumps({**sound, **change}), "utf-8")

    with pytest.raises(IntegrityError, match="no journal of ours"):
        finish(folder.path)
