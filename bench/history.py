"""Versions of a pack: recorded, compared, verified, exported; beside bare tools."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.harness import (
    Aim,
    Figure,
    Run,
    Task,
    Work,
    interleaved,
    median_seconds,
)
from bench.workspace import Filled
from experience_pack.model import Membership, PackInfo
from experience_pack.packs import membership, releases
from experience_pack.packs.archive import write_archive
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.layout import Files
from experience_pack.packs.manifest import read_manifest
from experience_pack.packs.source import read_source
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder

AIMS = {
    "commit": Aim(most=2.5),  # rendered, compared and bound by a manifest first
    "diff": Aim(most=0.5, of="value"),  # 100 changes are seen before one looks away
    "verify": Aim(most=1.5),
}

_REPEATS = 5
_CHANGED = 100
NAME = "bench"


class _Place:
    """A pack of a whole workspace, with two recorded versions."""

    def __init__(self, root: Path, size: int) -> None:
        self.root = root
        self.filled = Filled(root, size)
        self.pack = root / "bench.xpack"
        folder = self.filled.open()
        members = tuple(sorted(experiences.digests(folder.store)))
        info = PackInfo(name=NAME, version="1.0.0")
        membership.create(folder, Membership(pack=info, experiences=members))
        self.files: Files = releases.files_of(folder, membership.load(folder, NAME))
        self.pack.write_bytes(write_archive(export_pack(folder.store, info).files))
        self.first = releases.record(folder, NAME, "first").commit or ""
        _change(folder, members)
        self.second = releases.record(folder, NAME, "second").commit or ""
        folder.close()

    @property
    def repository(self) -> Path:
        """Give where the history of the pack is."""
        return self.filled.open().path / releases.HISTORY / f"{NAME}.git"


def _change(folder: Folder, members: tuple[str, ...]) -> None:
    chosen = members[:: max(1, len(members) // _CHANGED)][:_CHANGED]
    some = experiences.get_many(folder.store, chosen).values()
    with folder.store.transaction() as tx:
        experiences.save_all(tx, [replace(one, notes="changed 改") for one in some])


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the figures of a history for a number of experiences."""
    place = _Place(folder, size)
    yield _figure(
        f"history diff {size:,}, {_CHANGED} changes",
        _runs(lambda: _diff(place), lambda: _bare_diff(place)),
        AIMS["diff"],
        "git diff-tree -p of the same versions",
    )
    yield _figure(
        f"history verify {size:,}",
        _runs(lambda: _verify(place), lambda: _bare_verify(place)),
        AIMS["verify"],
        "zipfile read + SHA-256 of each + json.loads of the manifest",
    )
    yield _figure(
        f"history verify {size:,}, every card read",
        _runs(lambda: _read_all(place), lambda: _bare_verify(place)),
        None,
        "the same",
    )
    yield _figure(
        f"history commit {size:,}",
        _runs(lambda: _commit(place), lambda: _bare_commit(place)),
        AIMS["commit"],
        "git init + git fast-import of the same files",
    )


def _runs(subject: Task, anchor: Task) -> dict[str, list[Run]]:
    return interleaved({"subject": subject, "anchor": anchor}, _REPEATS)


def _figure(
    name: str, runs: dict[str, list[Run]], aim: Aim | None, anchor: str
) -> Figure:
    return Figure(
        name=name,
        value=median_seconds(runs["subject"]),
        unit="s",
        aim=aim,
        anchor=anchor,
        anchor_value=median_seconds(runs["anchor"]),
    )


def _diff(place: _Place) -> Work:
    folder = place.filled.open()

    def work() -> str:
        found = releases.differences(folder, NAME, place.first, place.second)
        assert len(found) == min(_CHANGED, len(place.files))
        return ""

    return work


def _bare_diff(place: _Place) -> Work:
    words = ("diff-tree", "-r", "-p", place.first, place.second)

    def work() -> str:
        _git(place.repository, *words)
        return ""

    return work


def _verify(place: _Place) -> Work:
    def work() -> str:
        return read_manifest(read_source(place.pack).files).content_digest

    return work


def _read_all(place: _Place) -> Work:
    def work() -> str:
        return read_incoming(place.pack).content_digest

    return work


def _bare_verify(place: _Place) -> Work:
    def work() -> str:
        with zipfile.ZipFile(place.pack) as archive:
            for info in archive.infolist():
                hashlib.sha256(archive.read(info)).hexdigest()
            return str(json.loads(archive.read("pack.json"))["content_digest"])

    return work


def _commit(place: _Place) -> Work:
    shutil.rmtree(place.repository)
    folder = place.filled.open()

    def work() -> str:
        return releases.record(folder, NAME, "first").commit or ""

    return work


def _bare_commit(place: _Place) -> Work:
    target = place.root / "bare.git"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    stream = b"".join(_stream(place.files))

    def work() -> str:
        _git(target, "init", "--quiet", "--bare", ".")
        _git(target, "fast-import", "--quiet", stdin=stream)
        return ""

    return work


def _stream(files: Files) -> Iterator[bytes]:
    yield b"commit refs/heads/main\ncommitter B <b@b> 0 +0000\ndata 0\n"
    for path, data in files.items():
        yield b'M 100644 inline "%b"\n' % path.encode()
        yield b"data %d\n%b\n" % (len(data), data)


def _git(repository: Path, *words: str, stdin: bytes = b"") -> None:
    subprocess.run(
        ["git", *words],
        cwd=repository,
        env={"PATH": os.environ["PATH"], "GIT_DIR": str(repository)},
        input=stdin,
        check=True,
        capture_output=True,
    )
