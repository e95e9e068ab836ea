"""The lock file: what it says, in which form, and after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.errors import (
    ExperiencePackError,
    FormatError,
    VersionError,
)
from experience_pack.model import Lock
from experience_pack.packs import keep
from experience_pack.packs.install import undo
from experience_pack.packs.kept import kept_packs
from experience_pack.packs.lock import FILE, path_of, read_lock, settle
from experience_pack.store import experiences, imports
from experience_pack.workspace.folder import Folder, open_folder
from tests.keeping import ONE, TWO, add, find, lock_of
from tests.packs_at import write


def test_the_lock_says_what_came_and_whence(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    lock = read_lock(folder)
    locked = lock.packs["releases"]

    assert (locked.source, locked.version) == ("../packs/releases", "1.0.0")
    assert locked.experiences.keys() == {"exp_one", "exp_two"}
    assert set(locked.experiences.values()) == set(experiences.digests(folder.store))
    assert locked.digests == {
        one: experiences.digests(folder.store)[here]
        for one, here in locked.experiences.items()
    }


@pytest.mark.parametrize("ending", ["", ".xpack", ".json"])
def test_every_form_of_a_pack_is_kept_to(
    folder: Folder, tmp_path: Path, ending: str
) -> None:
    source = write(tmp_path / f"releases{ending}", "1.0.0", [ONE])

    assert add(folder, source) == ["releases"]
    write(source, "1.1.0", [replace(ONE, description="新的")])
    keep.update(folder)
    assert find(folder, ONE.name).description == "新的"


def test_the_lock_has_the_same_bytes_for_the_same_packs(
    folder: Folder, shelf: Path
) -> None:
    write(shelf / "another", "1.0.0")
    add(folder, shelf / "releases")
    add(folder, shelf / "another")
    first = path_of(folder).read_bytes()
    undo(folder.store)
    undo(folder.store)
    settle(folder)
    add(folder, shelf / "another")
    add(folder, shelf / "releases")

    assert path_of(folder).read_bytes() == first
    assert str(folder.path.parent.parent) not in first.decode()


def test_a_lock_of_a_newer_format_is_not_touched(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    document = {**lock_of(folder), "version": [2, 0], "future": 1}
    path_of(folder).write_text(json.dumps(document), "utf-8")
    before = path_of(folder).read_bytes()

    for action in (keep.update, keep.outdated, keep.install, kept_packs):
        with pytest.raises(VersionError, match=r"lock format 2\.0"):
            action(folder)
    with pytest.raises(VersionError):
        add(folder, shelf / "releases")
    assert path_of(folder).read_bytes() == before


def test_what_a_newer_minor_version_says_is_kept(folder: Folder, shelf: Path) -> None:
    add(folder, shelf / "releases")
    document = {**lock_of(folder), "version": [1, 9], "future": {"é": 1}}
    path_of(folder).write_text(json.dumps(document), "utf-8")
    write(shelf / "another", "1.0.0")
    add(folder, shelf / "another")

    assert lock_of(folder)["future"] == {"é": 1}


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("{", "<<<<<<< HEAD\n{", "line 1"),
        ('"digest": "', '"digest": 7, "was": "', "packs.releases.digest"),
        ('"source"', '"quelle"', "packs.releases.source"),
    ],
)
def test_a_broken_lock_is_an_error_that_names_the_place(
    folder: Folder, shelf: Path, old: str, new: str, place: str
) -> None:
    add(folder, shelf / "releases")
    text = path_of(folder).read_text("utf-8").replace(old, new, 1)
    path_of(folder).write_text(text, "utf-8")

    with pytest.raises(FormatError, match=place):
        keep.update(folder)
    assert path_of(folder).read_text("utf-8") == text


def test_a_lock_that_was_cut_off_follows_at_the_next_command(
    folder: Folder, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: Folder) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(keep, "settle", killed)
    with pytest.raises(KeyboardInterrupt):
        add(folder, shelf / "releases")
    monkeypatch.undo()

    assert not path_of(folder).exists()
    assert [one.name for one in kept_packs(folder)] == ["releases"]
    assert path_of(folder).exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from experience_pack.packs import install, keep, lock
from experience_pack.store import packs, experiences
from experience_pack.workspace import files
from experience_pack.workspace.folder import open_folder
left = int(sys.argv[2])
def stepped(module, name):
    function = getattr(module, name)
    def call(*arguments, **options):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return function(*arguments, **options)
    setattr(module, name, call)
for module, name in (
    (keep, "_take"), (keep, "carry_out"), (experiences, "save_prepared"),
    (packs, "put"), (keep, "settle"), (lock, "write_lock"), (files, "_write"),
    (Path, "replace"), (lock.outbox, "done"),
):
    stepped(module, name)
folder = open_folder(Path(sys.argv[1]))
keep.update(folder)
stepped(keep, "update")
keep.update(folder)
"""
STEPS = 10
"""Places of an update at which a process may be killed, the last after its end."""


@pytest.mark.parametrize("at", range(STEPS))
def test_a_kill_at_any_step_leaves_the_old_or_the_new(
    folder: Folder, shelf: Path, at: int
) -> None:
    add(folder, shelf / "releases")
    write(shelf / "releases", "1.1.0", [replace(ONE, description="新的"), TWO])
    folder.close()
    words = [sys.executable, "-c", KILLED, str(folder.path.parent), str(at)]
    done = subprocess.run(words, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    again = open_folder(folder.path.parent)
    (kept,) = kept_packs(again)
    text = find(again, ONE.name).description

    assert (kept.locked.version, text) in [("1.0.0", "Old words."), ("1.1.0", "新的")]
    assert kept.here
    keep.update(again)
    assert find(again, ONE.name).description == "新的"
    assert read_lock(again).packs["releases"].version == "1.1.0"
    again.close()


def test_every_error_has_a_next_step_or_says_the_place(
    folder: Folder, shelf: Path
) -> None:
    add(folder, shelf / "releases")
    for call in (
        lambda: keep.update(folder, ["没有"]),
        lambda: keep.remove(folder, "没有"),
    ):
        with pytest.raises(ExperiencePackError) as refused:
            call()
        assert refused.value.hint


def test_an_empty_lock_has_the_ids_of_this_store(folder: Folder) -> None:
    assert read_lock(folder) == Lock(namespace=folder.store.workspace_id)
    assert not (folder.path / FILE).exists()
    assert imports.receipts(folder.store) == []
