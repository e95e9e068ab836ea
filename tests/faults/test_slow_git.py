"""Git that hangs, fails, dies, is not there, or brings in more and more."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from experience_pack.packs import git
from tests.shell import Shell

HANGS = "sleep 60 & echo $! > {place}/started; wait"
FAILS = "echo 'fatal: 磁盘坏了 the disk is broken' >&2; exit 128"
DIES = "kill -9 $$"
GROWS = """
mkdir -p objects/pack
while :; do head -c 100000 /dev/zero >> objects/pack/tmp_pack_x; sleep 0.01; done
"""


@pytest.fixture
def shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    found = Shell(capsys)
    found("init")
    found("add", "--name", "整理", "--step", "先分类")
    found("pack", "new", "all", "--kind", "process")
    return found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose git stands before the true one."""
    made = tmp_path / "bin"
    made.mkdir()
    monkeypatch.setenv("PATH", f"{made}{os.pathsep}{os.environ['PATH']}")
    return made


def become(place: Path, script: str) -> None:
    file = place / "git"
    file.write_text("#!/bin/sh\n" + script.format(place=place), "utf-8")
    file.chmod(0o755)


def test_git_that_hangs_is_stopped_with_all_it_started(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(place, HANGS)
    monkeypatch.setattr(git, "MOST_SECONDS", 1.0)
    start = time.monotonic()
    shell("pack", "commit", "all", code=5)

    assert "git init did not end in 1 seconds" in shell.err
    assert time.monotonic() - start < 10
    child = int((place / "started").read_text())
    assert not _is_running(child)


def test_git_that_takes_its_time_is_waited_for(shell: Shell, place: Path) -> None:
    true = shutil.which("git", path=os.environ["PATH"].partition(os.pathsep)[2])
    become(place, f'sleep 0.7; exec {true} "$@"')
    shell("pack", "commit", "all")
    shell("pack", "log", "all")

    assert "整理 is new" in shell.out


def _is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("script", "said"),
    [(FAILS, "git init failed: fatal: 磁盘坏了"), (DIES, "git init failed: exit -9")],
    ids=["fails", "dies"],
)
def test_what_git_says_is_handed_on_and_the_rest_works(
    script: str, said: str, shell: Shell, place: Path
) -> None:
    become(place, script)
    shell("pack", "commit", "all", code=8)
    assert said in shell.err
    shell("add", "--name", "another", "--step", "x")
    shell("sync")
    shell("pack", "export", "all", "-o", "all.xpack")
    (place / "git").unlink()
    shell("pack", "commit", "all")
    shell("doctor")


def test_without_git_everything_else_works(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    shell("pack", "commit", "all", code=5)
    assert "git is not installed" in shell.err
    assert "Install git" in shell.err
    shell("add", "--name", "another", "--step", "x")
    shell("pack", "export", "all", "-o", "all.xpack")
    shell("pack", "import", "all.xpack")
    shell("backup", "create")


def test_what_git_brings_in_is_counted_while_it_comes(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(place, GROWS)
    monkeypatch.setattr(git, "MOST_FETCHED", 1_000_000)
    shell("pack", "add", "https://example.invalid/a.git", code=4)

    assert "brings more than 1,000,000 bytes" in shell.err
