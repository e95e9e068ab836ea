"""Packs in git repositories: fetched into a repository of ours, and read by plumbing.

Git runs in a fresh bare repository in a temporary folder; what comes from outside
are objects, checked as they arrive (`fsckObjects`), never a configuration, a hook or
a working tree (git-fetch(1), git(1) "SECURITY").
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import (
    IntegrityError,
    NotFoundError,
    RefusedError,
    StorageError,
)
from experience_pack.packs.address import SCHEMES
from experience_pack.packs.git import SETTINGS, run_git
from experience_pack.packs.layout import HINT, MANIFEST, Files, largest
from experience_pack.packs.tree import folders_with, read_tree

NETWORK: Mapping[str, str] = {
    **SETTINGS,
    **{f"protocol.{scheme}.allow": "always" for scheme in SCHEMES},
    "core.sshCommand": "ssh -oBatchMode=yes -oConnectTimeout=20",
    "http.lowSpeedLimit": "1000",  # bytes a second …
    "http.lowSpeedTime": "60",  # … for so many seconds: the server is gone
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "push.recurseSubmodules": "no",
    "push.gpgSign": "false",
    "credential.helper": "",
}
"""Settings with which git talks to others."""

_KEPT = (
    "SSH_AUTH_SOCK", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip

_HERE = "refs/experience-pack/source"
_COMMIT = re.compile("[0-9a-f]{7,40}")
_WHOLE = 40


def network_variables() -> dict[str, str]:
    """Give what of the environment says how this machine reaches others."""
    return {key: os.environ[key] for key in _KEPT if key in os.environ}


class Remote:
    """A repository elsewhere, as far as it was fetched."""

    def __init__(self, url: str, repository: Path) -> None:
        self.url = url
        self._repository = repository
        self.references = self._listed()
        """Object by reference; an annotated tag's is the commit."""

    @property
    def tags(self) -> list[str]:
        """Give the names of all tags."""
        start = "refs/tags/"
        return [one.removeprefix(start) for one in self.references if start in one]

    def commit_of(self, revision: str) -> str:
        """Fetch a tag, a branch, a commit, or `HEAD`; give the commit."""
        for name in (f"refs/tags/{revision}", f"refs/heads/{revision}", revision):
            if name in self.references:
                self._fetch("--depth=1", f"+{name}:{_HERE}")
                return self._resolved(_HERE)
        if _COMMIT.fullmatch(revision):
            return self._fetch_commit(revision)
        raise NotFoundError(
            f"{self.url} has no tag, branch or commit {revision!r}",
            hint=f"It has: {', '.join(sorted(self.tags)[-5:]) or 'no tags'}.",
        )

    def files(self, commit: str, folder: str) -> Files:
        """Give the files of the pack in a folder of a commit."""
        if folder not in self.packs(commit):
            listed = ", ".join(one or "." for one in self.packs(commit)[:10])
            raise NotFoundError(
                f"{self.url} has no pack at {folder or '.'!r}: there is no {MANIFEST}",
                hint=f"Name one with --path: {listed}" if listed else "",
            )
        return read_tree(self._repository, f"{commit}:{folder}")

    def file(self, commit: str, folder: str, name: str) -> bytes:
        """Give one file of a commit."""
        path = f"{folder}/{name}" if folder else name
        size = run_git(self._repository, "cat-file", "-s", f"{commit}:{path}")
        if int(size) > largest(name):
            raise RefusedError(f"{path!r:.200} is larger than is read", hint=HINT)
        return run_git(self._repository, "cat-file", "blob", f"{commit}:{path}")

    def packs(self, commit: str) -> list[str]:
        """Give the folders of a commit that hold a pack."""
        return folders_with(self._repository, commit, MANIFEST)

    def _fetch_commit(self, revision: str) -> str:
        if len(revision) == _WHOLE:
            try:
                self._fetch("--depth=1", f"+{revision}:{_HERE}")
                return self._resolved(_HERE)
            except StorageError:  # not every server gives what no reference names
                pass
        whole = ("--unshallow",) if (self._repository / "shallow").exists() else ()
        everything = ("+refs/heads/*:refs/source/*", "+refs/tags/*:refs/tags/*")
        self._fetch(*whole, *everything)
        return self._resolved(revision)

    def _resolved(self, name: str) -> str:
        try:
            shown = run_git(
                self._repository,
                "rev-parse",
                "--verify",
                "--quiet",
                f"{name}^{{commit}}",
            )
        except IntegrityError as error:
            raise NotFoundError(f"{self.url} has no commit {name!r}") from error
        return shown.decode("ascii").strip()

    def _listed(self) -> Mapping[str, str]:
        shown = self._talk("ls-remote", "--quiet", "--", self.url)
        found = {}
        for line in shown.decode("utf-8", "replace").splitlines():
            name, _, reference = line.partition("\t")
            found[reference.removesuffix("^{}")] = name
        return found

    def _fetch(self, *refspecs: str) -> None:
        options = [one for one in refspecs if one.startswith("--")]
        names = [one for one in refspecs if not one.startswith("--")]
        quiet = ("--quiet", "--no-tags", "--no-recurse-submodules")
        self._talk("fetch", *quiet, *options, "--", self.url, *names)

    def _talk(self, *arguments: str) -> bytes:
        try:
            return run_git(
                self._repository,
                *arguments,
                settings=NETWORK,
                variables=network_variables(),
            )
        except IntegrityError as error:
            said = str(error).partition("failed: ")[2]
            if "fsck" in said or "bad object" in said:
                text = f"{self.url} holds objects that are not sound: {said}"
                raise RefusedError(text, hint=HINT) from error
            raise StorageError(
                f"{self.url} could not be read: {said}",
                hint="Look at the address; git reads it without a password prompt.",
            ) from error


@contextmanager
def remote_at(url: str) -> Iterator[Remote]:
    """Give a repository elsewhere; what was fetched goes with the block."""
    with tempfile.TemporaryDirectory(prefix="experience-pack-") as folder:
        repository = Path(folder)
        run_git(repository, "init", "--quiet", "--bare", "--template=", ".")
        yield Remote(url, repository)


class Highest(NamedTuple):
    """The highest version among the tags of a repository."""

    tag: str
    version: str


def highest_tag(tags: list[str]) -> Highest | None:
    """Give the tag with the highest SemVer version, `v` before it or not.

    A pre-release is taken only where it is asked for by name.
    """
    from semver import Version

    found = []
    for tag in tags:
        text = tag.removeprefix("v")
        if Version.is_valid(text) and not Version.parse(text).prerelease:
            found.append((Version.parse(text), tag))
    if not found:
        return None
    version, tag = max(found)
    return Highest(tag, str(version))
