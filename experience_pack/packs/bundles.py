"""Histories that travel: a git bundle inside a pack (gitformat-bundle(5)).

Foreign history comes as objects only. Git reads them in a repository of ours and
checks each; nobody's repository is ever one that git runs in.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import DigestError, ExperiencePackError, IntegrityError
from experience_pack.packs.history import BRANCH, TAGS, Commit, History, is_tag
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.layout import HINT, HISTORIES, Files
from experience_pack.packs.tree import read_tree
from experience_pack.packs.unpacked import fault_of

_BRANCHES = ("HEAD", BRANCH)  # HEAD is what `git clone` checks out
_START = b"# v2 git bundle\n"
_MOST_LINES = 10_000  # a branch and its tags; a pack has a tag a version
_INDEXED = re.compile(rb"pack\t[0-9a-f]{40}\n")
_LINE = re.compile(rb"([0-9a-f]{40}) (\S+)")

_REPEATABLE = {
    "pack.threads": "1",
    "pack.compression": "9",
    "pack.window": "10",
    "pack.depth": "50",
    "pack.useBitmaps": "false",
    "pack.allowPackReuse": "false",
}
"""What the bytes of a bundle depend on besides its objects and git's release."""

_FRUGAL = {
    "core.bigFileThreshold": "5m",
    "core.deltaBaseCacheLimit": "16m",
    "pack.threads": "1",
}
"""Large files pass through git without being held in memory, small ones hardly wait."""


class Told(NamedTuple):
    """What the bundle of a pack holds."""

    commits: tuple[Commit, ...]
    """The newest first."""
    tags: Mapping[str, str]


def write_bundle(history: History) -> bytes:
    """Give the branch and the tags of a history as one file.

    The same history gives the same bytes, whatever it was packed like before, as far
    as one release of git and zlib goes: both may pack better in another.
    """
    head = history.resolve(BRANCH)
    references = dict.fromkeys(_BRANCHES, head)
    references |= {f"{TAGS}{tag}": commit for tag, commit in history.tags().items()}
    lines = [f"{commit} {name}\n" for name, commit in references.items()]
    packed = history.git(
        *("pack-objects", "--stdout", "--revs", "--delta-base-offset", "--quiet"),
        *("--no-reuse-delta", "--no-reuse-object"),
        stdin="".join(f"{commit}\n" for commit in references.values()).encode("ascii"),
        settings=_REPEATABLE,
    )
    return b"".join((_START, *(line.encode() for line in lines), b"\n", packed))


def take_in(history: History, bundle: bytes) -> Mapping[str, str]:
    """Bring the objects of a bundle into a repository of ours; give its references.

    They get no name here. What is no sound bundle of a pack's history is a
    `DigestError`, and leaves nothing that anything refers to.
    """
    references, packed = _split(bundle)
    if fault := fault_of(packed):
        raise _unsound(fault)
    try:
        words = ("--stdin", "--strict", "--fsck-objects")
        said = history.git("index-pack", *words, stdin=packed, settings=_FRUGAL)
        for commit in references.values():
            history.git("rev-list", "--objects", "--quiet", commit, "--")
    except IntegrityError as error:
        raise _unsound(str(error)) from error
    if not _INDEXED.fullmatch(said):  # git hands on what it did not need
        raise _unsound("something stands behind its objects")
    return references


def merge_base(history: History, ours: str, theirs: str) -> str | None:
    """Give the newest version that two versions both come from, if there is one."""
    try:
        found = history.git("merge-base", ours, theirs)
    except IntegrityError:
        return None
    return found.decode("ascii").strip() or None


def bundle_in(files: Files) -> bytes | None:
    """Give the bundle that a pack carries, or None."""
    found = [path for path in files if path.startswith(HISTORIES)]
    if len(found) > 1:
        raise _unsound(f"the pack has {len(found)} histories")
    return files[found[0]] if found else None


def told(files: Files) -> Told | None:
    """Hold the history that a pack carries against the pack; None if it has none.

    Its newest version has to have the pack's experiences, to the content digest.
    Where git is missing it is a `StorageError`.
    """
    bundle = bundle_in(files)
    if bundle is None:
        return None
    with scratch() as history:
        references = take_in(history, bundle)
        tip = references[BRANCH]
        _check_tip(incoming_of(files).digests, history, tip)
        tags = {
            name.removeprefix(TAGS): commit
            for name, commit in references.items()
            if name not in _BRANCHES
        }
        return Told(tuple(history.log(revision=tip)), tags)


@contextmanager
def scratch() -> Iterator[History]:
    """Give an empty repository that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="experience-pack-") as folder:
        history = History(Path(folder, "scratch.git"))
        history.prepare()
        yield history


def _check_tip(expected: Mapping[str, str], history: History, tip: str) -> None:
    try:
        found = incoming_of(read_tree(history.path, tip)).digests
    except ExperiencePackError as error:
        raise _unsound(f"its newest version is no pack: {error}") from error
    if found != expected:
        raise _unsound("its newest version has other experiences than the pack")


def _split(bundle: bytes) -> tuple[dict[str, str], bytes]:
    """Cut a bundle into its references and its pack of objects."""
    head, separator, packed = bundle.partition(b"\n\n")
    lines = head.removeprefix(_START).split(b"\n", _MOST_LINES)
    if not (separator and head.startswith(_START)) or len(lines) > _MOST_LINES:
        raise _unsound("it does not begin like a git bundle")
    references = {}
    for line in lines:
        found = _LINE.fullmatch(line)
        name = found[2].decode("utf-8", "replace") if found else ""
        tag = name.removeprefix(TAGS)
        is_ours = name in _BRANCHES or (tag != name and is_tag(tag))
        if found is None or not is_ours or name in references:
            raise _unsound(f"it has a line {line[:60]!r}")
        references[name] = found[1].decode("ascii")
    if BRANCH not in references:
        raise _unsound("it has no branch main")
    return references, packed


def _unsound(text: str) -> DigestError:
    return DigestError(f"the pack's history is not sound: {text}", hint=HINT)
