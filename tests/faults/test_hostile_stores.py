"""Databases that nobody here wrote, as a store, as a backup and as a pack."""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from experience_pack.model import Backup, BackupMember
from experience_pack.workspace.sealed import measure, write_sealed
from tests.figures import figure
from tests.oracle import Program, program
from tests.shared_data import shared


def images() -> Iterator[tuple[str, bytes]]:
    """Give the damaged databases that SQLite's own fuzzing found."""
    raw = lzma.decompress(shared("hostile_sqlite.tar.xz").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                yield member.name, file.read()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    with program() as ask:
        ask("init", cwd=made)
        ask("add", "--name", "整理", "--step", "先分类", cwd=made)
    return made


def as_store(ask: Program, project: Path, name: str, image: bytes) -> int:
    file = project / ".experience" / "exp.db"
    for ending in ("", "-wal", "-shm"):
        file.with_name(f"exp.db{ending}").unlink(missing_ok=True)
    file.write_bytes(image)
    return ask.refuses("list", cwd=project, case=name).code


def as_backup(ask: Program, project: Path, name: str, image: bytes) -> int:
    source = project / "image"
    source.write_bytes(image)
    sum_ = measure(source)
    member = BackupMember(path="exp.db", size=sum_.size, sha256=sum_.sha256)
    manifest = Backup(created_at="t", release="0.1.0", members=(member,), tables={})
    with (project / "made.xbackup").open("wb") as file:
        write_sealed(file, manifest, {"exp.db": (source, sum_)})
    return ask.refuses("backup", "restore", "made.xbackup", cwd=project, case=name).code


def as_pack(ask: Program, project: Path, name: str, image: bytes) -> int:
    (project / "image").write_bytes(image)
    return ask.refuses("pack", "import", "image", cwd=project, case=name).code


WAYS: dict[str, tuple[Callable[[Program, Path, str, bytes], int], set[int]]] = {
    "opened": (as_store, {3, 8}),
    "restored": (as_backup, {3, 8}),
    "imported": (as_pack, {4}),
}


@pytest.mark.parametrize("verb", WAYS)
def test_no_hostile_database_comes_in(verb: str, project: Path) -> None:
    way, codes = WAYS[verb]
    found = {}
    with program() as ask:
        for name, image in images():
            found[name] = way(ask, project, name, image)

    assert set(found.values()) <= codes
    assert len(found) > 1_000
    counted = f"{len(found):,} of {len(found):,} refused, {ask.peak} MB at most"
    figure(f"damaged databases {verb}", counted)
