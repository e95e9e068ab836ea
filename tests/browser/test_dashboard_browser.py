"""The live dashboard as its person has it: a code, the viewer, what waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from experience_pack.hosts.dashboard import Dashboard
from experience_pack.model import Experience
from experience_pack.store import experiences, standings
from experience_pack.workspace.folder import Folder, create
from tests.browser.conftest import Visit, watch
from tests.browser.test_site_pages import WIDTHS
from tests.serving import serving
from tests.site_project import fill

NEW = Experience(id="exp_new", kind="lesson", name="先写测试", text="再写代码。")

Enter = Callable[..., Visit]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    found = create(tmp_path)
    fill(found)
    yield found
    found.close()


@pytest.fixture
def dashboard(folder: Folder) -> Iterator[Dashboard]:
    with serving(folder, writable=True) as found:
        yield found


@pytest.fixture
def enter(chromium: Browser, dashboard: Dashboard) -> Iterator[Enter]:
    contexts = []

    def open_it(code: str = "", **settings: object) -> Visit:
        context = chromium.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        found = Visit(context.new_page(), dashboard.address)
        found.page.set_default_timeout(10_000)
        watch(found)
        found.go()
        found.page.keyboard.type(code or dashboard.house.token)
        found.page.keyboard.press("Enter")
        return found

    yield open_it
    for context in contexts:
        context.close()


def opened(visit: Visit) -> Page:
    visit.page.locator("[data-row]").first.wait_for()
    return visit.page


def test_the_code_opens_it_and_is_in_no_address_page_or_store(
    enter: Enter, dashboard: Dashboard
) -> None:
    visit = enter()
    page = opened(visit)
    page.locator("[data-row]").first.click()
    page.locator(".detail h2").wait_for()
    code = dashboard.house.token
    kept = page.evaluate("JSON.stringify([localStorage, document.cookie])")
    assert code not in page.content() + page.url + kept
    assert not [address for address in visit.requests if code in address]
    assert visit.complaints == []
    assert all(address.startswith(dashboard.address) for address in visit.requests)


def test_a_wrong_code_says_so_and_shows_nothing(enter: Enter) -> None:
    page = enter("wrong").page
    expect(page.locator("#wrong")).to_be_visible()
    assert page.locator("[data-row]").count() == 0
    expect(page.locator("#code")).to_be_focused()


def test_what_is_learned_appears_while_a_reader_reads(
    enter: Enter, folder: Folder
) -> None:
    page = opened(enter())
    page.keyboard.press("/")
    page.keyboard.type("测试")
    expect(page.locator(".tally")).to_contain_text("0 of 42")
    with folder.store.transaction() as tx:
        experiences.save(tx, NEW)
    expect(page.locator("[data-row]").filter(has_text="先写测试")).to_be_visible()
    page.keyboard.press("Backspace")  # the search has kept focus and caret
    expect(page.locator("input.search")).to_have_value("测")


def test_what_is_open_stays_open_when_something_else_changes(
    enter: Enter, folder: Folder
) -> None:
    page = opened(enter())
    page.locator("[data-row]").filter(has_text="Free a full disk").click()
    title = page.locator(".detail h2")
    expect(title).to_have_text("Free a full disk")
    with folder.store.transaction() as tx:
        experiences.save(tx, NEW)
    expect(page.locator(".tally")).to_contain_text("43 of 43")
    expect(title).to_have_text("Free a full disk")


def test_a_text_is_approved_by_keyboard_alone(enter: Enter, folder: Folder) -> None:
    page = opened(enter())
    page.locator("#items summary").first.wait_for(state="attached")
    page.locator("#waiting > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    page.keyboard.press("Enter")
    expect(page.locator("#done")).not_to_be_empty()
    seen = standings.seen_here(folder.store)
    assert len([one for one in seen.values() if one.approved_digest]) == 1


def test_a_text_that_changes_under_the_reader_is_not_approved(
    enter: Enter, folder: Folder
) -> None:
    page = opened(enter())
    page.locator("#waiting > summary").click()
    item = page.locator("#items details").filter(has_text="Free a full disk").first
    item.locator("summary").click()
    page.route("**/api/snapshot", lambda route: route.fulfill(status=304))
    (identity,) = experiences.find(folder.store, "Free a full disk")
    with folder.store.transaction() as tx:
        one = experiences.get(tx, identity)
        experiences.save(tx, replace(one, notes="rm -rf /"))
    item.locator("button").click()
    expect(page.locator("#done")).to_have_text(
        "It changed while you read it. Read it again."
    )
    assert not [
        one for one in standings.seen_here(folder.store).values() if one.approved_digest
    ]


def test_a_dashboard_that_ended_says_so_and_comes_back(enter: Enter) -> None:
    page = opened(enter())
    page.route("**/api/**", lambda route: route.abort())
    expect(page.locator("#lost")).to_be_visible()
    page.unroute("**/api/**")
    expect(page.locator("#lost")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_nothing_before_and_after_the_code(
    enter: Enter, scheme: str, locale: str
) -> None:
    look = {"color_scheme": scheme, "locale": locale, "bypass_csp": True}
    before = enter("wrong", **look)
    expect(before.page.locator("#wrong")).to_be_visible()
    found = Axe().run(before.page)
    assert found.violations_count == 0, found.generate_report()
    page = opened(enter(**look))
    page.locator("#waiting > summary").click()
    page.locator("#items summary").first.click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows(enter: Enter, width: int) -> None:
    page = opened(enter(viewport={"width": width, "height": 800}))
    page.locator("#waiting > summary").click()
    page.locator("#items summary").first.click()
    wider = (
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    assert not page.evaluate(wider)


def test_an_empty_workspace_shows_what_will_come(
    chromium: Browser, tmp_path: Path
) -> None:
    folder = create(tmp_path)
    with serving(folder) as dashboard:
        page = chromium.new_page()
        page.goto(dashboard.address)
        page.keyboard.type(dashboard.house.token)
        page.keyboard.press("Enter")
        expect(page.locator(".nothing")).to_be_visible()
        shown = page.evaluate(
            "fetch('/api/review', {headers: {Authorization: 'Bearer ' + "
            f"{json.dumps(dashboard.house.token)}}}}}).then((a) => a.json())"
        )
        page.close()
    folder.close()
    assert shown == {"count": 0, "items": [], "writable": False}
