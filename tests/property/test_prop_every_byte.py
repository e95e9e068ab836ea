from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.errors import VersionError
from experience_pack.packs.archive import write_archive
from experience_pack.packs.destination import write_pack
from experience_pack.packs.layout import MANIFEST, Files
from experience_pack.packs.page import page_block
from tests.figures import figure
from tests.small_pack import refusal, small_files

pytestmark = pytest.mark.property


@pytest.fixture(scope="module")
def files() -> Files:
    return small_files()


def flips(sound: bytes) -> Iterator[bytes]:
    """Give a text with one bit of one byte turned: each byte, each bit in its turn."""
    for at, byte in enumerate(sound):
        yield sound[:at] + bytes([byte ^ 1 << at % 8]) + sound[at + 1 :]


def noticed(path: Path) -> bool:
    """Tell whether a pack is refused, by a code of its kind and with a cause."""
    error = refusal(path)
    if error is None or not str(error):
        return False
    return error.exit_code in (4, 9) or isinstance(error, VersionError)


def unnoticed(path: Path, sound: bytes, frame: tuple[bytes, bytes]) -> list[bytes]:
    """Give the turned texts that were taken for sound."""
    missed = []
    for turned in flips(sound):
        path.write_bytes(frame[0] + turned + frame[1])
        if not noticed(path):
            missed.append(turned)
    noted = len(sound) - len(missed)
    figure(
        f"flipped bytes of a pack: {path.name}", f"{noted:,} of {len(sound):,} noticed"
    )
    return missed


ALONE = b"", b""


def test_every_byte_of_an_archive_is_noticed(files: Files, tmp_path: Path) -> None:
    assert unnoticed(tmp_path / "small.xpack", write_archive(files), ALONE) == []


def test_every_byte_of_a_bundle_is_noticed(files: Files, tmp_path: Path) -> None:
    write_pack(files, tmp_path / "small.json")
    sound = (tmp_path / "small.json").read_bytes()

    assert refusal(tmp_path / "small.json") is None
    assert unnoticed(tmp_path / "small.json", sound, ALONE) == []


def test_every_byte_of_the_pack_in_a_page_is_noticed(
    files: Files, tmp_path: Path
) -> None:
    path = tmp_path / "small.html"
    frame = b"<!doctype html><title>x</title>", b"<p>after"
    sound = page_block(files).encode()

    assert unnoticed(path, sound, frame) == []
    path.write_bytes(frame[0] + sound + frame[1])
    assert refusal(path) is None


def test_every_byte_of_a_folder_is_noticed_with_its_file(
    files: Files, tmp_path: Path
) -> None:
    folder = tmp_path / "small"
    write_pack(files, folder)
    for path, sound in files.items():
        for turned in flips(sound):
            (folder / path).write_bytes(turned)
            error = refusal(folder)
            assert error is not None
            assert error.exit_code in ((3, 4, 9) if path == MANIFEST else (9,))
            assert path in str(error)
        (folder / path).write_bytes(sound)

    assert refusal(folder) is None
