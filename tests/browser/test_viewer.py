from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from experience_pack.packs.page import page_block
from experience_pack.snapshot.blocks import open_block, pack_block
from experience_pack.snapshot.document import build_document
from tests.fixtures.snapshot.rows import document, rows

pytestmark = pytest.mark.browser

Open = Callable[..., Any]

COUNT_NODES = """() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  let count = 0;
  while (walker.nextNode()) count += 1;
  return count;
}"""


def tally(page: Page) -> str:
    return page.locator(".tally span").first.inner_text()


def names(page: Page) -> list[str]:
    return page.locator(".row .name").all_inner_texts()


def ids(found: dict[str, Any], name: str) -> list[str]:
    index = open_block(found["index"])
    rows = zip(index["id"], index["name"], strict=True)
    return [id_ for id_, each in rows if each.startswith(name)]


def open_id(visit: Any, id_: str) -> Page:
    page: Page = visit.go(f"#{id_}")
    page.wait_for_selector(".detail h3")
    return page


def test_opens_from_disk_quietly(visit: Open) -> None:
    found = visit(document(300))
    found.page.locator(".row").first.click()
    found.page.wait_for_selector(".detail h3")

    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith("data:")] == [found.url]


def test_a_page_that_is_a_pack_opens_as_quietly(visit: Open) -> None:
    found = visit(document(30), page_block({"README.md": b"<!-- <script>"}))

    assert "30" in tally(found.page)
    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith("data:")] == [found.url]


@pytest.mark.parametrize("count", [0, 1, 10_000])
def test_page_stays_small(visit: Open, count: int) -> None:
    page = visit(document(count)).page
    page.wait_for_selector(".work")
    for row in page.locator(".row").all()[:3]:
        row.click()

    assert page.evaluate(COUNT_NODES) <= 1000


def test_opens_where_base64_is_read_the_old_way(visit: Open) -> None:
    found = visit(document(30))
    found.page.add_init_script("delete Uint8Array.fromBase64")
    found.page.reload()

    assert tally(found.page) == "30 of 30"
    assert found.complaints == []


def test_page_stays_small_when_everything_is_long(visit: Open) -> None:
    many = [f"item {at}" for at in range(500)]
    change = {"path": "goal", "op": "changed", "before": "a b c", "after": "a d c"}
    content = {
        "kind": "process",
        "requires": many,
        "links": [{"relation": "see_also", "target": name} for name in many],
        "logic": {
            "triggers": many,
            "references": [f"https://example.org/{name[5:]}" for name in many],
            "path": [{"action": n, "tool": n, "expect": n, "verify": n} for n in many],
            "branches": [{"if": name, "then": name, "why": name} for name in many],
        },
        "exemplars": many,
        "tests": {"must_match": many, "must_not_match": many},
    }
    long = next(rows(1))._replace(
        id="exp_long",
        content=json.dumps(content),
        tags=tuple(many),
        versions=[{"id": 1, "created_at": "", "changes": [change] * 50}] * 50,
    )
    others = [
        row._replace(category=f"c{number}", kind=f"k{number}")
        for number, row in enumerate(rows(600))
    ]
    head: dict[str, Any] = {"title": "t", "generated_at": "", "language": "en"}
    page = open_id(visit(build_document([long, *others], **head)), "exp_long")

    assert page.evaluate("document.querySelectorAll('*').length") <= 1000


def test_empty_snapshot_says_what_will_come(visit: Open) -> None:
    page = visit(document(0)).page

    expect(page.get_by_text("Nothing has been learned here yet")).to_be_visible()
    expect(page.get_by_text("No request has been answered yet")).to_be_visible()


@pytest.mark.parametrize(
    "words", ["release ledger", "REPORT june", "归档 采购", "复盘 六月", "utc 时区"]
)
def test_search_finds_what_has_all_words(visit: Open, words: str) -> None:
    given = document(600)
    index = open_block(given["index"])
    page = visit(given).page
    page.get_by_role("searchbox").fill(words)
    texts = [
        f"{name} {about} {more}".lower()
        + " ".join(index["tag_names"][at] for at in tags)
        for name, about, more, tags in zip(
            index["name"],
            index["description"],
            index["words"],
            index["tags"],
            strict=True,
        )
    ]
    count = sum(all(word in text for word in words.lower().split()) for text in texts)

    assert count
    assert tally(page) == f"{count} of 600"


def test_search_without_result_offers_a_way_back(visit: Open) -> None:
    page = visit(document(50)).page
    page.get_by_role("searchbox").fill("no such thing")
    expect(page.get_by_text("Nothing matches.")).to_be_visible()
    page.get_by_role("button", name="Clear").click()

    assert tally(page) == "50 of 50"


@pytest.mark.parametrize(
    ("label", "value", "count_of"),
    [
        ("Kind", "habit", "kinds"),
        ("Category", "财务", "categories"),
        ("Level", "raw", "levels"),
    ],
)
def test_choice_narrows_the_list(
    visit: Open, label: str, value: str, count_of: str
) -> None:
    given = document(240)
    page = visit(given).page
    page.get_by_label(label, exact=True).select_option(value)

    assert tally(page) == f"{given['counts'][count_of][value]} of 240"


def test_tag_of_an_experience_narrows_the_list(visit: Open) -> None:
    page = visit(document(240)).page
    page.get_by_role("searchbox").fill("publish")
    page.locator(".row").first.click()
    page.locator(".detail").get_by_role("button", name="pypi").click()

    assert page.get_by_label("Tag", exact=True).input_value() == "pypi"
    assert tally(page) == "20 of 240"


@pytest.mark.parametrize("order", ["score", "updated", "name", "kind"])
def test_list_can_be_ordered(visit: Open, order: str) -> None:
    given = document(60)
    index = open_block(given["index"])
    page = visit(given).page
    page.get_by_label("Order").select_option(order)
    shown = [int(row) for row in page.eval_on_selector_all(".row", READ_ROWS)]
    keys: dict[str, Callable[[int], Any]] = {
        "score": lambda row: -index["score"][row],
        "kind": lambda row: index["kinds"][index["kind"][row]],
    }

    assert len(shown) > 5
    if order in keys:
        assert shown == sorted(shown, key=keys[order])
    if order == "updated":
        stamps = [index["updated"][row] for row in shown]
        assert stamps == sorted(stamps, reverse=True)
    if order == "name":
        assert names(page)[0].startswith("Draft the April report")


READ_ROWS = "rows => rows.map(row => row.dataset.row)"


def test_experience_reads_as_a_recipe(visit: Open) -> None:
    given = document(24)
    page = open_id(visit(given), ids(given, "Publish")[0])
    detail = page.locator(".detail")

    assert detail.locator("h2").inner_text().startswith("Publish a patch release")
    headings = detail.locator("h3").all_inner_texts()
    wanted = ["Goal", "Steps", "Special cases", "Tried with", "Notes", "History"]
    assert [heading for heading in headings if heading in wanted] == wanted
    assert detail.locator("ol").first.locator("> li").count() == 5
    expect(detail.locator(".branch").first).to_contain_text("If the upload says")
    expect(detail.locator(".prose h4")).to_have_text("Before the first time")
    expect(detail.locator(".prose pre")).to_contain_text("keyring set https://")


def test_habit_reads_as_when_and_do(visit: Open) -> None:
    given = document(24)
    found = visit(given)
    page = open_id(found, ids(given, "When a test")[0])
    expect(page.locator(".detail p.do code")).to_have_text("pytest -p randomly")
    page = open_id(found, ids(given, "不要")[0])

    expect(page.locator(".detail p.avoid")).to_have_text("直接修改科目表")


def test_lesson_opens_the_document_it_rests_on(visit: Open) -> None:
    given = document(24)
    page = open_id(visit(given), ids(given, "Never delete")[0])
    detail = page.locator(".detail")
    expect(detail.locator("blockquote")).to_contain_text("Two customers")
    detail.get_by_text("what the customers saw").click()

    expect(detail.locator("pre").first).to_contain_text("released files are never")


def test_change_is_marked_in_the_words(visit: Open) -> None:
    given = document(200)
    page = visit(given).page
    for id_ in ids(given, "Publish"):
        page.evaluate("id => { location.hash = id }", id_)
        page.wait_for_function(
            "id => document.querySelector('.row[aria-selected=true]')"
            " && document.querySelector('.detail h3')",
            arg=id_,
        )
        if page.locator(".change ins").count():
            break

    expect(page.locator(".change ins").first).not_to_be_empty()


def test_related_experience_is_a_link(visit: Open) -> None:
    given = document(24)
    page = open_id(visit(given), ids(given, "Never delete")[0])
    link = page.locator(".relations a").first
    title = link.inner_text()
    link.click()

    expect(page.locator(".detail h2")).to_have_text(title)


def test_address_that_is_no_web_page_is_no_link(visit: Open) -> None:
    given = document(24)
    page = open_id(visit(given), ids(given, "Who to ask")[0])
    links = page.locator(".detail a.address")

    assert re.match(r"https://", links.first.get_attribute("href") or "")
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    assert links.count() == 1
    expect(page.locator(".detail")).to_contain_text("mailto:desk@example.org")


def test_raw_json_is_there_on_demand(visit: Open) -> None:
    given = document(24)
    id_ = ids(given, "Draft")[0]
    page = open_id(visit(given), id_)
    page.get_by_text("Raw JSON").click()
    shown = json.loads(page.locator(".detail > details pre").inner_text())

    assert shown["id"] == id_
    assert shown["content"]["kind"] == "result"


def test_keyboard_reaches_everything(visit: Open) -> None:
    page = visit(document(300)).page
    page.wait_for_selector(".row")
    page.keyboard.press("/")
    page.keyboard.type("report")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = page.locator(".row.active .name").inner_text()
    assert active == names(page)[1]
    page.keyboard.press("Enter")
    expect(page.locator(".detail h2")).to_have_text(active)
    expect(page.locator(".detail")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".detail h2")).to_have_count(0)
    expect(page.get_by_role("listbox", name="Experiences")).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.press("Escape")

    assert tally(page) == "300 of 300"


def test_end_and_home_travel_the_whole_list(visit: Open) -> None:
    page = visit(document(2000)).page
    listbox = page.get_by_role("listbox", name="Experiences")
    listbox.focus()
    first = page.locator(".row.active .name").inner_text()
    page.keyboard.press("End")
    expect(page.locator(".row.active")).to_have_attribute("aria-posinset", "2000")
    page.keyboard.press("Home")

    expect(page.locator(".row.active .name")).to_have_text(first)


def test_address_with_an_id_opens_it(visit: Open) -> None:
    given = document(1000)
    id_ = open_block(given["index"])["id"][777]
    page = open_id(visit(given), id_)

    expect(page.locator(".detail h2")).to_have_text(
        open_block(given["index"])["name"][777]
    )
    expect(page.locator(".row[aria-selected=true]")).to_be_in_viewport()


def test_back_returns_to_what_was_open(visit: Open) -> None:
    page = visit(document(30)).page
    titles = names(page)
    for row in (0, 2):
        page.locator(".row").nth(row).click()
        expect(page.locator(".detail h2")).to_have_text(titles[row])
    page.go_back()

    expect(page.locator(".detail h2")).to_have_text(titles[0])


def test_unknown_id_is_named(visit: Open) -> None:
    page = visit(document(3)).go("#exp_nowhere")

    expect(page.get_by_text("There is no experience exp_nowhere here.")).to_be_visible()


def test_language_can_be_switched(visit: Open) -> None:
    page = visit(document(30)).page
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_label("类型", exact=True)).to_be_visible()
    assert tally(page) == "30 / 30 条"
    page.get_by_role("button", name="English").click()

    assert tally(page) == "30 of 30"


@pytest.mark.parametrize(
    ("written", "reader", "shown"),
    [
        ("zh", "en-GB", "所有类型"),
        ("", "zh-CN", "所有类型"),
        ("", "de-DE", "All kinds"),
    ],
)
def test_language_follows_the_document_then_the_reader(
    visit: Open, written: str, reader: str, shown: str
) -> None:
    page = visit(document(5, language=written), locale=reader).page

    expect(page.locator("select").first).to_contain_text(shown)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_theme_follows_the_reader_and_can_be_switched(visit: Open, scheme: str) -> None:
    page = visit(document(5), color_scheme=scheme).page
    page.wait_for_selector(".row")
    colour = "() => getComputedStyle(document.documentElement).backgroundColor"
    before = page.evaluate(colour)
    page.locator(".theme").click()
    after = page.evaluate(colour)

    paper = {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 23, 28)"}
    assert before == paper.pop(scheme)
    assert after == next(iter(paper.values()))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("count", [0, 3, 1000])
def test_no_text_is_clipped_at_any_width(
    visit: Open, count: int, scheme: str, language: str
) -> None:
    given = document(count, language=language, activity=ACTIVITY if count else {})
    found = visit(given, color_scheme=scheme)
    for width in (360, 800, 1280):
        found.page.set_viewport_size({"width": width, "height": 800})
        found.page.wait_for_selector(".work")
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.page.evaluate(CLIPPED) == []
    assert found.complaints == []


CLIPPED = """() => [...document.querySelectorAll("h1, h2, p, button, summary, dt, dd")]
  .filter((node) => node.checkVisibility() && node.textContent.trim())
  .filter((node) => getComputedStyle(node).textOverflow !== "ellipsis")
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .filter((node) => !node.matches(".unseen, .bar"))
  .map((node) => node.outerHTML.slice(0, 120))"""
"""Texts that are wider than their box without a sign that there is more."""


def test_a_hundred_thousand_experiences_are_listed_searched_and_opened(
    visit: Open,
) -> None:
    found = visit(document(100_000))
    page = found.page
    page.locator(".row").first.wait_for()
    page.locator("input.search").fill("patch release")
    expect(page.locator(".tally span").first).not_to_contain_text("100,000 of")
    page.locator(".row").first.click()
    expect(page.locator(".detail h2")).to_contain_text("patch release")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(COUNT_NODES) <= 1000
    assert found.complaints == []


@pytest.mark.parametrize("width", [1280, 900, 390, 320])
def test_nothing_overflows(visit: Open, width: int) -> None:
    given = document(24, title="W" * 300)
    found = visit(given, viewport={"width": width, "height": 800})
    page = open_id(found, ids(given, "Publish")[0])

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_count_is_spoken_after_a_rest(visit: Open) -> None:
    page = visit(document(240)).page
    page.get_by_role("searchbox").fill("publish")

    expect(page.get_by_role("status")).to_have_text("20 of 240")


def test_table_is_read_without_javascript(visit: Open) -> None:
    page = visit(document(1234), java_script_enabled=False).page

    said = page.get_by_text("Showing the latest 120 of 1,234 experiences")
    expect(said).to_be_visible()
    expect(page.locator("tbody tr").last).to_be_visible()


ACTIVITY = {
    "days": ["2026-11-29", "2026-11-30"],
    "outcomes": {
        "execute": [1, 4],
        "assist": [0, 2],
        "hint": [0, 0],
        "delegate": [3, 0],
    },
    "grown": [["2026-11-01", 3], ["2026-11-20", 40]],
    "saved": 5,
    "waiting": 2,
}


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ("5 model calls were not needed", "From 3 to 40 experiences",
                "2 wait for your word", "5 executed, 2 assisted")),
        ("zh", ("5 次无需调用模型", "从 3 条增长到 40 条",
                "2 条等待你确认", "5 已执行")),
    ],
)  # fmt: skip
def test_what_happened_is_told_in_sentences(
    visit: Open, language: str, sentences: tuple[str, ...]
) -> None:
    found = visit(document(40, activity=ACTIVITY, language=language))
    page = found.page
    page.wait_for_selector(".activity")
    for sentence in sentences:
        expect(page.locator(".activity")).to_contain_text(sentence)
    for chart in page.locator(".activity svg").all():
        assert chart.get_attribute("aria-label")
    assert found.complaints == []


JUDGED = {"allowed": 0.01, "executed": 60, "labelled": 40, "wrong": 1, "rate": 0.025,
          "bound": 0.1133}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "judged", "sentence"),
    [
        ("en", JUDGED, "observed 2.5 %, at most 11.3 % with 95 % confidence"),
        ("zh", JUDGED, "观测值 2.5 %，95 % 置信上限 11.3 %"),
        ("en", {**JUDGED, "labelled": 0}, "nobody has judged one yet"),
        ("zh", {**JUDGED, "labelled": 0}, "尚无人评判"),
    ],
)
def test_the_error_budget_is_shown_with_its_interval(
    visit: Open, language: str, judged: dict[str, float], sentence: str
) -> None:
    activity = {**ACTIVITY, "budget": judged}
    found = visit(document(40, activity=activity, language=language))

    expect(found.page.locator(".activity")).to_contain_text(sentence)
    assert found.complaints == []


def test_what_helped_leads_to_the_experience(visit: Open) -> None:
    given = document(40)
    (identity,) = open_block(given["index"])["id"][:1]
    stale = {"count": 1, "first": [[identity, 120]]}
    activity = {"helped": [[identity, 9]], "stale": stale}
    page = visit(document(40, activity=activity)).page
    page.locator(".activity .named a").first.click()
    page.wait_for_selector(".detail h3")
    expect(page.locator(".activity")).to_contain_text("120 days")


def test_decisions_say_what_was_passed_over(visit: Open) -> None:
    decision = {"decision": "delegate", "input": "整理 …", "created_at": "2026-11-30",
                "skipped": [["Tidy up", "unreviewed"]]}  # fmt: skip
    page = visit(document(3, decisions=[decision])).page
    page.locator(".more summary").first.click()
    expect(page.locator(".more")).to_contain_text("Tidy up (not reviewed yet)")


def test_families_are_trees_and_a_circle_does_no_harm(visit: Open) -> None:
    found = list(rows(6))
    ids = [row.id for row in found]
    parents = ["", ids[0], ids[1], ids[5], "", ids[3]]
    family = [
        row._replace(family="报表", parent_id=parent)
        for row, parent in zip(found, parents, strict=True)
    ]
    given = build_document(family, title="T", generated_at="", language="en")
    page = visit(given).page
    page.locator(".more summary").first.click()
    expect(page.locator(".more .tree a")).to_have_count(6)
    third = "> li > ul > li > ul > li > ul > li"
    expect(page.locator(f".more .tree {third}")).to_have_count(1)


def test_axe_finds_nothing_in_a_full_snapshot(visit: Open) -> None:
    for scheme in ("light", "dark"):
        given = document(
            60, activity=ACTIVITY, goals=[{"title": "Ship", "status": "active"}]
        )
        page = visit(given, color_scheme=scheme, bypass_csp=True).page
        page.locator(".row").first.click()
        page.wait_for_selector(".detail h3")
        for summary in page.locator(".more summary").all():
            summary.click()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_unknown_kind_and_wrong_types_are_shown_anyway(visit: Open) -> None:
    given = document(3)
    found = visit(given)
    page = found.page
    page.evaluate(
        """async () => {
          const content = {kind: "ritual", logic: {path: "just do it", goal: 7},
            exec: [], tests: 3, links: {relation: 1}, origin: "x", notes: {a: 1},
            match: null, exemplars: "one", future: {b: 2}, trigger: [1]};
          const block = async value => {
            const stream = new Blob([JSON.stringify(value)]).stream()
              .pipeThrough(new CompressionStream("deflate-raw"));
            const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
            return btoa(String.fromCharCode(...bytes));
          };
          const index = {id: ["x y%"], name: ["n"], description: [""], kind: [0],
            category: [0], level: [0], score: [0.5], tags: [[]], updated: [""],
            words: [""], kinds: ["ritual"], categories: [""], levels: ["mythical"],
            tag_names: []};
          const rows = [{content, standing: null, versions: "v", backlinks: null}];
          const data = {format: "snapshot", version: [1, 9], title: "T", starts: [0],
            language: "en", index: await block(index), goals: "z",
            activity: {days: "x", outcomes: 3, grown: [1, ["a", "b"]], helped: [[1], 2],
              stale: {count: 1, first: "y"}, waiting: {}, saved: []},
            decisions: [{skipped: 4, sources: 7}, null],
            blocks: [await block({rows, episodes: {}})]};
          await ExperienceViewer.render(data, document.body);
        }"""
    )
    page.locator(".row").click()

    expect(page.locator(".detail")).to_contain_text("just do it")
    expect(page.locator(".detail")).to_contain_text("ritual")
    for summary in page.locator(".more summary").all():
        summary.click()
    assert found.complaints == []


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"format": "snapshot", "version": [2, 0]}, "a newer release (2.0)"),
        ({"format": "other"}, "it is not a snapshot document"),
        ({}, "it is not a snapshot document"),
    ],
)
def test_foreign_document_is_refused_with_a_sentence(
    visit: Open, data: dict[str, Any], sentence: str
) -> None:
    page = visit(document(1)).page
    page.wait_for_selector(".row")
    page.evaluate("data => ExperienceViewer.render(data, document.body)", data)

    expect(page.get_by_role("alert")).to_contain_text(sentence)


def test_hostile_text_is_only_text(visit: Open, hostile: list[str]) -> None:
    texts = cycle(hostile)
    found = visit(poison(document(len(hostile)), lambda: next(texts)))
    page = found.page
    page.wait_for_selector(".row")

    assert page.evaluate(OPEN_ALL) == len(hostile)
    assert page.locator("experience-viewer :is(img, svg, iframe, object)").count() == 0
    assert page.locator("a[href^='javascript' i]").count() == 0
    # a dialog, an error and a refusal of the policy would all be complaints
    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith("data:")] == [found.url]


OPEN_ALL = """async () => {
  const list = document.querySelector(".rows");
  const seen = new Set();
  const pause = () =>
    new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  for (let top = 0; top <= list.scrollHeight; top += 256) {
    list.scrollTop = top;
    await pause();
    for (const row of [...document.querySelectorAll(".row")]) {
      if (seen.has(row.dataset.row)) continue;
      seen.add(row.dataset.row);
      row.click();
      for (let tries = 0; tries < 50; tries += 1) {
        await pause();
        if (document.querySelector(".detail > details")) break;
      }
      for (const node of document.querySelectorAll("details")) node.open = true;
    }
  }
  return seen.size;
}"""


def poison(given: dict[str, Any], text: Callable[[], str]) -> dict[str, Any]:
    """Put hostile text in every field, and in the name of one more."""

    def spoil(value: Any) -> Any:
        if isinstance(value, str):
            return text()
        if isinstance(value, list):
            return [spoil(item) for item in value]
        if isinstance(value, dict):
            return {key: spoil(item) for key, item in value.items()}
        return value

    index = open_block(given["index"])
    lists = {"kinds", "categories", "levels", "tag_names", "name", "description"}
    for key in lists | {"words", "updated"}:
        index[key] = spoil(index[key])
    blocks = []
    for block in map(open_block, given["blocks"]):
        rows = [{**spoil(row), text(): 1} for row in block["rows"]]
        blocks.append(pack_block(json.dumps({"rows": rows, "episodes": {}})))
    return {
        **given,
        "title": text(),
        "generated_at": text(),
        "decisions": spoil(given["decisions"]),
        "index": pack_block(json.dumps(index)),
        "blocks": blocks,
    }


def test_what_is_beyond_the_first_steps_can_be_unfolded(visit: Open) -> None:
    given = document(1)
    block = open_block(given["blocks"][0])
    path = [{"action": f"step {at}"} for at in range(1, 101)]
    block["rows"][0]["content"]["logic"] = {"path": path}
    page = visit({**given, "blocks": [pack_block(json.dumps(block))]}).page
    page.locator(".row").click()
    page.get_by_text("and 80 more").click()

    expect(page.get_by_text("step 20", exact=True)).to_be_visible()
    rest = page.locator(".detail ol").last
    expect(rest).to_have_attribute("start", "21")
    expect(rest.locator("li").last).to_have_text("step 100")
