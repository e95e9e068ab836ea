from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.cli.run import run
from experience_pack.workspace import models

FIXTURES = Path(__file__).parents[1] / "fixtures"
EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "python-release"


class Call(NamedTuple):
    line: int
    arguments: list[str]
    code: int
    expected: list[str]


def calls_of(path: Path) -> list[Call]:
    """Read a transcript: `$ command [code]` and what has to be printed."""
    found: list[Call] = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        call = re.fullmatch(r"\$ (.+?)(?: \[(\d+)\])?", line)
        if call:
            words = shlex.split(call[1])
            found.append(Call(number, words, int(call[2] or 0), []))
        elif found and line.strip() and not line.startswith("#"):
            found[-1].expected.append(line.strip())
    return found


def edit(old: str, new: str) -> None:
    (card,) = Path(".experience/experiences").rglob("*.md")
    card.write_text(card.read_text("utf-8").replace(old, new), "utf-8")


def remove() -> None:
    (card,) = Path(".experience/experiences").rglob("*.md")
    card.unlink()


def change(path: str, old: str, new: str) -> None:
    text = Path(path).read_text("utf-8")
    assert old in text, f"{old!r} is not in {path}"
    Path(path).write_text(text.replace(old, new), "utf-8")


def damage_model() -> None:
    folder = models.default_folder() / models.IDENTITY
    (folder / models.ENCODER).write_bytes(b"damaged")


def make_key(name: str, principal: str) -> None:
    words = ["-q", "-t", "ed25519", "-N", "", "-C", principal, "-f", name]
    subprocess.run(["ssh-keygen", *words], check=True)


def allow(principal: str, key: str, file: str) -> None:
    with Path(file).open("a", encoding="utf-8") as signers:
        signers.write(f"{principal} {Path(f'{key}.pub').read_text('utf-8')}")


def write(file: str, *words: str) -> None:
    Path(file).write_text(" ".join(words), "utf-8")


def move(name: str) -> None:
    """Go on in another project beside this one."""
    place = Path.cwd().parent / name
    place.mkdir(exist_ok=True)
    os.chdir(place)


def edit_card(name: str, old: str, new: str) -> None:
    for card in Path(".experience/experiences").rglob("*.md"):
        if f"# {name}\n" in (text := card.read_text("utf-8")):
            card.write_text(text.replace(old, new), "utf-8")


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True)


def release(folder: str, tag: str) -> None:
    """Commit all of a folder to its git repository, and tag it."""
    git = ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=n@example.org"]
    if not Path(folder, ".git").exists():
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", tag], check=True)
    subprocess.run([*git, "tag", tag], check=True)


def model(answer: str) -> None:
    """Have a program for a model that always gives a file."""
    do(["config", "set", "model.command", f"cat '{Path(answer).absolute()}'"])


def drop(path: str) -> None:
    if Path(path).is_dir():
        shutil.rmtree(path)
    else:
        Path(path).unlink()


VERBS: Mapping[str, Callable[..., object]] = {
    "EDIT": edit,
    "REMOVE": remove,
    "CHANGE": change,
    "KEY": make_key,
    "ALLOW": allow,
    "WRITE": write,
    "MOVE": move,
    "CARD": edit_card,
    "DAMAGE_MODEL": damage_model,
    "GIT": git,
    "RELEASE": release,
    "DROP": drop,
    "MODEL": model,
}
"""What a transcript can do besides running the program."""


def do(arguments: list[str]) -> int:
    """Run a command, or one of `VERBS`."""
    if arguments[0] not in VERBS:
        return run(arguments)
    VERBS[arguments[0]](*arguments[1:])
    return 0


def stands_in(expected: str, printed: str) -> bool:
    parts = (re.escape(part.strip()) for part in expected.split("…"))
    return re.search(r"[^\n]*?".join(parts), printed) is not None


@pytest.mark.parametrize("transcript", sorted((FIXTURES / "cli").glob("*.txt")))
def test_a_transcript_is_what_the_program_says(
    transcript: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    places = {"EXAMPLE": str(EXAMPLE), "SKILLS": str(FIXTURES / "skills" / "made")}
    sessions = str(FIXTURES / "sessions")
    monkeypatch.setenv("HOME", str(tmp_path))
    for call in calls_of(transcript):
        words = [places.get(word, word) for word in call.arguments]
        code = do([word.replace("$SESSIONS", sessions) for word in words])
        out, err = capsys.readouterr()
        printed = out + err
        where = f"{transcript.name}:{call.line}\n{printed}"

        assert code == call.code, where
        for expected in call.expected:
            assert stands_in(expected, printed), f"{expected!r} is not in {where}"


def test_an_experience_is_edited_in_the_persons_own_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "sed -i s/先分类/先备份/")
    run(["init"])
    run(["add", "--name", "整理", "--step", "先分类"])
    capsys.readouterr()

    assert run(["edit", "整理"]) == 0
    assert "saved 整理" in capsys.readouterr().out
    assert run(["show", "整理"]) == 0
    assert "先备份" in capsys.readouterr().out
    assert run(["edit", "整理"]) == 0
    assert "nothing was changed" in capsys.readouterr().out


def test_a_card_that_the_editor_broke_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "sed -i s/kind:/kind/")
    run(["init"])
    run(["add", "--name", "整理", "--step", "先分类"])
    capsys.readouterr()

    assert run(["edit", "整理"]) == 4
    assert "line 4" in capsys.readouterr().err
