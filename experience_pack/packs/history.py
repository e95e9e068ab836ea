"""The history of a pack: a bare git repository of our own, and nobody else's.

Git runs only in repositories that we made, with an environment of our own: no
configuration, hook, filter, pager or editor of the user's or of a pack's takes part,
and the index of the user's project is never touched (git-fast-import(1), plumbing).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import IntegrityError, NotFoundError, UsageError
from experience_pack.packs.git import run_git
from experience_pack.packs.layout import Files

BRANCH = "refs/heads/main"
_FIELDS = "%H%x00%ct%x00%s%x00%D"
_WHO = "Experience Pack <pack@experience-pack.invalid>"
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


class Commit(NamedTuple):
    """One recorded version."""

    id: str
    """Object name."""
    time: int
    """Seconds since 1970-01-01 UTC."""
    subject: str
    tags: tuple[str, ...]


class History:
    """The recorded versions of one pack."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Tell whether anything was recorded yet."""
        return (self.path / "HEAD").is_file()

    def commit(self, files: Files, message: str, now: float) -> str | None:
        """Record the files of a pack; give the commit, or None if nothing changed."""
        if not self.exists:
            self.path.mkdir(parents=True, exist_ok=True)
            self._git("init", "--quiet", "--bare", "--template=", "-b", "main", ".")
        parent = self._resolved(BRANCH)
        if parent and self.files(parent) == files:
            return None
        stream = b"".join(_fast_import(files, message, now, parent))
        self._git("fast-import", "--quiet", "--done", stdin=stream)
        return self._resolved(BRANCH)

    def log(self, limit: int = 0) -> list[Commit]:
        """Give the commits, the newest first."""
        if not self._resolved(BRANCH):
            return []
        count = [f"--max-count={limit}"] if limit else []
        shown = self._git("log", f"--format={_FIELDS}", "-z", *count, BRANCH)
        return [_commit_of(row) for row in _rows(shown.decode("utf-8", "replace"))]

    def files(self, revision: str) -> dict[str, bytes]:
        """Give the files of a pack as a commit or tag recorded them."""
        commit = self.resolve(revision)
        listed = self._git("ls-tree", "-r", "-z", commit).split(b"\0")
        entries = [row.partition(b"\t") for row in listed if row]
        names = [head.split(b" ")[2] for head, _, _ in entries]
        blobs = self._git("cat-file", "--batch", stdin=b"\n".join(names) + b"\n")
        paths = [path.decode("utf-8") for _, _, path in entries]
        return dict(zip(paths, _batch(blobs, len(paths)), strict=True))

    def tag(self, name: str, revision: str = BRANCH) -> None:
        """Name a commit; a tag that is there already is a `UsageError`."""
        if not _TAG.fullmatch(name) or ".." in name or name.endswith((".", ".lock")):
            raise UsageError(f"{name!r} is no name for a tag")
        reference = f"refs/tags/{name}"
        if self._resolved(reference):
            raise UsageError(f"there is a tag {name} already")
        commit = self.resolve(revision)
        self._git("update-ref", "--create-reflog", reference, commit, "")

    def tags(self) -> Mapping[str, str]:
        """Give the commit of every tag, by name."""
        if not self.exists:
            return {}
        form = "--format=%(refname:strip=2)%00%(objectname)"
        shown = self._git("for-each-ref", form, "refs/tags").decode("utf-8")
        return dict(line.split("\0", 1) for line in shown.splitlines())

    def resolve(self, revision: str) -> str:
        """Give the commit that a tag, a commit or the start of one means."""
        for candidate in (f"refs/tags/{revision}", revision):
            found = self._resolved(candidate)
            if found:
                return found
        raise NotFoundError(
            f"{self.path.stem} has no version {revision!r}",
            hint="`experience-pack pack log NAME` lists them.",
        )

    def _resolved(self, name: str) -> str | None:
        if not self.exists or name.startswith("-") or "\n" in name:
            return None
        try:
            shown = self._git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except IntegrityError:
            return None
        return shown.decode("ascii").strip() or None

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return run_git(self.path, *arguments, stdin=stdin)


def _fast_import(
    files: Files, message: str, now: float, parent: str | None
) -> Iterable[bytes]:
    """Give the stream of one commit (git-fast-import(1), "Input Format")."""
    text = message.encode("utf-8")
    yield f"commit {BRANCH}\ncommitter {_WHO} {int(now)} +0000\n".encode()
    yield b"data %d\n%b\n" % (len(text), text)
    if parent:
        yield f"from {parent}\n".encode()
    yield b"deleteall\n"
    for path in sorted(files):
        yield f"M 100644 inline {_quoted(path)}\n".encode()
        yield b"data %d\n%b\n" % (len(files[path]), files[path])
    yield b"done\n"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rows(shown: str) -> Iterable[Sequence[str]]:
    """Cut `log -z` into rows of the four fields of `_FIELDS`."""
    parts = shown.split("\0")
    return (parts[at : at + 4] for at in range(0, len(parts) - 3, 4))


def _commit_of(row: Sequence[str]) -> Commit:
    name, time, subject, decoration = row
    tags = tuple(
        part.removeprefix("tag: ")
        for part in decoration.split(", ")
        if part.startswith("tag: ")
    )
    return Commit(name, int(time), subject, tags)


def _batch(data: bytes, count: int) -> Iterable[bytes]:
    """Cut the output of `cat-file --batch` into the blobs."""
    at = 0
    for _ in range(count):
        end = data.index(b"\n", at)
        size = int(data[at:end].rsplit(b" ", 1)[1])
        yield data[end + 1 : end + 1 + size]
        at = end + size + 2
