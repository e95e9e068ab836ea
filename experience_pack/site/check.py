"""`site check`: what a visitor or a strict host would stumble over in a built site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from experience_pack.errors import NotFoundError
from experience_pack.workspace.files import file_errors

MOST_PAGE_BYTES = 400_000
"""A page of text; more is slow on a phone. The viewer's page holds everything."""

WHOLE = "explore.html"
"""The page that is a snapshot: one file with all the content inside."""

LOADING = {
    "script": "src", "img": "src", "iframe": "src", "audio": "src", "video": "src",
    "source": "src", "embed": "src", "object": "data",
}  # fmt: skip
"""Elements that load what their attribute names."""

LOADED_LINKS = ("stylesheet", "icon", "preload", "modulepreload", "manifest")

RULES: Mapping[str, str] = {
    "link": "leads nowhere",
    "anchor": "names a place that is not there",
    "external": "would be loaded from elsewhere",
    "policy": "has no content security policy as the first thing of its head",
    "label": "has no text for who cannot see it",
    "language": "does not say its language",
    "title": "has no title",
    "size": "is larger than a page should be",
}
"""Every rule and what it says of the place."""


class Problem(NamedTuple):
    """One thing that is wrong with a page."""

    page: str
    rule: str
    detail: str


def check(target: Path) -> list[Problem]:
    """Give what is wrong with the pages of a built site, in the order of pages."""
    if not (target / "index.html").is_file():
        raise NotFoundError(
            f"there is no site in {target}",
            hint="`experience-pack site build` makes one.",
        )
    pages: dict[str, _Page] = {}
    with file_errors(target):
        for file in sorted(target.rglob("*.html")):
            path = file.relative_to(target).as_posix()
            pages[path] = _Page(path, file.read_text("utf-8"))
    return [
        problem
        for page in pages.values()
        for problem in (*page.problems(), *_broken(page, pages, target))
    ]


class _Page(HTMLParser):
    """Reads one page and notes what the rules ask for."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self._bytes = len(text.encode("utf-8"))
        self._head: list[str] = []
        self._policy = False
        self._language = ""
        self._title = ""
        self._inside = ""
        self._unlabelled: list[str] = []
        self._labels: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        given = {name: value or "" for name, value in attrs}
        self.places.update(filter(None, [given.get("id")]))
        self._inside = tag
        if tag == "html":
            self._language = given.get("lang", "")
        elif tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self._policy = self._head == ["head"]
        elif tag in ("a", "area") and "href" in given:
            self.links.append(given["href"])
        elif tag == "label":
            self._labels.add(given.get("for", ""))
        self._note_loading(tag, given)
        self._note_label(tag, given)
        self._head.append(tag) if tag != "html" else None

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if self._inside == "title":
            self._title += data

    def problems(self) -> Iterator[Problem]:
        """Give what the page lacks by itself."""
        if not self._policy:
            yield self._problem("policy", "")
        if not self._language and self.path != WHOLE:
            yield self._problem("language", "")
        if not self._title.strip():
            yield self._problem("title", "")
        for shown in self._unlabelled:
            if shown.partition("#")[2] not in self._labels:
                yield self._problem("label", shown)
        for address in self.loads:
            parts = urlsplit(address)
            if parts.netloc or parts.scheme not in ("", "data"):
                yield self._problem("external", address)
        if self._bytes > MOST_PAGE_BYTES and self.path != WHOLE:
            yield self._problem("size", f"{self._bytes:,} bytes")

    def _note_loading(self, tag: str, given: Mapping[str, str]) -> None:
        if tag in LOADING and LOADING[tag] in given:
            self.loads.append(given[LOADING[tag]])
        if tag == "link" and given.get("rel") in LOADED_LINKS:
            self.loads.append(given.get("href", ""))

    def _note_label(self, tag: str, given: Mapping[str, str]) -> None:
        named = given.get("aria-label") or given.get("aria-labelledby")
        if tag == "img" and "alt" not in given:
            self._unlabelled.append("img")
        if tag in ("input", "select", "textarea") and not named:
            self._unlabelled.append(f"{tag}#{given.get('id', '?')}")

    def _problem(self, rule: str, detail: str) -> Problem:
        return Problem(self.path, rule, detail[:200])


def _broken(page: _Page, pages: Mapping[str, _Page], target: Path) -> Iterator[Problem]:
    """Give the links that lead nowhere inside the site."""
    for address in (*page.links, *page.loads):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        path = _joined(page.path, unquote(parts.path))
        if path is None or not (target / path).is_file():
            yield Problem(page.path, "link", address[:200])
        elif not _has_place(pages.get(path), unquote(parts.fragment)):
            yield Problem(page.path, "anchor", address[:200])


def _has_place(page: _Page | None, fragment: str) -> bool:
    """Tell whether a fragment is there; the viewer makes its own when it opens."""
    return not (page and fragment) or page.path == WHOLE or fragment in page.places


def _joined(page: str, address: str) -> str | None:
    """Give what a relative address means on a page; None if it leads out."""
    if not address:
        return page
    folder = page.split("/")[:-1]
    for part in address.split("/"):
        if part == "..":
            if not folder:
                return None
            folder.pop()
        elif part not in ("", "."):
            folder.append(part)
    return "/".join(folder)
