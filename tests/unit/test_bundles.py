from __future__ import annotations

import hashlib
import struct
import subprocess
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from experience_pack.errors import DigestError, RefusedError, UsageError
from experience_pack.model import Experience, Membership, PackInfo
from experience_pack.packs import bundles, membership, releases, unpacked
from experience_pack.packs.archive import read_archive, write_archive
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.history import BRANCH, History, blob_name
from experience_pack.packs.layout import Files
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder

NAME = "releases"


def save(folder: Folder, identity: str, name: str) -> None:
    made = Experience(id=identity, kind="process", name=name)
    with folder.store.transaction() as tx:
        experiences.save(tx, made)


@pytest.fixture
def recorded(folder: Folder) -> Folder:
    """A workspace with a pack of two versions, the older one tagged."""
    info = PackInfo(name=NAME, version="1.0.0")
    members = ("exp_a", "exp_b")
    membership.create(folder, Membership(pack=info, experiences=members))
    save(folder, "exp_a", "发布")
    releases.record(folder, NAME, "first 版本")
    releases.tag(folder, NAME, None, None)
    save(folder, "exp_b", "Yank")
    releases.record(folder, NAME, "")
    return folder


def exported(folder: Folder) -> Files:
    info = membership.load(folder, NAME).pack
    options = ExportOptions(history=releases.bundle_of(folder, NAME))
    return export_pack(folder.store, info, options=options).files


def test_a_pack_carries_its_versions_and_tags(recorded: Folder) -> None:
    told = bundles.told(exported(recorded))

    assert told is not None
    assert [one.subject for one in told.commits] == ["Yank is new", "first 版本"]
    assert told.tags == {"1.0.0": told.commits[1].id}


def test_a_pack_without_history_tells_nothing(recorded: Folder) -> None:
    info = membership.load(recorded, NAME).pack

    assert bundles.told(export_pack(recorded.store, info).files) is None


def test_the_same_history_has_the_same_bytes_however_it_was_packed(
    recorded: Folder, tmp_path: Path
) -> None:
    history = releases.history_of(recorded, NAME)
    before = bundles.write_bundle(history)
    other = History(tmp_path / "other.git")
    other.prepare()
    for name, commit in bundles.take_in(other, before).items():
        if name != "HEAD":
            other.git("update-ref", name, commit)
    history.git("repack", "-a", "-d", "-f", "-q", "--window=1")

    assert bundles.write_bundle(history) == before == bundles.write_bundle(other)


def test_anybody_can_clone_what_a_pack_carries(
    recorded: Folder, tmp_path: Path
) -> None:
    (path,) = (one for one in exported(recorded) if one.startswith("history/"))
    file = tmp_path / "releases.bundle"
    file.write_bytes(exported(recorded)[path])
    subprocess.run(["git", "clone", "-q", file, tmp_path / "clone"], check=True)

    assert (tmp_path / "clone" / "pack.json").is_file()


def test_what_is_not_recorded_is_not_exported_with_history(recorded: Folder) -> None:
    save(recorded, "exp_b", "Yank it")

    with pytest.raises(UsageError, match="not recorded"):
        releases.bundle_of(recorded, NAME)


def test_a_large_history_is_taken_and_a_larger_one_refused() -> None:
    path = "history/releases.bundle"

    assert read_archive_of({path: b"x" * 6_000_000})[path]
    with pytest.raises(RefusedError, match="more than are read"):
        write_archive({path: b"x" * 100_000_001})


def read_archive_of(files: Files) -> Files:
    path = Path("made.xpack")
    path.write_bytes(write_archive(files))
    return read_archive(path)


@pytest.fixture(autouse=True)
def _in_a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _other_experiences(history: History, _: bytes) -> bytes:
    head = history.files(BRANCH)
    older = history.files("1.0.0")
    assert head != older
    history.commit(older, "back again", 1_800_000_000)
    return bundles.write_bundle(history)


def _link(history: History, _: bytes) -> bytes:
    blob = history.git("hash-object", "-w", "--stdin", stdin=b"/etc/passwd")
    return _tree(history, b"120000 blob %b\tlink.md\n" % blob.strip())


def _odd_path(history: History, _: bytes) -> bytes:
    blob = history.git("hash-object", "-w", "--stdin", stdin=b"x")
    return _tree(history, b"100644 blob %b\t\xff\xfe\n" % blob.strip())


def _dot_git(history: History, _: bytes) -> bytes:
    blob = history.git("hash-object", "-w", "--stdin", stdin=b"x").strip()
    tree = history.git("mktree", stdin=b"100644 blob %b\tconfig\n" % blob)
    return _tree(history, b"040000 tree %b\t.git\n" % tree.strip())


def _tree(history: History, entry: bytes) -> bytes:
    tree = history.git("mktree", stdin=entry).decode().strip()
    who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")}  # fmt: skip
    commit = history.git("commit-tree", "-m", "x", tree, variables=who)
    history.git("update-ref", BRANCH, commit.decode().strip())
    return bundles.write_bundle(history)


def _flips(_: History, bundle: bytes) -> bytes:
    at = len(bundle) - 30
    return bundle[:at] + bytes([bundle[at] ^ 1]) + bundle[at + 1 :]


def _needs_more(history: History, bundle: bytes) -> bytes:
    head = history.resolve(BRANCH)
    return bundle.replace(b"# v2 git bundle\n", f"# v2 git bundle\n-{head}\n".encode())


def _named(name: bytes) -> Callable[[History, bytes], bytes]:
    return lambda _, bundle: bundle.replace(b"refs/tags/1.0.0", name)


def _without_the_first(history: History, bundle: bytes) -> bytes:
    head = history.resolve(BRANCH)
    packed = history.git("pack-objects", "--stdout", "-q", stdin=f"{head}\n".encode())
    return bundle.partition(b"\n\n")[0] + b"\n\n" + packed


Make = Callable[[History, bytes], bytes]

HOSTILE: dict[str, tuple[Make, str]] = {
    "nothing": (lambda *_: b"\n", "does not begin"),
    "no bundle": (lambda *_: b"PK\x03\x04\n\n", "does not begin"),
    "no end": (lambda _, bundle: bundle[:40], "does not begin"),
    "cut short": (lambda _, bundle: bundle[:-40], "cut short or damaged"),
    "more behind it": (lambda _, bundle: bundle + b"x", "junk at the end"),
    "a flipped bit": (_flips, "cut short or damaged"),
    "another version": (lambda _, one: one.replace(b"# v2", b"# v3"), "does not begin"),
    "it needs what we have not": (_needs_more, "a line b'-"),
    "objects are missing": (_without_the_first, "index-pack failed"),
    "a reference elsewhere": (_named(b"refs/heads/other"), "heads/other"),
    "a reference above": (_named(b"refs/tags/../x"), "tags/../x"),
    "a reference like an option": (_named(b"--upload-pack=touch"), "--upload-pack"),
    "a tag without its folder": (_named(b"main"), " main"),
    "no branch": (lambda _, one: one.replace(b"heads/main", b"tags/main"), "no branch"),
    "other experiences": (_other_experiences, "other experiences"),
    "a link": (_link, "is a link"),
    "a path that is no text": (_odd_path, "no pack"),
    "a repository inside": (_dot_git, "index-pack failed"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_history_that_is_not_sound_is_refused(recorded: Folder, name: str) -> None:
    make, said = HOSTILE[name]
    history = releases.history_of(recorded, NAME)
    info = membership.load(recorded, NAME).pack
    options = ExportOptions(history=make(history, bundles.write_bundle(history)))
    files = export_pack(recorded.store, info, options=options).files

    with pytest.raises(DigestError, match="history is not sound") as caught:
        bundles.told(files)
    assert said in str(caught.value)


def _zeros(history: History, _: bytes) -> bytes:
    blob = history.git("hash-object", "-w", "--stdin", stdin=bytes(150_000_000))
    return _tree(history, b"100644 blob %b\tbomb\n" % blob.strip())


def _deltas(_: History, bundle: bytes) -> bytes:
    """Have deltas of a few bytes ask for two gigabytes each."""
    head = bundle.partition(b"\n\n")[0]
    base = bytes(0x10000)
    copy = b"\x80" * 32_768  # all of the base, once more
    sizes = b"\x80\x80\x04" + b"\x80\x80\x80\x80\x08"
    name = bytes.fromhex(blob_name(base))
    deltas = [_object(7, sizes + copy + bytes([at]), name) for at in range(1, 4)]
    packed = b"PACK" + struct.pack(">II", 2, 4) + _object(3, base) + b"".join(deltas)
    return head + b"\n\n" + packed + hashlib.sha1(packed).digest()


def _object(kind: int, data: bytes, base: bytes = b"") -> bytes:
    rest = len(data) >> 4
    head = [kind << 4 | len(data) & 15]
    while rest:
        head[-1] |= 0x80
        head.append(rest & 0x7F)
        rest >>= 7
    return bytes(head) + base + zlib.compress(data, 9)


@pytest.mark.parametrize("make", [_zeros, _deltas])
def test_what_unpacks_to_a_thousandfold_is_refused_and_takes_no_memory(
    recorded: Folder, make: Make
) -> None:
    history = releases.history_of(recorded, NAME)
    bundle = make(history, bundles.write_bundle(history))
    tracemalloc.start()
    with pytest.raises(DigestError, match="larger than any of a pack"):
        bundles.take_in(history, bundle)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(bundle) < 1_000_000
    assert peak < 10_000_000


def test_more_than_any_history_has_is_refused(
    recorded: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = bundles.write_bundle(releases.history_of(recorded, NAME))
    packed = packed.partition(b"\n\n")[2]
    assert unpacked.fault_of(packed) == ""

    monkeypatch.setattr(unpacked, "_MOST_UNPACKED", 1_000)
    assert "more than 1,000 bytes" in unpacked.fault_of(packed)
    monkeypatch.setattr(unpacked, "_MOST_OBJECTS", 5)
    assert "more than 5 objects" in unpacked.fault_of(packed)


def test_a_pack_with_two_histories_is_refused(recorded: Folder) -> None:
    files = {**exported(recorded), "history/other.bundle": b""}

    with pytest.raises(DigestError, match="2 histories"):
        bundles.told(files)
