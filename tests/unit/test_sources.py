"""Where packs come from: what is refused, and that nothing of a source runs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import (
    ExperiencePackError,
    NotFoundError,
    RefusedError,
    StorageError,
)
from experience_pack.packs import layout, tree
from experience_pack.packs.address import (
    address_in_lock,
    address_of,
    check_folder,
    check_revision,
)
from experience_pack.packs.ranges import holds
from experience_pack.packs.remote import Remote, highest_tag, remote_at
from experience_pack.packs.shelf import opened, place_of
from tests.packs_at import git, release, write

FIXTURES = Path(__file__).parents[1] / "fixtures" / "sources"
HOSTILE = json.loads((FIXTURES / "hostile.json").read_text("utf-8"))
RANGES = [
    line.split("\t")
    for line in (FIXTURES / "ranges.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """A repository with two packs in two versions."""
    for version in ("1.0.0", "1.1.0"):
        write(tmp_path / "packs" / "releases", version)
        write(tmp_path / "packs" / "more" / "notes", version)
        release(tmp_path / "packs", f"v{version}")
    return tmp_path / "packs"


def read(source: str, project: Path, revision: str, path: str) -> None:
    """Read a pack as `pack add` does."""
    rev = revision and check_revision(revision)
    place = place_of(source, project, rev, check_folder(path))
    with opened(place.address, rev) as shelf:
        shelf.files(place)


@pytest.mark.parametrize(
    "row", HOSTILE, ids=lambda row: f"{row['what']}:{row['given']}"
)
def test_what_could_mean_anything_else_is_refused_by_name(
    row: dict[str, Any], packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"source": str(packs), "revision": "v1.0.0", "path": "releases"}
    given[row["what"]] = row["given"]
    if row["what"] == "source":
        given["revision"] = ""

    with pytest.raises(ExperiencePackError, match=row["says"]) as refused:
        read(given["source"], tmp_path, given["revision"], given["path"])

    assert refused.value.exit_code == row["code"]
    assert not (tmp_path / "trapped").exists()


SOURCES = [row["given"] for row in HOSTILE if row["what"] == "source"]


@pytest.mark.parametrize(
    "given", [one for one in SOURCES if one not in ("nowhere", "没有")]
)
def test_a_lock_is_read_with_the_same_care(given: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError):
        address_in_lock(given, tmp_path, git=True)


@pytest.mark.parametrize(
    "source",
    [
        "https://host.example/team/packs.git",
        "ssh://git@host.example:22/team/packs.git",
        "git@host.example:team/packs.git",
        "host.example:团队/包.git",
    ],
)
def test_a_repository_elsewhere_is_known_by_its_address(
    source: str, tmp_path: Path
) -> None:
    found = address_of(source, tmp_path, at_revision=False)

    assert (found.text, found.local, found.git) == (source, None, True)
    assert address_in_lock(found.text, tmp_path, git=True) == found


def test_a_local_source_is_kept_relative_to_the_project(
    packs: Path, tmp_path: Path
) -> None:
    project = tmp_path / "项目"
    found = [
        address_of(source, project, at_revision=True)
        for source in (str(packs), packs.as_uri(), f"file://{packs}")
    ]

    assert {one.text for one in found} == {"../packs"}
    assert {one.local for one in found} == {packs}
    assert address_in_lock("../packs", project, git=True) == found[0]


@pytest.mark.parametrize("row", RANGES, ids=lambda row: f"{row[0]} in {row[1]}")
def test_a_range_is_what_npm_says(row: list[str]) -> None:
    version, wanted, expected = row
    if expected == "-":
        with pytest.raises(RefusedError, match="no range of versions"):
            holds(version, wanted)
    else:
        assert holds(version, wanted) == (expected == "yes")


@pytest.mark.parametrize(
    ("tags", "highest"),
    [
        (["1.9.0", "v1.10.0", "1.2.0"], "v1.10.0"),
        (["1.0.0", "2.0.0-rc.1"], "1.0.0"),
        (["latest", "发布", "1.0"], None),
        ([], None),
    ],
)
def test_the_highest_version_is_found_among_tags(
    tags: list[str], highest: str | None
) -> None:
    found = highest_tag(tags)

    assert (found.tag if found else None) == highest


def version_of(remote: Remote, revision: str) -> str:
    commit = remote.commit_of(revision)
    manifest = json.loads(remote.files(commit, "releases")["pack.json"])
    return str(manifest["pack"]["version"])


def test_tags_branches_and_commits_are_read(packs: Path) -> None:
    git(packs, "tag", "-a", "annotated", "-m", "x", "v1.0.0")
    first = git(packs, "rev-parse", "v1.0.0").strip()
    with remote_at(packs.as_uri()) as remote:
        revisions = ("v1.0.0", "annotated", first, first[:10], "main", "HEAD")
        found = [version_of(remote, revision) for revision in revisions]

    assert found == ["1.0.0"] * 4 + ["1.1.0"] * 2


def test_a_commit_that_no_branch_leads_to_is_read(packs: Path) -> None:
    first = git(packs, "rev-parse", "v1.0.0").strip()
    git(packs, "tag", "-d", "v1.0.0")
    git(packs, "checkout", "-q", "--orphan", "other")
    release(packs)
    git(packs, "branch", "-D", "main")
    git(packs, "config", "uploadpack.allowAnySHA1InWant", "true")
    with remote_at(packs.as_uri()) as remote:
        assert version_of(remote, first) == "1.0.0"


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_links_and_submodules_are_refused_by_name(packs: Path, mode: str) -> None:
    target = git(
        packs, "rev-parse", "HEAD" if mode == "160000" else "HEAD:releases/pack.json"
    )
    git(
        packs,
        "update-index",
        "--add",
        "--cacheinfo",
        f"{mode},{target.strip()},releases/链接",
    )
    git(packs, "-c", "user.name=n", "commit", "-q", "-m", "x")

    with remote_at(packs.as_uri()) as remote:
        commit = remote.commit_of("main")
        with pytest.raises(RefusedError, match="'链接'"):
            remote.files(commit, "releases")


def test_limits_are_counted_before_anything_is_read(
    packs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with remote_at(packs.as_uri()) as remote:
        commit = remote.commit_of("main")
        monkeypatch.setattr(tree, "MOST_FILES", 2)
        with pytest.raises(RefusedError, match="more than 2 files"):
            remote.files(commit, "releases")
        monkeypatch.setattr(tree, "MOST_FILES", 100)
        monkeypatch.setattr(tree, "MOST_BYTES", 10)
        with pytest.raises(RefusedError, match="larger than is read"):
            remote.files(commit, "releases")


def test_a_large_file_is_refused_by_name(packs: Path) -> None:
    (packs / "releases" / "大.bin").write_bytes(b"\0" * (layout.LARGEST_FILE + 1))
    release(packs)
    with remote_at(packs.as_uri()) as remote:
        commit = remote.commit_of("main")
        with pytest.raises(RefusedError, match=r"大\.bin"):
            remote.files(commit, "releases")


def test_nothing_of_a_source_or_of_the_users_git_runs(
    packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap, script = tmp_path / "trapped", tmp_path / "trap"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    keys = (
        "core.fsmonitor", "core.hooksPath", "core.pager", "diff.external",
        "gpg.program", "core.sshCommand", "credential.helper",
        "uploadpack.packObjectsHook",
        "filter.x.smudge", "core.alternateRefsCommand",
    )  # fmt: skip
    config = tmp_path / "gitconfig"
    for key in keys:
        for where in (["-f", str(config)], ["--local"]):
            git(packs, "config", *where, key, str(script))
    (packs / ".gitattributes").write_text("* filter=x diff=x\n")
    hooks = packs / ".git" / "hooks"
    for name in (
        "post-checkout",
        "pre-upload",
        "reference-transaction",
        "post-index-change",
    ):
        (hooks / name).write_bytes(script.read_bytes())
        (hooks / name).chmod(0o755)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    with remote_at(packs.as_uri()) as remote:
        found = version_of(remote, "v1.1.0")

    assert found == "1.1.0"
    assert not trap.exists()


def test_a_repository_that_is_damaged_is_refused(packs: Path) -> None:
    broken = (
        subprocess.run(
            [
                "git",
                "-C",
                str(packs),
                "hash-object",
                "-t",
                "tree",
                "-w",
                "--stdin",
                "--literally",
            ],
            input=b"100644 a/b\0" + b"\1" * 20,
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    commit = git(packs, "commit-tree", "-m", "x", broken).strip()
    git(packs, "update-ref", "refs/heads/bad", commit)

    with (
        remote_at(packs.as_uri()) as remote,
        pytest.raises((RefusedError, StorageError)),
    ):
        remote.commit_of("bad")


def test_a_server_that_is_not_there_is_said() -> None:
    address = "https://127.0.0.1:9/packs.git"

    with pytest.raises(StorageError, match="could not be read"), remote_at(address):
        pass


def test_a_folder_without_a_pack_names_those_that_there_are(packs: Path) -> None:
    with remote_at(packs.as_uri()) as remote:
        commit = remote.commit_of("HEAD")
        with pytest.raises(NotFoundError) as missing:
            remote.files(commit, "more")

    assert "more/notes, releases" in missing.value.hint
