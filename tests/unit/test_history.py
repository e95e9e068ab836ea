from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from experience_pack.errors import NotFoundError, StorageError, UsageError
from experience_pack.packs.history import History

FIRST = {"cards/整理 one.md": b"first\n", 'odd "name"\\x.md': b"\x00\xff", "gone": b""}
SECOND = {"cards/整理 one.md": b"second\n", 'odd "name"\\x.md': b"\x00\xff"}


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history" / "pack.git")


@pytest.fixture
def two(history: History) -> History:
    """A history of two versions."""
    history.commit(FIRST, "first 版本\n\nwith a body", 1_800_000_000)
    history.commit(SECOND, "second", 1_800_000_060)
    return history


def test_what_was_recorded_comes_back_to_the_byte(two: History) -> None:
    newest, oldest = two.log()

    assert two.files(oldest.id) == FIRST
    assert two.files(newest.id) == SECOND
    assert (oldest.subject, oldest.time) == ("first 版本", 1_800_000_000)


def test_recording_the_same_files_again_makes_no_commit(two: History) -> None:
    assert two.commit(SECOND, "again", 1_800_000_120) is None
    assert len(two.log()) == 2


def test_the_same_history_has_the_same_commits_everywhere(
    two: History, tmp_path: Path
) -> None:
    other = History(tmp_path / "other.git")
    other.commit(FIRST, "first 版本\n\nwith a body", 1_800_000_000)
    other.commit(SECOND, "second", 1_800_000_060)

    assert [one.id for one in other.log()] == [one.id for one in two.log()]


def test_a_tag_names_a_version_once(two: History) -> None:
    oldest = two.log()[1].id
    two.tag("1.0.0", oldest)

    assert two.files("1.0.0") == FIRST
    assert two.tags() == {"1.0.0": oldest}
    assert two.log()[1].tags == ("1.0.0",)
    with pytest.raises(UsageError, match="already"):
        two.tag("1.0.0")


HOSTILE = (
    "--upload-pack=touch x", "-c", "a\nb", "", "..", "a..b", "ext::sh -c x", "@{-1}",
    "x.lock", "../../etc", "HEAD:cards", "a b",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused(two: History, name: str) -> None:
    with pytest.raises(UsageError):
        two.tag(name)
    with pytest.raises(NotFoundError):
        two.files(name)


def test_nothing_of_the_users_git_takes_part(
    two: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trapped"
    script = tmp_path / "trap"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    config = tmp_path / "gitconfig"
    keys = ("core.fsmonitor", "core.pager", "core.editor", "diff.external",
            "gpg.program", "core.sshCommand", "credential.helper")  # fmt: skip
    for key in keys:
        subprocess.run(["git", "config", "-f", config, key, script], check=True)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    for name in ("pre-commit", "post-commit", "reference-transaction"):
        hook = two.path / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_bytes(script.read_bytes())
        hook.chmod(0o755)
    two.commit(FIRST, "third", 1_800_000_180)
    two.tag("3.0.0")

    assert two.files("3.0.0") == FIRST
    assert not trap.exists()
    assert not (tmp_path / "index").exists()


def test_a_history_that_is_not_there_is_empty(history: History) -> None:
    assert history.log() == []
    assert history.tags() == {}
    with pytest.raises(NotFoundError, match="no version"):
        history.files("1.0.0")


def test_without_git_the_error_says_what_still_works(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(StorageError, match="git is not installed"):
        history.commit(FIRST, "first", 1_800_000_000)
