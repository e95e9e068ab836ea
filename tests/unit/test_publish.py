from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from experience_pack.errors import (
    ExperiencePackError,
    NotFoundError,
    RefusedError,
    StorageError,
    UsageError,
)
from experience_pack.model import Experience, Membership, PackInfo
from experience_pack.packs import membership, merging, publish, releases
from experience_pack.packs.history import History
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder, create

NAME = "releases"


def save(folder: Folder, **fields: str) -> None:
    made = Experience.from_dict(
        {"id": "exp_a", "kind": "process", "name": "发布", **fields}
    )
    with folder.store.transaction() as tx:
        experiences.save(tx, made)


@pytest.fixture
def recorded(folder: Folder) -> Folder:
    info = PackInfo(name=NAME, version="1.0.0")
    save(folder)
    membership.create(folder, Membership(pack=info, experiences=("exp_a",)))
    releases.record(folder, NAME, "first 版本")
    releases.tag(folder, NAME, None, None)
    return folder


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    path = tmp_path / "服务器 server" / "releases.git"
    path.parent.mkdir()
    git("init", "-q", "--bare", "-b", "main", str(path))
    return path


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return done.stdout


def push(folder: Folder, remote: object, *, tags: bool = False) -> publish.Pushed:
    history = releases.history_of(folder, NAME)
    return publish.push(folder, history, str(remote), tags=tags)


def test_a_remote_gets_the_branch_and_the_tags(recorded: Folder, remote: Path) -> None:
    done = push(recorded, remote, tags=True)

    assert (done.versions, done.tags) == (1, ("1.0.0",))
    assert git("-C", str(remote), "for-each-ref", "--format=%(refname)").split() == [
        "refs/heads/main",
        "refs/tags/1.0.0",
    ]
    assert "pack.json" in git("-C", str(remote), "ls-tree", "--name-only", "1.0.0")


def test_only_what_is_new_is_pushed(recorded: Folder, remote: Path) -> None:
    push(recorded, remote)
    save(recorded, notes="周五不发布。")
    releases.record(recorded, NAME, "")

    assert push(recorded, remote, tags=True)[1:] == (1, ("1.0.0",))
    assert push(recorded, remote, tags=True)[1:] == (0, ())


def test_a_file_address_is_a_remote_too(recorded: Folder, remote: Path) -> None:
    assert push(recorded, remote.as_uri()).versions == 1


@pytest.fixture
def ben(recorded: Folder, remote: Path, tmp_path: Path) -> Folder:
    """Another workspace that began with the same, and published more."""
    push(recorded, remote)
    (tmp_path / "ben").mkdir()
    made = create(tmp_path / "ben")
    save(made)
    info = PackInfo(name=NAME, version="1.0.0")
    membership.create(made, Membership(pack=info, experiences=("exp_a",)))
    releases.record(made, NAME, "ben begins")
    merging.carry_out(made, NAME, merging.plan_remote(made, NAME, str(remote)))
    save(made, description="Ben's words.")
    releases.record(made, NAME, "ben")
    return made


def test_versions_that_are_not_here_are_merged_before_a_push(
    recorded: Folder, ben: Folder, remote: Path
) -> None:
    push(ben, remote)
    save(recorded, notes="周五不发布。")
    releases.record(recorded, NAME, "ann")
    with pytest.raises(UsageError, match="not here") as refused:
        push(recorded, remote)
    merging.carry_out(recorded, NAME, merging.plan_remote(recorded, NAME, str(remote)))
    push(recorded, remote)
    here = experiences.get(recorded.store, "exp_a")

    assert f"pack merge {NAME} {remote}" in refused.value.hint
    assert (here.description, here.notes) == ("Ben's words.", "周五不发布。")
    ben.close()


def test_a_tag_is_never_moved(recorded: Folder, remote: Path) -> None:
    push(recorded, remote, tags=True)
    history = releases.history_of(recorded, NAME)
    save(recorded, notes="n")
    releases.record(recorded, NAME, "")
    history.git("update-ref", "refs/tags/1.0.0", history.head() or "")

    with pytest.raises(UsageError, match=r"the tag 1\.0\.0 is another version"):
        push(recorded, remote, tags=True)


def test_a_pack_that_was_never_recorded_is_not_published(
    folder: Folder, remote: Path
) -> None:
    info = PackInfo(name=NAME, version="1.0.0")
    membership.create(folder, Membership(pack=info, experiences=()))

    with pytest.raises(UsageError, match="no recorded version"):
        push(folder, remote)


HOSTILE: dict[str, type[ExperiencePackError]] = {
    "": RefusedError,
    "--upload-pack=touch trapped": RefusedError,
    "-c": RefusedError,
    "--receive-pack=touch trapped": RefusedError,
    "ext::sh -c touch% trapped": RefusedError,
    "fd::17": RefusedError,
    "http://example.invalid/x.git": RefusedError,
    "git://example.invalid/x.git": RefusedError,
    "ftp://example.invalid/x.git": RefusedError,
    "ssh://-oProxyCommand=touch trapped/x": RefusedError,
    "-oProxyCommand=touch@host:x": RefusedError,
    "https://ann:secret@example.invalid/x.git": RefusedError,
    "file://elsewhere/x.git": RefusedError,
    "a\nb": RefusedError,
    "nowhere": NotFoundError,
    ".": UsageError,
    "https://example.invalid/x.git": StorageError,
}


@pytest.mark.parametrize("address", HOSTILE)
def test_a_hostile_or_useless_address_is_refused_by_name(
    recorded: Folder, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HOSTILE[address]) as refused:
        push(recorded, address)

    assert repr(address)[1:-1] in str(refused.value)
    assert not list(tmp_path.rglob("trapped"))


@pytest.mark.parametrize("tag", ["--force", "-d", "x.lock", "a..b", "@{1}"])
def test_a_tag_that_somebody_smuggled_in_is_refused_by_name(
    recorded: Folder, remote: Path, tag: str
) -> None:
    history: History = releases.history_of(recorded, NAME)
    commit = history.head() or ""
    (history.path / "refs" / "tags" / tag).write_text(f"{commit}\n")
    if tag not in history.tags():
        return  # git itself does not see it

    with pytest.raises(UsageError, match="no name for a tag"):
        push(recorded, remote, tags=True)


def test_a_remote_that_is_no_pack_does_not_merge(
    recorded: Folder, remote: Path, tmp_path: Path
) -> None:
    with pytest.raises(NotFoundError, match="no branch main"):
        merging.plan_remote(recorded, NAME, str(remote))
    other = History(tmp_path / "other.git")
    other.commit({"a.txt": b"x"}, "no pack", 0)
    with pytest.raises(RefusedError, match=r"no pack\.json"):
        merging.plan_remote(recorded, NAME, str(other.path))
