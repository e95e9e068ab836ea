from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from experience_pack.cli.run import run
from experience_pack.errors import FormatError
from experience_pack.formats import card
from experience_pack.model import Experience
from experience_pack.packs.cards import driver_commands, merge_cards

ROOT = Path(__file__).parents[2]


def rendered(**fields: object) -> str:
    content = {"id": "exp_a", "kind": "process", "name": "发布补丁", **fields}
    return card.render_experience(Experience.from_dict(content))


BASE = rendered(description="From green to announced.", notes="旧的说明。")


def test_edits_of_different_fields_merge() -> None:
    found = merge_cards(
        BASE,
        rendered(description="From red to announced.", notes="旧的说明。"),
        rendered(description="From green to announced.", notes="新的说明。"),
    )

    assert found.conflicts == ()
    assert found.text == rendered(
        description="From red to announced.", notes="新的说明。"
    )


def test_only_the_field_that_both_changed_stands_between_markers() -> None:
    found = merge_cards(
        BASE,
        rendered(description="Ours.", notes="旧的说明。", quote="q"),
        rendered(description="他们的。", notes="新的说明。"),
    )

    assert found.conflicts == ("description",)
    assert "<<<<<<< ours\nOurs.\n=======\n他们的。\n>>>>>>> theirs\n" in found.text
    assert found.text.count("<<<<<<<") == 1
    assert "新的说明。" in found.text
    assert "## Quote\n\nq" in found.text
    with pytest.raises(FormatError, match="unresolved merge"):
        card.parse(found.text)


def test_choosing_a_side_makes_a_card_again() -> None:
    found = merge_cards(
        BASE, rendered(description="Ours."), rendered(description="他们的。")
    )
    chosen = found.text.replace("<<<<<<< ours\nOurs.\n=======\n", "")

    assert card.parse(chosen.replace(">>>>>>> theirs\n", "")) == card.parse(
        rendered(description="他们的。")
    )


def test_a_card_that_both_added_merges_without_a_base() -> None:
    found = merge_cards("", rendered(notes="n"), rendered(quote="q"))

    assert found.text == rendered(notes="n", quote="q")


def test_line_ends_stay_as_ours_has_them() -> None:
    ours = BASE.replace("旧的", "我的").replace("\n", "\r\n")
    theirs = BASE.replace("green", "red")
    found = merge_cards(BASE, ours, theirs)

    assert found.text == BASE.replace("旧的", "我的").replace("green", "red").replace(
        "\n", "\r\n"
    )


@pytest.mark.parametrize(
    "broken", ["no card at all\n", BASE.replace("exp_a", "exp_other"), "\udcff\n"]
)
def test_what_is_no_state_of_the_card_is_a_conflict_as_a_whole(broken: str) -> None:
    found = merge_cards(BASE, BASE, broken)

    assert found.conflicts == ("",)
    assert "<<<<<<< ours" in found.text
    assert broken.strip().splitlines()[0] in found.text


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git whose cards are merged by the program on the path."""
    program = tmp_path / "bin" / "experience-pack"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m experience_pack "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = tmp_path / "project"
    path.mkdir()
    monkeypatch.chdir(path)
    git("init", "-q", "-b", "main")
    git("config", "user.name", "Ann")
    git("config", "user.email", "ann@example.org")
    assert run(["init", "--merge-driver"]) == 0
    assert run(["add", "--name", "发布补丁", "--step", "打标签"]) == 0
    git("add", "-A")
    git("commit", "-qm", "base")
    return path


def git(*words: str, code: int = 0) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def edit(old: str, new: str, branch: str, project: Path) -> Path:
    git("checkout", "-q", "-B", branch, "base" if branch != "main" else "main")
    (path,) = (project / ".experience" / "experiences").rglob("*.md")
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    git("commit", "-qam", branch)
    return path


def test_git_merges_two_branches_that_edit_one_card(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git("branch", "base")
    edit("打标签", "打签名标签", "ours", project)
    path = edit(
        'kind: "process"', 'kind: "process"\nfamily: "release"', "theirs", project
    )
    git("checkout", "-q", "ours")
    git("merge", "-q", "-m", "both", "theirs")
    merged = card.parse(path.read_text("utf-8"))

    assert merged.family == "release"
    assert merged.logic.path[0].action == "打签名标签"
    assert run(["sync"]) == 0
    capsys.readouterr()
    assert run(["show", "发布补丁"]) == 0
    assert "打签名标签" in capsys.readouterr().out


def test_git_shows_the_field_that_both_branches_edited(project: Path) -> None:
    git("branch", "base")
    edit("打标签", "打签名标签", "ours", project)
    path = edit("打标签", "tag it", "theirs", project)
    git("checkout", "-q", "ours")
    said = git("merge", "-q", "theirs", code=1)
    text = path.read_text("utf-8")

    assert "both sides changed logic.path[0]" in said
    assert "<<<<<<< ours\n1. 打签名标签\n=======\n1. tag it\n>>>>>>> theirs\n" in text


def test_the_driver_is_told_to_this_clone_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", "--merge-driver"]) == 0
    attributes = (project / ".experience" / ".gitattributes").read_text("utf-8")

    assert attributes.count("merge=experience-card") == 1
    assert "experience-card" in (project / ".git" / "config").read_text("utf-8")
    assert not list(Path(os.environ["HOME"]).glob(".gitconfig"))
    assert "Git merges the cards of this clone" in capsys.readouterr().err


def test_without_being_asked_no_configuration_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    before = (tmp_path / ".git" / "config").read_bytes()
    assert run(["init"]) == 0

    assert (tmp_path / ".git" / "config").read_bytes() == before
    assert "merge=" not in (tmp_path / ".experience" / ".gitattributes").read_text()


def test_where_there_is_no_clone_the_commands_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "--merge-driver"]) == 0
    said = capsys.readouterr().err

    assert all(command in said for command in driver_commands())
    assert "experience-pack merge-card %O %A %B %P" in said
