"""Export, import and an idle sync, beside the least that any program must do."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bench.harness import (
    Aim,
    Figure,
    Run,
    Task,
    Work,
    digests,
    interleaved,
    median_seconds,
)
from bench.workspace import Filled
from experience_pack.model import PackInfo
from experience_pack.packs.archive import archive_parts, write_archive
from experience_pack.packs.export import export_pack, exporting
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.install import apply
from experience_pack.packs.layout import CARDS
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.workspace.folder import Folder, create
from experience_pack.workspace.mirror import drain, sync

AIMS = {
    "export": Aim(most=2.0),  # skills, manifest and the store come on top of cards
    "import": Aim(most=3.0),  # verified, planned, versioned, rendered, mirrored
    "flat": Aim(most=1.3),  # ten times the cards; lists of all of them remain
    "outputs": Aim(most=1, of="value"),  # the same content is the same bytes
}

_SYNC_SECONDS = 0.2 / 10_000  # a card; an idle `sync` stays unnoticed in a hook

_ROOT = Path(__file__).parent.parent
_SMALL = 1000
_REPEATS = 5
_REPEATS_OF_LARGE = 2  # minutes each; the spread is small beside them

INFO = PackInfo(name="bench", version="1.0.0", title="Benchmark")


class _Place:
    """Where the runs find and leave things."""

    def __init__(self, root: Path, size: int) -> None:
        self.root = root
        self.filled = Filled(root, size)
        self.pack = root / "bench.xpack"
        self.cards = root / "cards.zip"
        """The pack's cards alone, stored."""
        files = export_pack(self.filled.open().store, INFO).files
        self.pack.write_bytes(write_archive(files))
        cards = [(path, files[path]) for path in files if path.startswith(CARDS)]
        self.cards.write_bytes(_stored_zip(cards))

    def fresh(self) -> Path:
        """Give an empty folder, in place of the one that the run before filled."""
        path = self.root / "fresh"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the figures of packs for a number of experiences."""
    place = _Place(folder, size)
    yield from _export_figures(place, size)
    yield from _import_figures(place, size)
    yield from _sync_figures(place, size)


def _export_figures(place: _Place, size: int) -> Iterator[Figure]:
    runs = _both(lambda: _export(place), lambda: _bare_export(place), size)
    yield _figure("export", runs, "sorted json.dumps + SHA-256 + stored zip", size)
    found = digests(runs["subject"])
    yield Figure(
        name=f"packs export {size:,}: different outputs",
        value=len(found),
        unit="digests",
        aim=AIMS["outputs"],
        digest=min(found),
    )
    yield Figure(
        name=f"packs export {size:,}: peak memory",
        value=_megabytes_of_export(place.filled),
        unit="MB",
        aim=AIMS["flat"],
        anchor=f"the same of {_SMALL:,}",
        anchor_value=_megabytes_of_export(Filled(place.fresh(), _SMALL)),
    )


def _import_figures(place: _Place, size: int) -> Iterator[Figure]:
    runs = _both(lambda: _import(place), lambda: _bare_import(place), size)
    anchor = "unzip + SHA-256 + json.loads + indexed insert + cards written"
    yield _figure("import", runs, anchor, size)
    yield Figure(
        name=f"packs import {size:,}: peak memory",
        value=max(run.megabytes for run in runs["subject"]),
        unit="MB",
        anchor="the anchor's",
        anchor_value=max(run.megabytes for run in runs["anchor"]),
    )


def _sync_figures(place: _Place, size: int) -> Iterator[Figure]:
    runs = _both(lambda: _sync(place), lambda: _bare_sync(place), size)
    yield Figure(
        name=f"packs sync idle {size:,}",
        value=median_seconds(runs["subject"]),
        unit="s",
        aim=Aim(most=_SYNC_SECONDS * size, of="value"),
        anchor="scandir + stat of the same files",
        anchor_value=median_seconds(runs["anchor"]),
    )


def _both(subject: Task, anchor: Task, size: int) -> dict[str, list[Run]]:
    repeats = _REPEATS if size <= 10_000 else _REPEATS_OF_LARGE
    return interleaved({"subject": subject, "anchor": anchor}, repeats)


def _figure(name: str, runs: dict[str, list[Run]], anchor: str, size: int) -> Figure:
    return Figure(
        name=f"packs {name} {size:,}",
        value=median_seconds(runs["subject"]),
        unit="s",
        aim=AIMS[name],
        anchor=anchor,
        anchor_value=median_seconds(runs["anchor"]),
    )


def _export(place: _Place) -> Work:
    store = place.filled.open().store

    def work() -> str:
        found = hashlib.sha256()
        with exporting(store, INFO) as exported:
            for part in archive_parts(exported.files):
                found.update(part)
        return found.hexdigest()

    return work


_PEAK = """
import sys
from experience_pack.cli.run import run
run(["pack", "export", "-o", sys.argv[1]])
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(line.split()[1])
"""
"""A process of its own: a fork would begin with the pages of this one."""


def _megabytes_of_export(filled: Filled) -> float:
    project = filled.open().path.parent
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, os.fspath(project.parent / "all.xpack")],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.fspath(_ROOT)},
        check=True,
        capture_output=True,
    )
    return int(done.stdout.splitlines()[-1]) / 1024


def _bare_export(place: _Place) -> Work:
    with zipfile.ZipFile(place.cards) as archive:
        cards = [(info.filename, archive.read(info)) for info in archive.infolist()]
    records = [json.loads(line) for line in place.filled.lines()]

    def work() -> str:
        for record in records:
            text = json.dumps(record, ensure_ascii=False, sort_keys=True)
            hashlib.sha256(text.encode()).hexdigest()
        return hashlib.sha256(_stored_zip(cards)).hexdigest()

    return work


def _stored_zip(files: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path, content in files:
            archive.writestr(path, content)
    return buffer.getvalue()


def _import(place: _Place) -> Work:
    folder = create(place.fresh())

    def work() -> str:
        _take_in(folder, place.pack)
        return ""

    return work


def _take_in(folder: Folder, pack: Path) -> None:
    incoming = read_incoming(pack)
    apply(folder.store, make_plan(folder.store, incoming, ImportOptions()))
    drain(folder)


def _bare_import(place: _Place) -> Work:
    root = place.fresh()
    lines = place.filled.lines()

    def work() -> str:
        database = sqlite3.connect(root / "bare.db")
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE e (id TEXT PRIMARY KEY, name TEXT, data TEXT)")
        database.execute("CREATE INDEX e_name ON e(name)")
        with database, zipfile.ZipFile(place.cards) as archive:
            for line, info in zip(lines, archive.infolist(), strict=True):
                card = archive.read(info)
                hashlib.sha256(card).hexdigest()
                record = json.loads(line)
                row = (record["id"], record["name"], line)
                database.execute("INSERT INTO e VALUES (?, ?, ?)", row)
                (root / info.filename.replace("/", "-")).write_bytes(card)
        return ""

    return work


def _sync(place: _Place) -> Work:
    folder = place.filled.open()

    def work() -> str:
        report = sync(folder)
        assert not report.findings
        return str(report.cards)

    return work


def _bare_sync(place: _Place) -> Work:
    root = place.filled.open().cards

    def work() -> str:
        return str(_count(os.fspath(root)))

    return work


def _count(folder: str) -> int:
    found = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                found += _count(entry.path)
            else:
                entry.stat()
                found += 1
    return found
