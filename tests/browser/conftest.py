from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from experience_pack.site.inline import render_snapshot
from tests.shared_data import shared

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@dataclass
class Visit:
    """An opened page and everything that it should not have done."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def go(self, fragment: str = "") -> Page:
        self.page.goto(self.url + fragment)
        return self.page


Open = Callable[..., Visit]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=ARGUMENTS
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, tmp_path: Path) -> Iterator[Open]:
    """Write a document as a snapshot and give a visit to it from disk."""
    contexts = []

    def open_file(document: dict[str, Any], block: str = "", **settings: Any) -> Visit:
        file = tmp_path / "snapshot.html"
        file.write_text(render_snapshot(document, block), "utf-8")
        context = chromium.new_context(**settings)
        contexts.append(context)
        found = Visit(context.new_page(), file.as_uri())
        found.page.set_default_timeout(10_000)
        watch(found)
        found.go()
        return found

    yield open_file
    for context in contexts:
        context.close()


def watch(visit: Visit) -> None:
    page = visit.page
    page.on("console", lambda message: visit.complaints.append(message.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("dialog", lambda dialog: refuse(visit, dialog))
    page.on("request", lambda request: visit.requests.append(request.url))


def refuse(visit: Visit, dialog: Dialog) -> None:
    visit.complaints.append(f"dialog: {dialog.message}")
    dialog.dismiss()


@pytest.fixture(scope="session")
def hostile() -> list[str]:
    """Give a sample of payloads that run script when put raw into a page."""
    with lzma.open(shared("xss.jsonl.xz"), "rt", encoding="utf-8") as lines:
        found = [row["payload"] for row in map(json.loads, lines) if row["fires_raw"]]
    return found[:: len(found) // 200]
