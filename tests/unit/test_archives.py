from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from experience_pack.errors import DigestError, ExperiencePackError, RefusedError
from experience_pack.model import Experience, Origin, PackInfo, new_id
from experience_pack.packs.archive import read_archive, write_archive
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import incoming_of, read_incoming
from experience_pack.packs.layout import Files, check_paths
from experience_pack.packs.source import bundle_of, files_of_bundle, read_folder
from experience_pack.store import Store, experiences
from tests.shared_data import shared


def small_pack() -> dict[str, bytes]:
    store = Store.in_memory()
    with store.transaction() as tx:
        for name in ("Tag a release", "整理文档"):
            one = Experience(
                id=new_id(), kind="process", name=name, origin=Origin(type="x")
            )
            experiences.save(tx, one)
    return dict(export_pack(store, PackInfo(name="small", version="1.0.0")).files)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return small_pack()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "pack.xpack"


def code_of(path: Path) -> int:
    with pytest.raises(ExperiencePackError) as caught:
        read_incoming(path)
    return caught.value.exit_code


def test_the_public_traversal_archives_are_refused_with_the_member_named(
    tmp_path: Path,
) -> None:
    archives = sorted(shared("traversal_archives").glob("*.zip"))
    for archive in archives:
        with pytest.raises(RefusedError) as caught:
            read_archive(archive)
        assert "'" in str(caught.value)

    assert len(archives) == 4
    assert list(tmp_path.iterdir()) == []


BAD_PATHS = (
    "/etc/passwd", "../up", "a/../b", "a//b", "./a", "C:/x", "c:x", "a\\b", "a\x00b",
    "a\nb", "", ".git/config", "x/.GIT/hooks", "trailing ", "dot.", "a /b",
    "e\u0301",
)  # fmt: skip


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_path_that_leads_astray_is_refused(path: str) -> None:
    with pytest.raises(RefusedError):
        check_paths([path])


@pytest.mark.parametrize(
    "pair", [("a.md", "A.md"), ("straße", "STRASSE"), ("ﬁle", "file"), ("x", "x")]
)
def test_paths_that_fall_together_somewhere_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(RefusedError, match="one file on some systems"):
        check_paths(list(pair))


@pytest.mark.parametrize("path", ["cards/文档/整理-abc.md", "a b/c.md", "é.md"])
def test_an_ordinary_path_is_fine(path: str) -> None:
    check_paths([path])


def _removed(files: dict[str, bytes], path: str) -> None:
    del files[path]


def _renamed(files: dict[str, bytes], path: str) -> None:
    files[f"{path}.old"] = files.pop(path)


def _emptied(files: dict[str, bytes], path: str) -> None:
    files[path] = b""


def _appended(files: dict[str, bytes], path: str) -> None:
    files[path] += b"\n"


def _doubled(files: dict[str, bytes], path: str) -> None:
    files[f"copy/{path}"] = files[path]


@pytest.mark.parametrize("damage", [_removed, _renamed, _emptied, _appended, _doubled])
def test_every_changed_member_is_noticed_by_name(
    files: dict[str, bytes], damage: Callable[[dict[str, bytes], str], None]
) -> None:
    for path in files:
        damaged = dict(files)
        damage(damaged, path)
        with pytest.raises(ExperiencePackError) as caught:
            incoming_of(damaged)
        assert caught.value.exit_code in (4, 9)
        if path != "pack.json":
            assert isinstance(caught.value, DigestError)
            assert path in str(caught.value)


def zipped(members: list[tuple[str, bytes]], **attributes: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            for key, value in attributes.items():
                setattr(info, key, value)
            info.compress_type = attributes.get("compress_type", zipfile.ZIP_DEFLATED)
            archive.writestr(info, data)
    return buffer.getvalue()


def test_leading_and_trailing_data_are_refused(files: Files, target: Path) -> None:
    sound = write_archive(files)
    for data in (b"#!/bin/sh\n" + sound, sound + b"x", sound + sound):
        target.write_bytes(data)
        assert code_of(target) == 4


def test_a_truncated_archive_is_refused(files: Files, target: Path) -> None:
    sound = write_archive(files)
    for length in range(0, len(sound), 97):
        target.write_bytes(sound[:length])
        assert code_of(target) == 4


def test_a_bomb_is_refused_before_it_is_unpacked(target: Path) -> None:
    target.write_bytes(zipped([("cards/bomb.md", b"0" * 4_900_000)]))
    assert code_of(target) == 4
    target.write_bytes(zipped([("cards/big.md", b"0" * 5_000_001)]))
    assert code_of(target) == 4


def test_a_member_that_lies_about_its_length_is_refused(target: Path) -> None:
    data = bytearray(zipped([("a.md", b"0123456789" * 20)], compress_type=0))
    size = (200).to_bytes(4, "little")
    lie = (100).to_bytes(4, "little")
    at = data.index(size)
    while at >= 0:
        data[at : at + 4] = lie
        at = data.find(size)
    target.write_bytes(bytes(data))

    assert code_of(target) == 4


def test_a_link_and_a_duplicate_are_refused(target: Path) -> None:
    target.write_bytes(zipped([("a", b"b")], external_attr=0o120777 << 16))
    assert code_of(target) == 4
    with pytest.warns(UserWarning, match="Duplicate name"):
        target.write_bytes(zipped([("a", b"1"), ("a", b"2")]))
    assert code_of(target) == 4


def test_an_archive_that_is_sound_but_no_pack_is_refused(target: Path) -> None:
    target.write_bytes(zipped([("hello.txt", b"hello")]))

    assert code_of(target) == 4


def test_a_link_in_a_folder_is_refused(files: Files, tmp_path: Path) -> None:
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / "cards" / "link.md").symlink_to("/etc/passwd")

    with pytest.raises(RefusedError, match="link"):
        read_folder(tmp_path)


def test_what_is_hidden_beside_a_pack_does_not_belong_to_it(
    files: Files, tmp_path: Path
) -> None:
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[core]")

    assert read_folder(tmp_path) == files


@pytest.mark.parametrize(
    "entry", [7, {"base64": "*"}, {"base64": 1}, None, ["a"], {"text": "x"}]
)
def test_a_bundle_file_that_is_no_text_is_refused(files: Files, entry: object) -> None:
    bundle = json.loads(json.dumps(bundle_of(files)))
    bundle["files"]["cards/odd.md"] = entry

    with pytest.raises(RefusedError, match=r"cards/odd\.md"):
        files_of_bundle(bundle, "bundle.json")


def test_a_bundle_cannot_write_outside_either(files: Files) -> None:
    bundle = json.loads(json.dumps(bundle_of(files)))
    bundle["files"]["../x"] = ""

    with pytest.raises(RefusedError, match=r"'\.\.'"):
        files_of_bundle(bundle, "bundle.json")


@pytest.mark.parametrize("path", ["certificate.json.x", "certificate.jsonl"])
def test_only_the_certificate_itself_escapes_the_digest(
    files: Files, path: str
) -> None:
    with pytest.raises(DigestError, match="is not listed"):
        incoming_of({**files, path: b"{}"})


def test_what_is_said_afterwards_leaves_a_pack_sound(files: Files) -> None:
    assert incoming_of({**files, "signatures/alice.sig": b"{}"}).info.name == "small"
