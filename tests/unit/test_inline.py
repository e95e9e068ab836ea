from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from jinja2 import UndefinedError

from experience_pack.resources import read_resource, resource
from experience_pack.site.inline import (
    PLAIN_ROWS,
    VIEWER_SCRIPTS,
    render_snapshot,
    script_json,
    viewer_script,
    viewer_style,
)
from experience_pack.site.templates import render
from tests.fixtures.snapshot.rows import document


class Page(HTMLParser):
    """Elements with their attributes, and the text inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            tag, attributes, text = self.raw[-1]
            self.raw[-1] = (tag, attributes, text + data)


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_snapshot(document(40)))


def hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_policy_is_the_first_thing_in_head(page: Page) -> None:
    names = [tag for tag, _ in page.tags]
    _, first = page.tags[names.index("head") + 1]

    assert first["http-equiv"] == "Content-Security-Policy"
    assert (first["content"] or "").startswith("default-src 'none'; ")


def test_policy_allows_exactly_the_script_and_the_style(page: Page) -> None:
    policy = next(
        values["content"] or "" for _, values in page.tags if "http-equiv" in values
    )
    runs = [text for tag, values, text in page.raw if not values]

    assert len(runs) == 2
    assert set(re.findall(r"'sha256-[^']+'", policy)) == set(map(hashed, runs))
    assert "unsafe" not in policy


def test_page_refers_to_nothing_outside_itself(page: Page) -> None:
    addresses = [
        values[name]
        for _, values in page.tags
        for name in ("src", "href", "action", "data")
        if values.get(name)
    ]

    assert addresses
    assert all((address or "").startswith("data:") for address in addresses)
    assert "url(" not in viewer_style()
    assert "@import" not in viewer_style()


def test_page_has_no_style_or_listener_in_its_markup(page: Page) -> None:
    names = {name for _, values in page.tags for name in values}

    assert not [name for name in names if name == "style" or name.startswith("on")]


def test_page_carries_the_document_unchanged(page: Page) -> None:
    (payload,) = [text for _, values, text in page.raw if values]

    assert json.loads(payload) == document(40)


def test_title_cannot_end_its_element() -> None:
    title = "</title></script><script>alert(1)</script>"
    page = Page(render_snapshot(document(1, title=title)))

    assert [tag for tag, _ in page.tags].count("script") == 2
    (payload,) = [text for _, values, text in page.raw if values]
    assert json.loads(payload)["title"] == title


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "a & b", "\u2028\u2029", "经验", "\U0001f600"]
)
def test_script_json_is_inert_ascii_with_the_same_value(text: str) -> None:
    found = script_json({text: text})

    assert found.isascii()
    assert not set("<>&") & set(found)
    assert json.loads(found) == {text: text}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "of 1,234 experiences"), ("zh", "1,234 条经验"), ("", "of 1,234 exp")],
)
def test_plain_table_says_how_much_it_shows(language: str, sentence: str) -> None:
    found = render_snapshot(document(1234, language=language))

    assert sentence in found
    assert found.count("<tr>") == PLAIN_ROWS + 1


def test_script_leaves_no_import_or_export() -> None:
    assert not re.findall(r"^\s*(?:import|export)\b", viewer_script(), re.MULTILINE)


def test_script_and_style_cannot_end_their_elements() -> None:
    assert "</" not in viewer_style()
    assert not re.search(r"</script|<!--", viewer_script(), re.IGNORECASE)


def test_every_viewer_module_is_joined_after_its_imports() -> None:
    folder = resource("viewer")
    present = {item.name for item in folder.iterdir() if item.name.endswith(".js")}
    seen: set[str] = set()
    for name in VIEWER_SCRIPTS:
        imports = re.findall(r'^import .*"\./(.+)";', read_resource("viewer", name), 8)
        assert set(imports) <= seen
        seen.add(name)

    assert seen == present


def test_viewer_never_writes_markup_or_runs_text() -> None:
    banned = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\("
    )

    assert not re.search(banned, viewer_script())


def test_every_text_of_the_viewer_is_in_both_languages() -> None:
    table = read_resource("viewer", "strings.js").split("/** @typedef")[0]
    rows = re.findall(r'^  "?([\w.]+)"?: \[\s*(".*?"),\s*(".*?"),?\s*\]', table, 8 | 16)

    assert len(rows) > 100
    assert not [key for key, english, chinese in rows if '""' in (english, chinese)]
    slots = re.compile(r"\{\w+\}")
    for key, english, chinese in rows:
        shared = set(slots.findall(english)) - {"{n}"}
        assert shared <= set(slots.findall(chinese)), key


def test_every_text_that_the_viewer_says_is_in_its_table() -> None:
    table = read_resource("viewer", "strings.js")
    said = set(re.findall(r'\bsay\("(\w+)"', viewer_script()))

    assert said
    assert not [key for key in said if not re.search(rf"^  {key}: ", table, 8)]


def test_document_comes_before_the_script_that_reads_it(page: Page) -> None:
    kinds = [values.get("type") for tag, values, _ in page.raw if tag == "script"]

    assert all(a and not b for a, b in pairwise(kinds))


def test_template_refuses_a_missing_value() -> None:
    with pytest.raises(UndefinedError, match="document"):
        render("snapshot.html.j2")
