from __future__ import annotations

from pathlib import Path

import pytest

from experience_pack.errors import DigestError, FormatError, RefusedError, VersionError
from experience_pack.model import Episode, Experience, Origin, PackInfo
from experience_pack.packs.archive import write_archive
from experience_pack.packs.export import export_pack
from experience_pack.packs.layout import MOST_FILES, Files
from experience_pack.packs.page import (
    BEGIN,
    END,
    MOST_RATIO,
    is_page,
    page_block,
    read_page,
    with_block,
)
from experience_pack.packs.source import read_source
from experience_pack.site.inline import render_snapshot, viewer_script, viewer_style
from experience_pack.snapshot import snapshot_of
from experience_pack.snapshot.blocks import open_block
from experience_pack.store import Store, episodes, experiences
from tests.small_pack import small_files


@pytest.fixture(scope="module")
def files() -> Files:
    return small_files()


def page_in(folder: Path, text: str) -> Path:
    path = folder / "page.html"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "start", ["<!doctype html>", "\ufeff <!DOCTYPE HTML>\n", "<html lang='zh'>\n"]
)
def test_the_pack_in_a_page_is_the_pack(
    files: Files, tmp_path: Path, start: str
) -> None:
    path = page_in(tmp_path, f"{start}<p>整理</p>{page_block(files)}<p>after</p>")

    assert read_source(path).files == files


def test_the_block_is_ascii_that_ends_nothing(files: Files) -> None:
    block = page_block(files)
    inner = block.removeprefix(BEGIN).removesuffix(END)

    assert inner.isascii()
    assert not set("<>&'") & set(inner)


def test_no_page_of_ours_says_the_marker_by_itself() -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        for name in (BEGIN, f"{END}{BEGIN}", "\\u003cscript"):
            one = Experience(id=f"exp_{len(name)}", kind="process", name=name)
            experiences.save(tx, one)
    page = render_snapshot(snapshot_of(store, title=BEGIN))

    assert BEGIN not in page
    assert BEGIN not in viewer_script() + viewer_style()


def test_two_packs_in_a_page_are_refused(files: Files, tmp_path: Path) -> None:
    block = page_block(files)

    with pytest.raises(RefusedError, match="holds 2 packs"):
        read_page(page_in(tmp_path, f"<html>{block}{block}"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<html><p>hello", "no pack is in it"),
        (f"<html>{BEGIN}{{}}", "cut short"),
        (f"<html>{BEGIN}{{}}{END}", "expected 'page'"),
        (f"<html>{BEGIN}[1{END}", "not valid JSON"),
        (f"<html>{BEGIN.upper()}{{}}{END}", "no pack is in it"),
        (f"<html><!-- {BEGIN.replace('data-', 'data-no-')} -->", "no pack is in it"),
    ],
)
def test_another_page_gets_a_clear_word(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_page(page_in(tmp_path, text))


def test_a_newer_page_is_told_by_its_version(files: Files, tmp_path: Path) -> None:
    newer = page_block(files).replace('"version":[1,0]', '"version":[2,0]')

    with pytest.raises(VersionError, match=r"page format 2\.0"):
        read_page(page_in(tmp_path, f"<html>{newer}"))


def test_another_spelling_of_a_block_is_refused(files: Files, tmp_path: Path) -> None:
    block = page_block(files).replace('"size":', '"size": ')

    with pytest.raises(DigestError, match="was changed"):
        read_page(page_in(tmp_path, f"<html>{block}"))


def test_a_pack_of_nothing_but_repetition_can_be_read_again(tmp_path: Path) -> None:
    files = {f"cards/{at}.md": b"\n" * 100_000 for at in range(40)}
    block = page_block(files)

    assert len(write_archive(files)) < MOST_RATIO * len(block)
    assert read_page(page_in(tmp_path, f"<html>{block}")) == files


def test_another_pack_takes_the_place_of_the_one_in_a_page(files: Files) -> None:
    page = f"<html><p>a</p>{page_block(files)}<p>z</p>".encode()
    changed = with_block(page, {"a.md": b"a"}, "page.html")

    assert changed == f"<html><p>a</p>{page_block({'a.md': b'a'})}<p>z</p>".encode()


def test_what_people_said_at_work_is_neither_in_page_nor_pack() -> None:
    store = Store.in_memory()
    origin = Origin(type="user_confirmed", episode_ids=("ep_1", "ep_2"))
    with store.transaction() as tx:
        experiences.save(
            tx, Experience(id="exp_a", kind="process", name="周报", origin=origin)
        )
        episodes.put_all(
            tx,
            [
                Episode(id="ep_1", type="weekly", text="王小明 gave notice"),
                Episode(id="ep_2", type="document", text="the style guide"),
            ],
        )
    files = export_pack(store, PackInfo(name="p", version="1.0.0"), ["exp_a"]).files
    shown = snapshot_of(store, title="p", members=["exp_a"], work=False)
    text = "".join(map(str, map(open_block, shown["blocks"])))
    assert "gave notice" not in text + str(files)
    assert "style guide" in text
    assert b"style guide" in b"".join(files.values())


@pytest.mark.parametrize("start", [b"", b"PK\x03\x04", b"{", b"<svg>", b"html"])
def test_other_files_are_no_pages(start: bytes) -> None:
    assert not is_page(start)


def test_a_page_has_no_more_members_than_an_archive() -> None:
    with pytest.raises(RefusedError):
        page_block(dict.fromkeys(map(str, range(MOST_FILES + 1)), b""))
