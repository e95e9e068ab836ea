"""A disk that is full, may only be read, or belongs to somebody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.faults.killing import command
from tests.faults.states import CASES, State, goes_on, one_of, prepared, state_of
from tests.figures import figure
from tests.oracle import state_of as digests_of
from tests.shell import Shell

LEFT = tuple(int(one) for one in os.environ.get("DISK_LEFT", "0,40,200").split(","))
"""KiB that are left on the disk; `make soak` takes more of them."""
DISK = 24  # MiB
BLOCK = 4_096


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(place)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let even root mount a disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path, left: int) -> Path:
    """Leave so many KiB; give the file that takes the rest."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(BLOCK))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - left * 1024))
    return filler


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_on_a_full_disk_a_command_leaves_old_or_new(
    case: dict[str, Any], disk: Path, tmp_path: Path
) -> None:
    template = prepared(case, tmp_path / "template" / "project")
    old = state_of(template)
    whole = tmp_path / "whole"
    shutil.copytree(template, whole)
    assert command(case["command"], whole).returncode in (0, 11)
    new = state_of(whole)

    codes = [_tried(case, disk, left, (template, old, new)) for left in LEFT]

    assert 5 in codes or case["name"] == "undo", codes
    figure(f"disk full: {case['name']}", f"old or new {len(codes)} times")


def _tried(
    case: dict[str, Any], disk: Path, left: int, known: tuple[Path, State, State]
) -> int:
    template, old, new = known
    project = disk / "project"
    shutil.copytree(template, project)
    filler = fill(disk, left)
    done = command(case["command"], project)
    filler.unlink()
    why = (left, done.returncode, done.stderr)
    assert done.returncode in (0, 5, 11), why
    assert "Traceback" not in done.stderr, why
    if done.returncode == 5:
        assert "No space left" in done.stderr or "no space" in done.stderr, why
    assert one_of(state_of(project), old, new), why
    empty = [one for one in project.rglob("*.md") if one.stat().st_size == 0]
    assert empty == [], why
    goes_on(case["command"], project, new, why)
    shutil.rmtree(project)
    return done.returncode


READS: Sequence[Sequence[str]] = (
    ("list",),
    ("show", "整理"),
    ("status",),
    ("versions", "整理"),
    ("sync", "--check"),
    ("pack", "list"),
    ("pack", "log", "all"),
    ("pack", "verify", "all.xpack"),
    ("pack", "import", "all.xpack", "--dry-run"),
    ("review", "list"),
    ("request", "整理 file"),
    ("audit", "list"),
    ("backup", "list"),
    ("backup", "verify", "saved.xbackup"),
    ("stats",),
    ("config", "list"),
)
WRITES: Sequence[Sequence[str]] = (
    ("add", "--name", "another", "--step", "x"),
    ("delete", "整理"),
    ("pack", "import", "all.xpack"),
    ("pack", "export", "-o", "out.xpack"),
    ("pack", "commit", "all"),
    ("backup", "create"),
    ("backup", "restore", "saved.xbackup"),
    ("config", "set", "name", "x"),
    ("site", "build", "-o", "site"),
    ("snapshot", "-o", "page.html"),
    ("forget", "整理"),
    ("sync",),
)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def fill_project(shell: Shell) -> None:
    shell("init")
    shell("config", "set", "review.non_interactive", "true")
    shell("add", "--name", "整理", "--step", "先分类")
    shell("pack", "new", "all", "--kind", "process")
    shell("pack", "commit", "all")
    shell("pack", "export", "all", "-o", "all.xpack")
    shell("backup", "create", "-o", "saved.xbackup")
    shell("sync")


def test_what_may_only_be_read_is_read_and_not_written(
    disk: Path, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(disk)
    fill_project(shell)
    remount = ["mount", "-o", "remount", str(disk)]
    subprocess.run([*remount[:-1], "-o", "ro", str(disk)], check=True)
    before = digests_of(disk)
    elsewhere = ("pack", "export", "-o", str(tmp_path / "out.xpack"))
    for words in (*READS, elsewhere):
        shell(*words)
    for words in WRITES[:-1]:
        shell(*words, code=6)
        assert str(disk) in shell.err or "Read-only" in shell.err, (words, shell.err)
    assert digests_of(disk) == before
    subprocess.run([*remount[:-1], "-o", "rw", str(disk)], check=True)
    figure(
        "a read-only disk",
        f"{len(READS) + 1} commands read, "
        f"{len(WRITES) - 1} say that they may not write",
    )


def test_what_belongs_to_another_is_read_and_not_written(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    scratch = tmp_path_factory.mktemp("scratch")
    scratch.chmod(0o777)
    fill_project(shell)
    request.getfixturevalue("ordinary_user")
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    folders = [tmp_path, *(one for one in tmp_path.rglob("*") if one.is_dir())]
    for one in tmp_path.rglob("*"):
        if one.is_file():
            one.chmod(0o444)
    for folder in folders:
        folder.chmod(0o555)
    before = digests_of(tmp_path)
    try:
        for words in READS:
            shell(*words)
        for words in WRITES[:-1]:
            shell(*words, code=6)
            assert "hint:" in shell.err, (words, shell.err)
    finally:
        for folder in folders:
            folder.chmod(0o755)

    assert digests_of(tmp_path) == before


MISSING = (
    (".experience", 10, "there is no workspace"),
    (".experience/exp.db", 10, "has no database yet"),
)


@pytest.mark.parametrize(("path", "code", "said"), MISSING)
def test_what_is_missing_is_named_with_the_next_step(
    path: str,
    code: int,
    said: str,
    tmp_path: Path,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    fill_project(shell)
    (tmp_path / path).rename(tmp_path / "elsewhere")
    for words in (*READS[:5], *WRITES[:2]):
        shell(*words, code=code)
        assert said in shell.err
        assert "`experience-pack init` makes" in shell.err


@pytest.mark.parametrize("name", ["experiences", "packs", "history", "backups"])
def test_a_missing_folder_is_no_deletion(
    name: str, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill_project(shell)
    folder = tmp_path / ".experience" / name
    if folder.exists():
        folder.rename(tmp_path / "elsewhere")
    shell("list")
    assert "整理" in shell.out
    shell("sync", code=11 if name == "experiences" else 0)
    shell("doctor", code=11 if name == "experiences" else 0)
    shell("add", "--name", "another", "--step", "x")
    shell("backup", "create")
    assert len(shell.json("list")) == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("pack", "import", "nowhere/x.xpack"), 10),
        (("backup", "restore", "nowhere/x.xbackup"), 10),
        (("add", "nowhere/x.md"), 10),
        (("list", "--workspace", "nowhere"), 10),
        (("pack", "export", "-o", "all.xpack/x.xpack"), 5),
        (("backup", "create", "-o", "all.xpack/x.xbackup"), 5),
        (("snapshot", "-o", "all.xpack/x.html"), 5),
    ],
    ids=str,
)
def test_a_place_that_is_none_has_its_own_word(
    words: tuple[str, ...],
    code: int,
    tmp_path: Path,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    fill_project(shell)
    shell(*words, code=code)

    assert "nowhere" in shell.err or "all.xpack" in shell.err
