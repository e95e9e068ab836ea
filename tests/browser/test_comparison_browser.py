"""The page about changes, as a reader has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from experience_pack.model import Experience
from experience_pack.packs.compare import advise, compare
from experience_pack.site.comparison import page_of_versions, render_comparison

pytestmark = pytest.mark.browser

LONG = "https://example.org/" + "very-long-path/" * 20
Contents = dict[str, dict[str, Any]]

BEFORE: Contents = {
    "a": {"name": "发布补丁", "description": "Tag it. Then publish.", "notes": LONG},
    "b": {"name": "Yank " + "x" * 120, "notes": "旧的说明"},
}
AFTER: Contents = {
    "a": {"name": "发布版本", "description": "Tag it. Then announce.", "notes": "短"},
    "c": {"name": "回滚", "logic": {"path": [{"action": "停服务", "tool": "ssh"}]}},
}

# WCAG 2.2: relative luminance and contrast ratio, of elements with text
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d");
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const worst = [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((one) => {
      const pair = [light(rgb(getComputedStyle(one).color)), light(ground(one))].sort();
      return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    });
  return Math.min(...worst);
}"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    sides = [
        {
            one: Experience.from_dict({"id": one, "kind": "process", **fields})
            for one, fields in contents.items()
        }
        for contents in (BEFORE, AFTER)
    ]
    found = compare(*sides)
    page = page_of_versions("releases", "1.0.0 → 2.0.0", "en", found, advise(found))
    path = tmp_path / "changes.html"
    path.write_text(render_comparison(page), "utf-8")
    return path


@pytest.fixture(params=["light", "dark"])
def opened(
    chromium: Browser, file: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, list[str]]]:
    """The page on a narrow phone, with all that it asked for or complained of."""
    context = chromium.new_context(
        color_scheme=request.param, viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    noted: list[str] = []
    page.on("console", lambda message: noted.append(message.text))
    page.on("pageerror", lambda error: noted.append(str(error)))
    page.on("request", lambda asked: noted.append(asked.url))
    page.goto(file.as_uri())
    yield page, noted
    context.close()


def test_it_asks_for_nothing_and_complains_of_nothing(
    opened: tuple[Page, list[str]], file: Path
) -> None:
    page, noted = opened

    assert [one for one in noted if not one.startswith("data:")] == [file.as_uri()]
    assert page.locator("h2").count() == 3


def test_nothing_runs_out_of_a_narrow_screen(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_all_text_can_be_read(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened

    assert page.evaluate(CONTRAST) >= 4.5


def test_the_style_is_in_force_in_both_themes(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened
    grounds = page.evaluate(
        "[...document.querySelectorAll('ins, del')]"
        ".map((one) => getComputedStyle(one).backgroundColor)"
    )

    assert "rgba(0, 0, 0, 0)" not in grounds
    assert len(set(grounds)) == 2
