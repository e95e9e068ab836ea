"""The history of a pack: a bare git repository of our own, and nobody else's.

Git runs only in repositories that we made, with an environment of our own: no
configuration, hook, filter, pager or editor of the user's or of a pack's takes part,
and the index of the user's project is never touched (git-fast-import(1), plumbing).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import IntegrityError, NotFoundError, UsageError
from experience_pack.formats.strict_json import loads
from experience_pack.packs.git import SETTINGS, run_git
from experience_pack.packs.layout import MANIFEST, Files
from experience_pack.workspace.files import TEMPORARY, file_errors, write_file

BRANCH = "refs/heads/main"
TAGS = "refs/tags/"
_MERGING = "merging.json"
_FIELDS = "%H%x00%P%x00%ct%x00%s%x00%D"
_WHO = "Experience Pack <pack@experience-pack.invalid>"
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")

_CONFIG = b"""[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
"""
"""All the configuration that our repositories have; what else is in it is no word
of ours, and git would run some of it."""

_MORE_CONFIG = ("commondir", "config.worktree")
"""Files that would have git read another configuration; we never write them."""

_LOCKS = ("*.lock", "refs/heads/*.lock", "refs/tags/*.lock")
_LOCK_SECONDS = 1.0  # git keeps a lock for milliseconds; who holds ours is alone
_POLL_SECONDS = 0.1


class Commit(NamedTuple):
    """One recorded version."""

    id: str
    """Object name."""
    parents: tuple[str, ...]
    """What it came from; a merge has two."""
    time: int
    """Seconds since 1970-01-01 UTC."""
    subject: str
    tags: tuple[str, ...]


class Unfinished(NamedTuple):
    """A merge that is not recorded as one yet."""

    theirs: str
    """The commit, or the content digest of a pack without history."""
    receipt: int | None
    """What it wrote here, once it has."""


class History:
    """The recorded versions of one pack."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._checked = False

    @property
    def exists(self) -> bool:
        """Tell whether anything was recorded yet."""
        return (self.path / "HEAD").is_file()

    def prepare(self) -> list[str]:
        """Make the repository, or free it of locks that a killed process left.

        Gives the names of such locks. Whoever calls this has to be the only one that
        writes here.
        """
        if not self.exists:
            self._make()
            return []
        return self._clear_locks()

    def commit(
        self, files: Files, message: str, now: float, parents: Sequence[str] = ()
    ) -> str | None:
        """Record the files of a pack; give the commit, or None if nothing changed.

        `parents` are those beside the newest version: what was merged.
        """
        self.prepare()
        head = self.head()
        names = {path: blob_name(data) for path, data in files.items()}
        before = self.tree(head) if head else {}
        if names == before and head and not parents:
            return None
        changed = {
            path: data
            for path, data in files.items()
            if before.get(path) != names[path]
        }
        stream = _fast_import(
            _head_lines(message, now, [head] if head else [], parents),
            changed,
            sorted(before.keys() - names.keys()),
        )
        self.git("fast-import", "--quiet", "--done", stdin=b"".join(stream))
        return self.head()

    def forward(self, commit: str) -> None:
        """Have a commit that comes from the newest version as the newest."""
        self.git("update-ref", BRANCH, self.resolve(commit), self.head() or "")

    def merging(self) -> Unfinished | None:
        """Give what is being merged and not recorded as merged yet."""
        path = self.path / _MERGING
        if not path.is_file():
            return None
        with file_errors(path):
            found = loads(path.read_bytes(), str(path))
        return Unfinished(str(found["theirs"]), found["receipt"])

    def set_merging(self, unfinished: Unfinished | None) -> None:
        """Note what is being merged, or that it is done."""
        path = self.path / _MERGING
        with file_errors(path):
            if unfinished is None:
                path.unlink(missing_ok=True)
                return
        write_file(path, json.dumps(unfinished._asdict()).encode("ascii"))

    def version(self, revision: str) -> str:
        """Give the version number that a commit was recorded under."""
        data = self.git("cat-file", "blob", f"{self.resolve(revision)}:{MANIFEST}")
        return str(loads(data, MANIFEST)["pack"]["version"])

    def has(self, commit: str) -> bool:
        """Tell whether a commit is here."""
        return self._resolved(commit) is not None

    def head(self) -> str | None:
        """Give the newest version, or None if there is none."""
        return self._resolved(BRANCH)

    def is_ancestor(self, commit: str) -> bool:
        """Tell whether the newest version comes from a commit."""
        return any(one.id == commit for one in self.log())

    def log(
        self, limit: int = 0, revision: str = BRANCH, since: str | None = None
    ) -> list[Commit]:
        """Give the commits, the newest first; with `since` only what came after it."""
        if not self._resolved(revision):
            return []
        count = [f"--max-count={limit}"] if limit else []
        words = ("--no-show-signature", "--decorate=short", "-z", *count)
        range_ = [revision, *([f"^{since}"] if since else [])]
        shown = self.git("log", f"--format={_FIELDS}", *words, *range_, "--")
        return [_commit_of(row) for row in _rows(shown.decode("utf-8", "replace"))]

    def tree(self, revision: str, below: str = "") -> dict[str, str]:
        """Give the object name of every file of a version, or of those in a folder."""
        words = [below] if below else []
        listed = self.git("ls-tree", "-r", "-z", self.resolve(revision), "--", *words)
        entries = (row.partition(b"\t") for row in listed.split(b"\0") if row)
        return {
            path.decode("utf-8"): head.split(b" ")[2].decode("ascii")
            for head, _, path in entries
        }

    def read(self, tree: Mapping[str, str]) -> dict[str, bytes]:
        """Give the files that a tree names."""
        if not tree:
            return {}
        asked = "".join(f"{name}\n" for name in tree.values())
        blobs = self.git("cat-file", "--batch", stdin=asked.encode("ascii"))
        return dict(zip(tree, _batch(blobs, len(tree)), strict=True))

    def files(self, revision: str) -> dict[str, bytes]:
        """Give the files of a pack as a commit or tag recorded them."""
        return self.read(self.tree(revision))

    def content_digests(self, revision: str) -> dict[str, str]:
        """Give the content digest of a version and all before it, the newest first."""
        commits = [one.id for one in self.log(revision=revision)]
        asked = "".join(f"{one}:{MANIFEST}\n" for one in commits)
        found = self.git("cat-file", "--batch", stdin=asked.encode("ascii"))
        manifests = _batch(found, len(commits))
        return {
            commit: loads(data, MANIFEST)["content_digest"]
            for commit, data in zip(commits, manifests, strict=True)
        }

    def tag(self, name: str, revision: str = BRANCH) -> None:
        """Name a commit; a tag that is there already is a `UsageError`."""
        if not is_tag(name):
            raise UsageError(f"{name!r} is no name for a tag")
        reference = f"{TAGS}{name}"
        if self._resolved(reference):
            raise UsageError(f"there is a tag {name} already")
        self.git("update-ref", reference, self.resolve(revision), "")

    def tags(self) -> Mapping[str, str]:
        """Give the commit of every tag, by name."""
        if not self.exists:
            return {}
        form = "--format=%(refname:strip=2)%00%(objectname)"
        shown = self.git("for-each-ref", form, TAGS).decode("utf-8")
        return dict(line.split("\0", 1) for line in shown.splitlines())

    def resolve(self, revision: str) -> str:
        """Give the commit that a tag, a commit or the start of one means."""
        for candidate in (f"{TAGS}{revision}", revision):
            found = self._resolved(candidate)
            if found:
                return found
        raise NotFoundError(
            f"{self.path.stem} has no version {revision!r}",
            hint="`experience-pack pack log NAME` lists them.",
        )

    def git(
        self,
        *arguments: str,
        stdin: bytes = b"",
        settings: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git here; a failure is an `IntegrityError` with git's own words.

        `settings` and `variables` come on top of those that it always has.
        """
        if not self._checked:
            self._check_own()
        return run_git(
            self.path,
            *arguments,
            stdin=stdin,
            settings={**SETTINGS, **(settings or {})},
            variables=variables,
        )

    def _check_own(self) -> None:
        """Put the configuration right; git knows no way to leave it out."""
        config = self.path / "config"
        with file_errors(self.path):
            if not config.is_file() or config.read_bytes() != _CONFIG:
                write_file(config, _CONFIG)
            for name in _MORE_CONFIG:
                if os.path.lexists(self.path / name):
                    (self.path / name).unlink()
        self._checked = True

    def _resolved(self, name: str) -> str | None:
        if not self.exists or name.startswith("-") or "\n" in name:
            return None
        try:
            shown = self.git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except IntegrityError:
            return None
        return shown.decode("ascii").strip() or None

    def _make(self) -> None:
        """Make the repository elsewhere, and put it in place once it is whole."""
        made = self.path.with_name(f"{TEMPORARY}{secrets.token_hex(8)}")
        form = ("--object-format=sha1", "--initial-branch=main")
        with file_errors(self.path):
            made.mkdir(parents=True)
            try:
                run_git(made, "init", "--quiet", "--bare", "--template=", *form, ".")
                made.replace(self.path)
            finally:
                shutil.rmtree(made, ignore_errors=True)

    def _clear_locks(self) -> list[str]:
        """Remove locks that outlive any step of git; give their names."""
        until = time.monotonic() + _LOCK_SECONDS
        while (locks := self.locks()) and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        for lock in locks:
            with file_errors(lock):
                lock.unlink(missing_ok=True)
        return [lock.name for lock in locks]

    def locks(self) -> list[Path]:
        """Give the locks that git holds here, or that a killed one left."""
        return [lock for pattern in _LOCKS for lock in self.path.glob(pattern)]


def is_tag(name: str) -> bool:
    """Tell whether a name will do for a tag, here and wherever it is published."""
    return bool(
        _TAG.fullmatch(name) and ".." not in name and not name.endswith((".", ".lock"))
    )


def blob_name(data: bytes) -> str:
    """Give git's object name of a file (gitformat-loose(5))."""
    kind = b"blob %d\0" % len(data)
    return hashlib.sha1(kind + data, usedforsecurity=False).hexdigest()


def _head_lines(
    message: str, now: float, parents: Sequence[str], merged: Sequence[str]
) -> bytes:
    """Give what a commit says of itself (git-fast-import(1), "commit")."""
    text = message.encode("utf-8")
    lines = [
        f"commit {BRANCH}\ncommitter {_WHO} {int(now)} +0000\n".encode(),
        b"data %d\n%b\n" % (len(text), text),
        *(f"from {parent}\n".encode() for parent in parents),
        *(f"merge {parent}\n".encode() for parent in merged),
    ]
    return b"".join(lines)


def _fast_import(
    head: bytes, changed: Files, removed: Iterable[str]
) -> Iterable[bytes]:
    """Give the stream of one commit (git-fast-import(1), "Input Format")."""
    yield head
    for path in removed:
        yield f"D {_quoted(path)}\n".encode()
    for path in sorted(changed):
        yield f"M 100644 inline {_quoted(path)}\n".encode()
        yield b"data %d\n%b\n" % (len(changed[path]), changed[path])
    yield b"done\n"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rows(shown: str) -> Iterable[Sequence[str]]:
    """Cut `log -z` into rows of the five fields of `_FIELDS`."""
    parts = shown.split("\0")
    return (parts[at : at + 5] for at in range(0, len(parts) - 4, 5))


def _commit_of(row: Sequence[str]) -> Commit:
    name, parents, seconds, subject, decoration = row
    tags = tuple(
        part.removeprefix("tag: ")
        for part in decoration.split(", ")
        if part.startswith("tag: ")
    )
    return Commit(name, tuple(parents.split()), int(seconds), subject, tags)


def _batch(data: bytes, count: int) -> Iterable[bytes]:
    """Cut the output of `cat-file --batch` into the blobs."""
    at = 0
    for _ in range(count):
        end = data.index(b"\n", at)
        size = int(data[at:end].rsplit(b" ", 1)[1])
        yield data[end + 1 : end + 1 + size]
        at = end + size + 2
