from __future__ import annotations

import io
import zipfile

import pytest

from experience_pack.errors import RefusedError
from experience_pack.model import PackInfo
from experience_pack.packs.archive import write_archive
from experience_pack.packs.layout import Files
from experience_pack.packs.read_me import MOST_LISTED, read_me
from experience_pack.store.packing import Member


def by_the_standard_library(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            archive.writestr(info, files[path])
    return buffer.getvalue()


@pytest.mark.parametrize("count", [0, 1, 3, 65_535, 65_536])
def test_an_archive_is_to_the_byte_what_zipfile_writes(count: int) -> None:
    names = (f"卡片/{at}.md" if at % 2 else f"cards/{at}.md" for at in range(count))
    files = {name: name.encode() for name in names}

    assert write_archive(files) == by_the_standard_library(files)


def test_what_no_reader_takes_is_not_written() -> None:
    with pytest.raises(RefusedError, match=r"cards/big\.md"):
        write_archive({"cards/big.md": bytes(5_000_001)})


def test_the_read_me_of_a_huge_pack_stays_readable() -> None:
    listed = [(named(f"经验 {at}"), f"cards/{at}.md") for at in range(MOST_LISTED)]

    text = read_me(PackInfo(name="huge", version="1.0.0"), listed, 100_000)

    assert "经验 1999" in text
    assert "98,000 more stand under `cards/`." in text
    assert len(text.encode()) < 500_000


def named(name: str) -> Member:
    return Member(1, "exp_x", "", "process", name, "", "", "", "")
