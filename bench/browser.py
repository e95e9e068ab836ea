"""Open pages from disk in Chromium, each in a browser of its own, and look on."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")

_ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
_PATIENCE = (
    180_000  # milliseconds; a plain table of 100,000 rows takes most of a minute
)
_PAINTED = """() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done())))"""


class Opened(NamedTuple):
    """What opening a page cost until it stood still."""

    thread_seconds: float
    """CPU time of the page's main thread."""
    list_seconds: float
    """From opening to the first row, by the clock on the wall."""
    megabytes: float
    """Most memory that the page's process held."""
    nodes: float
    """Elements in the page."""


def opened(pages: Mapping[Path, str], repeats: int) -> dict[Path, Opened]:
    """Open files in turn; give the medians of each.

    With a file goes the selector of its rows.
    """
    found: dict[Path, list[Opened]] = {page: [] for page in pages}
    with sync_playwright() as playwright:
        for _ in range(repeats):
            for page, rows in pages.items():
                browser = playwright.chromium.launch(
                    executable_path=str(CHROMIUM), args=_ARGUMENTS
                )
                found[page].append(_open(browser, page, rows))
                browser.close()
    return {
        page: Opened(*map(statistics.median, zip(*runs, strict=True)))
        for page, runs in found.items()
    }


def _open(browser: Browser, file: Path, rows: str) -> Opened:
    page = browser.new_page()
    page.set_default_timeout(_PATIENCE)
    empty = file.with_name("empty.html")
    empty.touch()
    page.goto(empty.as_uri())  # the next file stays in this process
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _thread_seconds(session)
    start = time.perf_counter()
    page.goto(file.as_uri(), wait_until="commit")
    page.wait_for_selector(rows, state="attached")
    shown = time.perf_counter() - start
    page.wait_for_load_state("load")
    page.evaluate(_PAINTED)
    return Opened(
        _thread_seconds(session) - before, shown, _megabytes(browser), _nodes(page)
    )


_TYPED = """async (words) => {
    const field = document.querySelector("experience-viewer input[type=search]");
    let slowest = 0;
    for (let end = 1; end <= words.length; end += 1) {
        field.value = words.slice(0, end);
        const start = performance.now();
        field.dispatchEvent(new Event("input"));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        slowest = Math.max(slowest, performance.now() - start);
    }
    return slowest;
}"""


def slowest_key(file: Path, rows: str, words: str) -> float:
    """Give the milliseconds from a key to the next picture, the slowest of a text.

    The first letter, which makes what is searched, is typed before.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=_ARGUMENTS
        )
        page = browser.new_page()
        page.set_default_timeout(_PATIENCE)
        page.goto(file.as_uri())
        page.wait_for_selector(rows, state="attached")
        page.evaluate(_TYPED, words[0])
        found = float(page.evaluate(_TYPED, words))
        browser.close()
    return found


def _thread_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "ThreadTime"))


def _nodes(page: Page) -> float:
    return float(page.evaluate("document.getElementsByTagName('*').length"))


def _megabytes(browser: Browser) -> float:
    """Give the peak of the largest renderer; a spare one may wait beside it."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return max(_peak(one["id"]) for one in processes if one["type"] == "renderer")


def _peak(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    line = next(line for line in lines if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
