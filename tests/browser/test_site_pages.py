"""The site's pages in a browser, from disk, as a visitor has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from experience_pack.site.build import SiteOptions, build
from experience_pack.store import experiences
from experience_pack.workspace.folder import create
from tests.browser.conftest import Visit, watch
from tests.hostile import everywhere
from tests.site_project import SAID, fill

WIDTHS = (360, 800, 1280)

GoTo = Callable[..., Visit]


def filled(project: Path, language: str) -> Path:
    """Build a site of three packs, one of them with two versions."""
    folder = create(project)
    fill(folder, f"{SAID}\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    site = project / "site"
    build(folder, site, SiteOptions(title="Know-how 经验", language=language))
    folder.close()
    return site


@pytest.fixture(scope="module", params=["en", "zh"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return filled(tmp_path_factory.mktemp("project"), request.param)


@pytest.fixture
def go(chromium: Browser) -> Iterator[GoTo]:
    contexts = []

    def open_file(file: Path, fragment: str = "", **settings: object) -> Visit:
        context = chromium.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        found = Visit(context.new_page(), file.as_uri())
        found.page.set_default_timeout(10_000)
        watch(found)
        found.go(fragment)
        return found

    yield open_file
    for context in contexts:
        context.close()


def kinds(site: Path) -> dict[str, Path]:
    """Give a page of each kind."""
    (disk,) = site.glob("experiences/free-a-full-disk-*.html")
    (announce,) = site.glob("experiences/announce-a-release-*.html")
    versions = [
        one for one in site.glob("packs/releases/*.html") if one.name != "index.html"
    ]
    return {
        "index": site / "index.html",
        "list": site / "experiences" / "index.html",
        "pack": site / "packs" / "releases" / "index.html",
        "version": versions[0],
        "older version": versions[1],
        "experience": disk,
        "experience with a table": announce,
        "search": site / "search.html",
        "explore": site / "explore.html",
    }


KINDS = ("index", "list", "pack", "version", "older version", "experience",
         "experience with a table", "search", "explore")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(go: GoTo, site: Path, kind: str, scheme: str) -> None:
    visit = go(kinds(site)[kind], color_scheme=scheme, bypass_csp=True)
    found = Axe().run(visit.page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_or_complains(
    go: GoTo, site: Path, kind: str, width: int
) -> None:
    visit = go(kinds(site)[kind], viewport={"width": width, "height": 800})
    wider = (
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    assert not visit.page.evaluate(wider)
    assert visit.complaints == []
    assert all(address.startswith("file:") for address in visit.requests)


@pytest.mark.parametrize("words", ["会议 纪要", "release", "整理", "ＲＥＬＥＡＳＥ"])
def test_search_finds_as_it_is_typed(go: GoTo, site: Path, words: str) -> None:
    page = go(site / "search.html").page
    page.keyboard.type(words)
    page.locator("#hits a").first.click()
    assert page.locator("h1").inner_text()


def test_a_search_can_be_shared_by_its_address(go: GoTo, site: Path) -> None:
    page = go(site / "search.html", "#disk").page
    page.locator("#hits a").first.wait_for()


def test_search_without_result_says_so(go: GoTo, site: Path) -> None:
    page = go(site / "search.html").page
    page.keyboard.type("qqqq 没有")
    expect(page.locator("#found")).not_to_be_empty()
    assert page.locator("#hits a").count() == 0


def test_a_site_reads_without_javascript(go: GoTo, site: Path) -> None:
    page = go(site / "index.html", java_script_enabled=False).page
    page.locator(".rows a").first.click()
    expect(page.locator("article h1")).to_have_count(1)
    page.goto((site / "search.html").as_uri())
    assert page.locator("noscript").count() == 1


def test_the_keyboard_reaches_an_experience(go: GoTo, site: Path) -> None:
    page = go(site / "index.html").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/packs/releases/index.html")


def test_the_viewer_opens_an_experience_from_its_own_block(
    go: GoTo, site: Path
) -> None:
    visit = go(site / "explore.html")
    visit.page.get_by_role("option").filter(has_text="Free a full disk").click()
    visit.page.locator(".detail h2").filter(has_text="Free a full disk").wait_for()
    visit.page.get_by_text("Steps", exact=True).or_(
        visit.page.get_by_text("步骤", exact=True)
    ).first.wait_for()
    assert visit.complaints == []
    assert any("/assets/blocks/" in address for address in visit.requests)


@pytest.mark.parametrize("policy", ["on", "off"])
def test_hostile_text_fires_on_no_page(
    go: GoTo, tmp_path: Path, hostile: list[str], policy: str
) -> None:
    folder = create(tmp_path)
    with folder.store.transaction() as tx:
        experiences.save_all(
            tx, [everywhere(at, text) for at, text in enumerate(hostile)]
        )
    build(folder, tmp_path / "site", SiteOptions(title=hostile[0], language="en"))
    folder.close()
    pages = sorted((tmp_path / "site" / "experiences").glob("*.html"))
    visit = go(pages[0], bypass_csp=policy == "off")
    for page in (
        *pages,
        tmp_path / "site" / "index.html",
        tmp_path / "site" / "search.html",
    ):
        visit.page.goto(page.as_uri())
    assert visit.complaints == []
    assert all(address.startswith("file:") for address in visit.requests)
