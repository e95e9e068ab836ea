from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import ExperiencePackError, RefusedError
from experience_pack.formats.stored_zip import Member, end, heads
from experience_pack.formats.versions import header
from experience_pack.model import Backup, BackupMember, BackupTable
from experience_pack.store import Store, copies
from experience_pack.workspace import folder as folders
from experience_pack.workspace.restore import restore
from experience_pack.workspace.sealed import (
    MANIFEST,
    check_sealed,
    measure,
    write_sealed,
)
from tests.figures import figure
from tests.oracle import state_of

FIXTURES = Path(__file__).parents[1] / "fixtures" / "backup"
CASES = json.loads((FIXTURES / "tampered.json").read_text("utf-8"))
CARD = "experiences/general/a.md"


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Write an archive in our form, in the order given, whatever is in it."""
    written, entries = io.BytesIO(), []
    for name, data in files.items():
        head, entry = heads(Member(name, zlib.crc32(data), len(data)), written.tell())
        written.write(head + data)
        entries.append(entry)
    directory = b"".join(entries)
    return (
        written.getvalue()
        + directory
        + end(len(entries), len(directory), written.tell())
    )


def database_of(case: dict[str, Any], place: Path) -> tuple[bytes, Mapping[str, Any]]:
    """Give a store's bytes, tampered with if the case says so, and its sums before."""
    if "database" in case:
        return str(case["database"]).encode(), {}
    path = place / "made.db"
    store = Store.in_memory()
    copies.copy_to(store, path)
    sums = copies.check_copy(path)
    with closing(sqlite3.connect(path)) as copy:
        copy.execute(case.get("sql", "SELECT 1"))
        copy.commit()
    return path.read_bytes(), sums


def manifest_of(
    files: Mapping[str, bytes], sums: Mapping[str, Any], case: dict[str, Any]
) -> bytes:
    """Give a manifest that agrees with the files but for what the case changes."""
    listed = {name: data for name, data in files.items() if name != MANIFEST}
    members = [
        BackupMember(path=name, size=len(data), sha256=hashlib.sha256(data).hexdigest())
        for name, data in sorted(listed.items())
    ]
    tables = {
        name: BackupTable(rows=one.rows, sha256=one.sha256)
        for name, one in sums.items()
    }
    made = Backup(
        created_at="2026-12-01T00:00:00Z",
        release="0.1.0",
        members=tuple(members),
        tables=tables,
    )
    document = {**header("backup"), **made.to_dict(), **case.get("manifest", {})}
    return json.dumps(document).encode()


def tampered(case: dict[str, Any], place: Path) -> bytes:
    database, sums = database_of(case, place)
    files = {
        "config.json": b"{}",
        "exp.db": database,
        CARD: "一句话".encode(),
        **dict.fromkeys(case.get("list", ()), b"x"),
    }
    files["config.json"] = json.dumps(header("workspace")).encode()
    manifest = manifest_of(files, sums, case)
    changed = {name: text.encode() for name, text in case.get("change", {}).items()}
    added = {name: text.encode() for name, text in case.get("add", {}).items()}
    stored = dict(sorted(files.items())) | changed
    stored = added | stored if case.get("first") else stored | added
    for name in case.get("remove", ()):
        del stored[name]
    names = list(stored)
    if "swap" in case:
        one, other = (names.index(name) for name in case["swap"])
        names[one], names[other] = names[other], names[one]
    raw = zipped({MANIFEST: manifest, **{name: stored[name] for name in names}})
    raw = raw[: int(len(raw) * case.get("keep", 1))]
    before, behind = (str(case.get(key, "")) for key in ("before", "behind"))
    return before.encode() + raw + behind.encode()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_backup_that_is_not_as_it_was_made_is_refused_before_a_write(
    case: dict[str, Any], tmp_path: Path
) -> None:
    folders.create(tmp_path).close()
    file = tmp_path / "made.xbackup"
    file.write_bytes(tampered(case, tmp_path))
    before = state_of(tmp_path)

    with pytest.raises(ExperiencePackError) as refused:
        restore(tmp_path / ".experience", file)

    assert refused.value.exit_code == case["code"], refused.value
    assert case["says"] in str(refused.value)
    assert state_of(tmp_path) == before


def test_the_same_file_without_tampering_is_restored(tmp_path: Path) -> None:
    folders.create(tmp_path).close()
    file = tmp_path / "made.xbackup"
    file.write_bytes(tampered({}, tmp_path))

    restore(tmp_path / ".experience", file)

    assert (tmp_path / ".experience" / CARD).read_text("utf-8") == "一句话"


def test_more_than_an_archive_can_say_is_refused_before_a_byte(tmp_path: Path) -> None:
    (tmp_path / "exp.db").write_bytes(b"x")
    large = measure(tmp_path / "exp.db")._replace(size=5_000_000_000)
    manifest = Backup(created_at="t", release="0.1.0", members=(), tables={})
    with (tmp_path / "large.xbackup").open("wb") as file:
        with pytest.raises(RefusedError, match="at most 4 GB"):
            write_sealed(file, manifest, {"exp.db": (tmp_path / "exp.db", large)})
        assert file.tell() == 0


def test_every_flipped_byte_of_a_backup_is_noticed(tmp_path: Path) -> None:
    sources = {}
    for name, text in (("exp.db", "rows"), (CARD, "一句话"), ("packs/a.json", "{}")):
        path = tmp_path / name.replace("/", "-")
        path.write_text(text, "utf-8")
        sources[name] = (path, measure(path))
    members = tuple(
        BackupMember(path=name, size=one.size, sha256=one.sha256)
        for name, (_, one) in sorted(sources.items())
    )
    manifest = Backup(created_at="t", release="0.1.0", members=members, tables={})
    file = tmp_path / "small.xbackup"
    with file.open("wb") as written:
        write_sealed(written, manifest, sources)
    raw = bytearray(file.read_bytes())
    assert check_sealed(file) == manifest

    for at in range(len(raw)):
        for bit in (0x01, 0x20, 0x80):
            raw[at] ^= bit
            file.write_bytes(raw)
            with pytest.raises(ExperiencePackError):
                check_sealed(file)
            raw[at] ^= bit
    for length in range(len(raw)):
        file.write_bytes(raw[:length])
        with pytest.raises(ExperiencePackError):
            check_sealed(file)
    tried = 4 * len(raw)
    figure("flipped and cut bytes of a backup", f"{tried:,} of {tried:,} noticed")
