"""What a user's, a project's or a stranger's git would run, we do not."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.cli.run import run
from experience_pack.packs import history as history_module
from experience_pack.packs.history import History

TRAPS: Mapping[str, Sequence[str]] = {
    "core.fsmonitor": ("status",),
    "core.hooksPath": ("commit", "-qam", "x"),
    "filter.trap.clean": ("add", "card.md"),
    "filter.trap.smudge": ("checkout", "HEAD", "--", "card.md"),
    "filter.trap.process": ("add", "card.md"),
    "gpg.program": ("commit", "-qam", "x"),
    "diff.external": ("diff",),
    "diff.trap.textconv": ("diff",),
    "core.pager": ("-p", "log"),
    "include.path": ("status",),
    "alias.commit-pack": ("commit-pack",),
    "core.sshCommand": ("ls-remote", "ssh://nowhere.invalid/x"),
    "credential.helper": ("credential", "fill"),
    "hooks": ("commit", "-qam", "x"),
}
"""What git can be made to run, and the plain command that runs it."""

HOOKS = (
    "pre-commit", "post-commit", "pre-push", "post-update", "reference-transaction",
    "post-checkout", "post-merge", "pre-auto-gc",
)  # fmt: skip


class Trap(NamedTuple):
    """Programs that leave a mark when they run."""

    root: Path

    @property
    def sprung(self) -> list[str]:
        return sorted(path.name for path in (self.root / "marks").iterdir())

    def program(self, name: str) -> Path:
        path = self.root / f"run-{name}"
        passes_on = "exec cat\n" if name.startswith(("filter.", "core.pager")) else ""
        mark = self.root / "marks" / name
        path.write_text(f"#!/bin/sh\ntouch '{mark}'\n{passes_on}")
        path.chmod(0o755)
        return path

    def hooks(self, name: str, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for hook in HOOKS:
            shutil.copy(self.program(name), folder / hook)
        return folder

    def settings(self, names: Sequence[str]) -> dict[str, str]:
        """Give the configuration of traps."""
        found: dict[str, str] = {}
        for name in names:
            found |= self._setting(name)
        return found

    def _setting(self, name: str) -> dict[str, str]:
        program = str(self.program(name))
        if name == "hooks":
            return {}
        if name == "core.hooksPath":
            return {name: str(self.hooks(name, self.root / "hooks-path"))}
        if name == "include.path":
            included = self.root / "included"
            included.write_text(f"[core]\n\tfsmonitor = {program}\n")
            return {name: str(included)}
        if name == "gpg.program":
            asking = ("commit.gpgSign", "log.showSignature", "tag.gpgSign")
            return {name: program, **dict.fromkeys(asking, "true")}
        shell = {"alias.commit-pack": f"!{program}", "credential.helper": f"!{program}"}
        return {name: shell.get(name, program)}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    (tmp_path / "traps" / "marks").mkdir(parents=True)
    return Trap(tmp_path / "traps")


def config(file: Path, settings: Mapping[str, str]) -> None:
    for key, value in settings.items():
        subprocess.run(["git", "config", "-f", file, key, value], check=True)


def git(folder: Path, *words: str) -> None:
    """Run git as a user at a terminal would; it may fail."""
    screen, terminal = pty.openpty()
    subprocess.run(
        ["git", *words],
        cwd=folder,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        input=b"protocol=https\nhost=nowhere.invalid\n\n",
        timeout=20,
        check=False,
    )
    os.close(terminal)
    os.close(screen)


def repository(folder: Path) -> None:
    """Make a project's repository with a card in it, changed since."""
    git(folder, "init", "-q", "-b", "main")
    config(folder / ".git" / "config", {"user.name": "Ann", "user.email": "a@b.c"})
    (folder / "card.md").write_text("one\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    (folder / "card.md").write_text("two\n")


@pytest.mark.parametrize("name", TRAPS)
def test_plain_git_steps_into_every_trap(name: str, trap: Trap, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    repository(project)
    (project / ".gitattributes").write_text("* filter=trap diff=trap\n")
    config(project / ".git" / "config", trap.settings([name]))
    if name == "hooks":
        trap.hooks(name, project / ".git" / "hooks")
    git(project, *TRAPS[name])

    assert trap.sprung == [name]


def _global(trap: Trap, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = project.parent / "gitconfig"
    config(file, trap.settings([*TRAPS]))
    shutil.copy(file, Path(os.environ["HOME"], ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(file))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project.parent))


def _environment(trap: Trap, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = trap.settings([*TRAPS])
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for at, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{at}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{at}", value)
    pairs = " ".join(f"'{key}'='{value}'" for key, value in settings.items())
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", pairs)
    program = str(trap.program("environment"))
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND",
                 "GIT_ASKPASS", "SSH_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
                 "GIT_PROXY_COMMAND", "PAGER", "EDITOR"):  # fmt: skip
        monkeypatch.setenv(name, program)
    templates = project.parent / "templates"
    trap.hooks("templates", templates / "hooks")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(templates))
    programs = project.parent / "programs"
    programs.mkdir()
    for name in ("git-fast-import", "git-log", "git-index-pack", "git-remote-https"):
        shutil.copy(trap.program("exec-path"), programs / name)
    monkeypatch.setenv("GIT_EXEC_PATH", str(programs))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
                 "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE"):  # fmt: skip
        monkeypatch.setenv(name, str(project / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(project.parent / "index"))


def _project(trap: Trap, project: Path, _: pytest.MonkeyPatch) -> None:
    config(project / ".git" / "config", trap.settings([*TRAPS]))
    trap.hooks("hooks", project / ".git" / "hooks")
    (project / ".gitattributes").write_text("* filter=trap diff=trap\n")


def _history(trap: Trap, project: Path, _: pytest.MonkeyPatch) -> None:
    ours = project / ".experience" / "history" / "releases.git"
    config(ours / "config", trap.settings([*TRAPS]))
    trap.hooks("hooks", ours / "hooks")
    (ours / "info").mkdir(exist_ok=True)
    (ours / "info" / "attributes").write_text("* filter=trap diff=trap\n")
    other = project.parent / "elsewhere"
    git(project, "init", "-q", "--bare", str(other))
    shutil.copy(ours / "config", other / "config")
    (ours / "commondir").write_text(f"{other}\n")


PLACES: Mapping[str, Callable[[Trap, Path, pytest.MonkeyPatch], None]] = {
    "in the user's configuration": _global,
    "in the environment": _environment,
    "in the project's repository": _project,
    "in our own repository": _history,
}

STEPS: Mapping[str, Sequence[str]] = {
    "init": ("init",),
    "import": ("pack", "import", "other.xpack"),
    "sync": ("sync",),
    "commit": ("pack", "commit", "releases"),
    "log": ("pack", "log", "releases"),
    "diff": ("pack", "diff", "releases", "1.0.0"),
    "tag": ("pack", "tag", "releases", "again"),
    "restore": ("pack", "restore", "releases", "1.0.0"),
    "merge": ("pack", "merge", "releases", "other.xpack"),
    "merge a remote": ("pack", "merge", "releases", "remote.git"),
    "push": ("pack", "push", "releases", "remote.git", "--tags"),
    "export": ("pack", "export", "releases", "-o", "new.xpack", "--history"),
    "verify": ("pack", "verify", "other.xpack"),
}


def _sh(*words: str) -> None:
    assert run([*words]) == 0, words


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a repository, a pack of two versions, a pack and a remote."""
    project = tmp_path_factory.mktemp("prepared") / "project"
    project.mkdir()
    before = Path.cwd()
    os.chdir(project)
    try:
        repository(project)
        _sh("init")
        _sh("add", "--name", "发布", "--step", "打标签", "--tag", "release")
        _sh("pack", "new", "releases", "--tag", "release", "--pack-version", "1.0.0")
        _sh("pack", "commit", "releases")
        _sh("pack", "tag", "releases")
        _sh("add", "--name", "Yank", "--step", "yank", "--tag", "release")
        _sh("pack", "commit", "releases")
        _sh("pack", "export", "releases", "-o", "other.xpack", "--history")
        History(project / "remote.git").prepare()
        _sh("pack", "push", "releases", "remote.git")
    finally:
        os.chdir(before)
    yield project
    shutil.rmtree(project)


@pytest.fixture
def project(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copied = tmp_path / "project"
    shutil.copytree(prepared, copied, symlinks=True)
    monkeypatch.chdir(copied)
    return copied


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("place", PLACES)
def test_none_of_our_commands_steps_into_any(
    place: str, step: str, trap: Trap, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PLACES[place](trap, project, monkeypatch)
    for mark in (trap.root / "marks").iterdir():  # setting them up may spring some
        mark.unlink()

    assert run([*STEPS[step]]) == 0
    assert trap.sprung == []
    assert not (project.parent / "index").exists()


LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock")


@pytest.mark.parametrize("step", STEPS)
def test_a_lock_that_a_killed_git_left_wedges_nothing(
    step: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(history_module, "_LOCK_SECONDS", 0.2)
    ours = project / ".experience" / "history" / "releases.git"
    for lock in LOCKS:
        (ours / lock).touch()
    (project / ".git" / "index.lock").touch()

    assert run([*STEPS[step]]) == 0
    assert "Traceback" not in capsys.readouterr().err
    assert (project / ".git" / "index.lock").exists()


def test_a_lock_that_had_to_be_cleared_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = project / ".experience" / "history" / "releases.git"
    (ours / "refs" / "heads" / "main.lock").touch()
    _sh("add", "--name", "回滚", "--step", "撤回", "--tag", "release")
    _sh("pack", "commit", "releases")

    assert "cleared main.lock" in capsys.readouterr().err
    assert not (ours / "refs" / "heads" / "main.lock").exists()


WITHOUT_GIT: Mapping[str, int] = {
    "commit": 5, "log": 5, "diff": 5, "tag": 5, "restore": 5, "merge": 5, "push": 5,
    "export": 5, "import": 0, "sync": 0, "init": 0, "verify": 0,
}  # fmt: skip
"""What comes of each step where git is missing."""


@pytest.mark.parametrize("step", WITHOUT_GIT)
def test_without_git_only_the_history_is_missing(
    step: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    code = WITHOUT_GIT[step]

    assert run([*STEPS[step]]) == code
    told = code == 5 or step == "import"
    assert ("git is not installed" in capsys.readouterr().err) == told
    assert project.exists()


def test_where_git_fails_a_save_goes_on_and_a_commit_says_why(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = tmp_path / "broken" / "git"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'fatal: no luck today' >&2\nexit 128\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(broken.parent))
    _sh("add", "--name", "回滚", "--step", "撤回", "--tag", "release")
    code = run(["pack", "commit", "releases"])
    said = capsys.readouterr().err

    assert code == 8
    assert "no luck today" in said
    assert list((project / ".experience" / "experiences").rglob("*回滚*"))
