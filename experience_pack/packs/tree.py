"""The files of a pack as a commit has them, counted before any is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import RefusedError
from experience_pack.packs.git import run_git
from experience_pack.packs.layout import (
    HINT,
    MOST_BYTES,
    MOST_FILES,
    Files,
    check_paths,
    largest,
)

_KINDS = {"120000": "is a link", "160000": "is a submodule"}
_PLAIN = ("100644", "100755")


class _Entry(NamedTuple):
    mode: str
    object: str
    size: int
    path: str


def read_tree(repository: Path, tree: str) -> Files:
    """Give the files below a tree such as `COMMIT:FOLDER`; hidden ones are left out.

    Links, submodules, paths that no pack may have, and more than any reader takes
    are a `RefusedError` that names the member.
    """
    listed = run_git(repository, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)
    entries = [
        entry
        for row in listed.split(b"\0")
        if row and not _hidden(entry := _entry(row))
    ]
    _check(entries)
    names = "".join(f"{entry.object}\n" for entry in entries)
    blobs = run_git(repository, "cat-file", "--batch", stdin=names.encode("ascii"))
    return dict(_cut(blobs, entries))


def folders_with(repository: Path, commit: str, name: str) -> list[str]:
    """Give the folders of a commit that hold a file of that name; the root is empty."""
    listed = run_git(repository, "ls-tree", "-r", "-z", "--name-only", commit)
    paths = listed.decode("utf-8", "replace").split("\0")
    found = (path.rpartition("/") for path in paths)
    return sorted(folder for folder, _, file in found if file == name)


def _entry(row: bytes) -> _Entry:
    """Read a line of `ls-tree -l` (git-ls-tree(1), "Output Format")."""
    head, _, path = row.partition(b"\t")
    mode, _, name, size = head.decode("ascii").split()
    try:
        return _Entry(mode, name, 0 if size == "-" else int(size), path.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RefusedError(f"the path {path!r:.200} is not UTF-8", hint=HINT) from error


def _hidden(entry: _Entry) -> bool:
    return any(part.startswith(".") for part in entry.path.split("/"))


def _check(entries: Sequence[_Entry]) -> None:
    if len(entries) > MOST_FILES:
        raise RefusedError(f"more than {MOST_FILES:,} files", hint=HINT)
    total = 0
    for entry in entries:
        total += entry.size
        if entry.mode not in _PLAIN:
            kind = _KINDS.get(entry.mode, "is no plain file")
            raise RefusedError(f"{entry.path!r:.200} {kind}", hint=HINT)
        if entry.size > largest(entry.path) or total > MOST_BYTES:
            raise RefusedError(f"{entry.path!r:.200} is larger than is read", hint=HINT)
    check_paths([entry.path for entry in entries])


def _cut(data: bytes, entries: Iterable[_Entry]) -> Iterable[tuple[str, bytes]]:
    """Cut the output of `cat-file --batch` into the files."""
    at = 0
    for entry in entries:
        start = data.index(b"\n", at) + 1
        at = start + entry.size + 1
        yield entry.path, data[start : start + entry.size]
