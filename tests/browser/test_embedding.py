"""The viewer's three ways in, served as the plain modules that they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from experience_pack.resources import read_resource
from experience_pack.site.inline import VIEWER_SCRIPTS, script_json, viewer_style
from tests.fixtures.snapshot.rows import document

pytestmark = pytest.mark.browser

MODULE = '<script type="module" src="experience-viewer.js"></script>'


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002 - its name
        """Say nothing on standard error."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    for name in VIEWER_SCRIPTS:
        (tmp_path / name).write_text(read_resource("viewer", name), "utf-8")
    (tmp_path / "viewer.css").write_text(viewer_style(), "utf-8")
    (tmp_path / "data.json").write_text(json.dumps(document(12)), "utf-8")
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))
    )
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f'{MODULE}<experience-viewer data-api="data.json"></experience-viewer>',
            id="address",
        ),
        pytest.param(
            f"{MODULE}<experience-viewer>"
            f'<script type="application/json">{script_json(document(12))}</script>'
            "</experience-viewer>",
            id="child",
        ),
        pytest.param(
            f'<script id="notes" type="application/json">{script_json(document(12))}'
            f'</script>{MODULE}<experience-viewer data-source="notes">'
            "</experience-viewer>",
            id="id",
        ),
        pytest.param(
            '<div id="here">old</div><script type="module">'
            'import { ExperienceViewer } from "./experience-viewer.js";'
            'const data = await (await fetch("data.json")).json();'
            'await ExperienceViewer.render(data, document.getElementById("here"));'
            "</script>",
            id="call",
        ),
    ],
)
def test_every_way_in_shows_the_same(
    served: str, tmp_path: Path, page: Page, body: str
) -> None:
    style = '<link rel="stylesheet" href="viewer.css">'
    (tmp_path / "page.html").write_text(f"<!doctype html>{style}{body}", "utf-8")
    page.goto(f"{served}/page.html")

    expect(page.locator(".tally span").first).to_have_text("12 of 12")
    expect(page.locator(".row")).not_to_have_count(0)
    assert page.locator("experience-viewer").count() == 1


def test_address_that_fails_is_reported(
    served: str, tmp_path: Path, page: Page
) -> None:
    body = '<experience-viewer data-api="gone.json">Read here.</experience-viewer>'
    (tmp_path / "page.html").write_text(f"<!doctype html>{MODULE}{body}", "utf-8")
    page.goto(f"{served}/page.html")

    expect(page.get_by_role("alert")).to_contain_text("404")
    expect(page.get_by_text("Read here.")).to_be_visible()
