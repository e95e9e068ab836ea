from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.errors import VersionError
from experience_pack.packs.archive import write_archive
from experience_pack.packs.destination import write_pack
from experience_pack.packs.layout import MANIFEST, Files
from tests.small_pack import refusal, small_files

pytestmark = pytest.mark.property


@pytest.fixture(scope="module")
def files() -> Files:
    return small_files()


def flips(sound: bytes) -> Iterator[bytes]:
    """Give a text with one bit of one byte turned: each byte, each bit in its turn."""
    for at, byte in enumerate(sound):
        yield sound[:at] + bytes([byte ^ 1 << at % 8]) + sound[at + 1 :]


def unnoticed(path: Path, sound: bytes) -> list[bytes]:
    """Give the turned texts that were taken for sound, or refused without a cause."""
    missed = []
    for turned in flips(sound):
        path.write_bytes(turned)
        error = refusal(path)
        named = error is not None and str(error) and error.exit_code in (4, 9)
        if not (named or isinstance(error, VersionError)):
            missed.append(turned)
    return missed


def test_every_byte_of_an_archive_is_noticed(files: Files, tmp_path: Path) -> None:
    assert unnoticed(tmp_path / "small.xpack", write_archive(files)) == []


def test_every_byte_of_a_bundle_is_noticed(files: Files, tmp_path: Path) -> None:
    write_pack(files, tmp_path / "small.json")
    sound = (tmp_path / "small.json").read_bytes()

    assert refusal(tmp_path / "small.json") is None
    assert unnoticed(tmp_path / "small.json", sound) == []


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
