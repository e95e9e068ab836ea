"""The static site: what is written, when, and what it may never do."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.clock import timestamp
from experience_pack.errors import UsageError
from experience_pack.model import (
    Experience,
    Link,
    Logic,
    Match,
    Step,
)
from experience_pack.packs import releases
from experience_pack.packs.incoming import read_incoming
from experience_pack.resources import read_resource
from experience_pack.site import words
from experience_pack.site.build import SiteOptions, build
from experience_pack.site.check import check
from experience_pack.site.output import Written
from experience_pack.site.prose import prose
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder
from tests.site_project import edit, fill

ENGLISH = SiteOptions(title="Know-how", language="en")


@pytest.fixture
def filled(folder: Folder) -> Folder:
    """A workspace with three packs taken in, and one made with two versions."""
    fill(folder)
    return folder


def files_of(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def page_of(site: Path, start: str) -> str:
    (page,) = site.glob(f"experiences/{start}*.html")
    return page.read_text("utf-8")


def test_the_same_content_gives_the_same_bytes(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "one", ENGLISH)
    build(filled, tmp_path / "two", ENGLISH)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_a_second_build_writes_nothing(filled: Folder, tmp_path: Path) -> None:
    first = build(filled, tmp_path / "site", ENGLISH)
    assert build(filled, tmp_path / "site", ENGLISH) == Written(0, first.written, 0)


def test_one_change_writes_its_page_and_what_lists_it(
    filled: Folder, tmp_path: Path
) -> None:
    build(filled, tmp_path / "site", ENGLISH)
    before = files_of(tmp_path / "site")
    edit(filled, "整理共享文件夹", notes="新的一条")
    build(filled, tmp_path / "site", ENGLISH)
    after = files_of(tmp_path / "site")
    changed = {path for path in after if after[path] != before.get(path)}
    pages = {path for path in changed if path.startswith("experiences/整理共享文件夹-")}
    assert len(pages) == 2  # the page and the skill
    (block,) = changed & {path for path in after if path.startswith("assets/blocks/")}
    assert changed - pages - {block} <= {
        ".experience-site.json", "assets/snapshot.js", "feed.xml", "index.html",
    }  # fmt: skip


def test_an_incremental_build_equals_a_full_one(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "site", ENGLISH)
    edit(filled, "Free a full disk", name="Win back disk space", description="另一句")
    build(filled, tmp_path / "site", ENGLISH)
    build(filled, tmp_path / "fresh", ENGLISH)
    site, fresh = files_of(tmp_path / "site"), files_of(tmp_path / "fresh")
    assert [path for path in fresh if fresh[path] != site.get(path)] == []
    assert site.keys() == fresh.keys()


def test_what_a_person_put_there_is_left_alone(filled: Folder, tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(filled, site, ENGLISH)
    (site / "CNAME").write_text("example.org")
    with filled.store.transaction() as tx:
        (identity,) = experiences.find(filled.store, "Free a full disk")
        experiences.delete(tx, identity)
    done = build(filled, site, ENGLISH)
    assert (site / "CNAME").read_text() == "example.org"
    assert not list(site.glob("experiences/free-a-full-disk-*"))
    assert done.removed >= 2


def test_a_folder_with_anything_else_in_it_is_refused(
    filled: Folder, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        build(filled, tmp_path, ENGLISH)


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/passwd", "a/../../b"])
def test_a_forged_state_removes_nothing_outside(
    filled: Folder, tmp_path: Path, path: str
) -> None:
    site = tmp_path / "site"
    build(filled, site, ENGLISH)
    (tmp_path / "outside.txt").write_text("mine")
    (site / ".experience-site.json").write_text(json.dumps({path: "key"}))
    with pytest.raises(Exception, match="no file of a site"):
        build(filled, site, ENGLISH)
    assert (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_is_sound_wherever_the_site_stands(
    filled: Folder, tmp_path: Path, language: str
) -> None:
    options = ENGLISH._replace(language=language, decisions=True)
    build(filled, tmp_path / "site", options)
    moved = tmp_path / "some" / "sub path" / "k"
    moved.parent.mkdir(parents=True)
    shutil.move(tmp_path / "site", moved)
    assert check(moved) == []


def test_an_empty_workspace_says_what_will_come(folder: Folder, tmp_path: Path) -> None:
    build(folder, tmp_path / "site", ENGLISH)
    assert check(tmp_path / "site") == []
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Nothing has been learned here yet" in text


def test_a_version_page_marks_changes_in_their_words(
    filled: Folder, tmp_path: Path
) -> None:
    build(filled, tmp_path / "site", ENGLISH)
    newest = releases.history_of(filled, "releases").log()[0].id[:12]
    text = (tmp_path / "site/packs/releases" / f"{newest}.html").read_text("utf-8")
    assert "<ins>Say it **twice**. 说两遍。</ins>" in text
    assert "What changed since 1.0.0" in text


def test_an_experience_page_has_its_history_and_backlinks(
    folder: Folder, tmp_path: Path
) -> None:
    base = Experience(
        id="exp_" + "a" * 26,
        kind="process",
        name="清理磁盘 Clean up",
        logic=Logic(goal="Space", path=(Step(action="look at `df`"),)),
        match=Match(tags=("disk",)),
    )
    other = replace(
        base,
        id="exp_" + "b" * 26,
        name="Other",
        links=(Link(relation="see_also", target=base.id),),
    )
    with folder.store.transaction() as tx:
        experiences.save_all(tx, [base, other])
        experiences.save(tx, replace(base, notes="first find the big folders"))
    with folder.store.transaction() as tx:
        experiences.save(tx, replace(base, notes="first find the large folders"))
    build(folder, tmp_path / "site", ENGLISH)
    page = page_of(tmp_path / "site", "清理磁盘")
    assert "<del>big</del><ins>large</ins>" in page
    assert ">Other</a>" in page
    assert "look at <code>df</code>" in page


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain 文字", "<p>plain 文字</p>\n"),
        ("see [b](refs/b.md) now", '<p>see <span title="refs/b.md">b</span> now</p>\n'),
        ("[a](https://a.org)", '<p><a href="https://a.org">a</a></p>\n'),
        ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
        ("![a](https://a.org/a.png)", '<p>!<a href="https://a.org/a.png">a</a></p>\n'),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("# 题\n\n- 一", "<h3>题</h3>\n<ul>\n<li>一</li>\n</ul>\n"),
    ],
)
def test_markdown_is_shown_and_never_obeyed(text: str, html: str) -> None:
    assert prose(text) == html


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}"


def test_hostile_text_stays_text_on_every_page(folder: Folder, tmp_path: Path) -> None:
    text = f"{HOSTILE} [x](javascript:alert(3)) ![y](http://example.org/y.png)"
    one = Experience(
        id="exp_" + "a" * 26,
        kind="process",
        name=HOSTILE,
        description=text,
        category=HOSTILE,
        family=HOSTILE,
        notes=text,
        logic=Logic(goal=text, path=(Step(action=text, tool=text, expect=text),)),
        match=Match(tags=(HOSTILE, "tag"), keywords=(text,)),
    )
    twin = replace(one, id="exp_" + "b" * 26)
    with folder.store.transaction() as tx:
        experiences.save_all(tx, [one, twin])
    build(folder, tmp_path / "site", SiteOptions(title=HOSTILE, language="en"))
    for path in (tmp_path / "site").rglob("*"):
        if path.suffix in (".html", ".xml", ".svg"):
            page = path.read_text("utf-8")
            assert "<img" not in page, path
            assert "<script>alert" not in page, path
            assert 'href="javascript:' not in page, path
            assert "</script>49" not in page, path
    assert check(tmp_path / "site") == []


def test_a_feed_is_atom_with_an_id_a_version(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "site", ENGLISH._replace(url="https://example.org/k"))
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ET.parse(tmp_path / "site" / "feed.xml").getroot()
    ids = [entry.findtext(f"{atom}id") for entry in feed.iter(f"{atom}entry")]
    assert len(ids) == len(set(ids)) == len(experiences.digests(filled.store))
    assert feed.findtext(f"{atom}updated")


def test_a_map_names_every_page_under_the_address(
    filled: Folder, tmp_path: Path
) -> None:
    build(filled, tmp_path / "site", ENGLISH._replace(url="https://example.org/k"))
    text = (tmp_path / "site" / "sitemap.xml").read_text("utf-8")
    pages = list((tmp_path / "site").rglob("*.html"))
    assert text.count("<loc>https://example.org/k/") == len(pages) - 2
    assert not (tmp_path / "site" / "sitemap.xml").read_text("utf-8").count("文")


def test_without_an_address_there_is_no_map(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "site", ENGLISH)
    assert not (tmp_path / "site" / "sitemap.xml").exists()


def test_a_download_is_the_pack_itself(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "site", ENGLISH)
    for ending in ("xpack", "json"):
        found = read_incoming(tmp_path / "site/packs/releases" / f"releases.{ending}")
        assert found.info.title == "Releasing 发布"
        assert not found.standing


def test_decisions_are_shown_only_if_asked_for(filled: Folder, tmp_path: Path) -> None:
    build(filled, tmp_path / "plain", ENGLISH)
    assert not (tmp_path / "plain" / "decisions.html").exists()


def test_a_theme_stands_before_our_templates(filled: Folder, tmp_path: Path) -> None:
    theme = filled.path / "theme"
    theme.mkdir()
    (theme / "list.html.j2").write_text("mine: {{ it.count }}", "utf-8")
    (theme / "theme.css").write_text(":root { --accent: teal; }", "utf-8")
    build(filled, tmp_path / "site", ENGLISH)
    text = (tmp_path / "site" / "experiences" / "index.html").read_text("utf-8")
    assert text == f"mine: {len(experiences.digests(filled.store))}"
    style = (tmp_path / "site" / "assets" / "site.css").read_text("utf-8")
    assert style.endswith("--accent: teal; }")


def test_a_theme_of_a_stranger_reaches_nothing(filled: Folder, tmp_path: Path) -> None:
    theme = filled.path / "theme"
    theme.mkdir()
    reach = "{{ it.__class__.__mro__[1].__subclasses__() }}"
    (theme / "list.html.j2").write_text(reach, "utf-8")
    with pytest.raises(Exception, match="unsafe"):
        build(filled, tmp_path / "site", ENGLISH)


def test_the_pages_of_a_long_list_name_their_neighbours(
    folder: Folder, tmp_path: Path
) -> None:
    with folder.store.transaction() as tx:
        for at in range(450):
            one = Experience(id=f"exp_{at:026d}", kind="process", name=f"做事 {at:03d}")
            experiences.save(tx, one)
    build(folder, tmp_path / "site", ENGLISH)
    second = (tmp_path / "site" / "experiences" / "index-2.html").read_text("utf-8")
    assert "Page 2 of 3" in second
    assert 'rel="prev" href="../experiences/index.html"' in second
    assert 'rel="next" href="../experiences/index-3.html"' in second


def test_trust_is_shown_as_it_was_at_the_last_change(
    filled: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(filled, tmp_path / "one", ENGLISH)
    later = filled.store.clock() + 365 * 86_400
    monkeypatch.setattr(filled.store, "clock", lambda: later)
    build(filled, tmp_path / "two", ENGLISH)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert timestamp(later)[:4].encode() not in files_of(tmp_path / "two")["feed.xml"]


TEMPLATES = ("base", "index", "list", "pack", "version", "experience", "explore",
             "search", "decisions", "parts")  # fmt: skip


def test_every_label_is_used_and_every_used_label_is_there() -> None:
    text = "".join(
        read_resource("site_templates", "site", f"{name}.html.j2") for name in TEMPLATES
    )
    used = set(re.findall(r"\bt\.(\w+)", text)) | set(re.findall(r'say\("(\w+)"', text))
    plain = {key for key in words.TEXTS if "." not in key}
    spelled = {key for key in plain if f'"{key}"' in text}
    assert used <= plain
    assert plain == used | spelled


def test_site_and_viewer_say_the_same_words() -> None:
    viewer = read_resource("viewer", "strings.js")
    for key, (english, chinese) in words.TEXTS.items():
        if "." in key and f'"{key}": [' in viewer:
            assert f'"{key}": ["{english}", "{chinese}"]' in viewer
