"""What a site has beside its pages: styles, search, feed, map, images, downloads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from textwrap import wrap
from unicodedata import east_asian_width

from experience_pack.formats.versions import RENDERER
from experience_pack.model import KINDS, Json
from experience_pack.packs.archive import write_archive
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.layout import Files
from experience_pack.packs.source import bundle_of
from experience_pack.resources import read_resource
from experience_pack.site.catalogue import Catalogue, Shelf
from experience_pack.site.explore import Explored
from experience_pack.site.frame import STYLES, Frame
from experience_pack.site.inline import viewer_script, viewer_style
from experience_pack.site.pages import Page
from experience_pack.site.words import value_of
from experience_pack.store import Store, renders
from experience_pack.store.renders import SKILL_KINDS

FEED = 50
"""Changes in the feed: a reader that comes weekly misses none."""

LINE_CELLS = 30
"""Width of a line of an image; a Chinese character takes two cells."""

LINES = 3
"""Lines of an image; a longer title ends in an ellipsis."""


class Extras:
    """Gives every file of a site that is no page of its own making."""

    def __init__(
        self, store: Store, catalogue: Catalogue, frame: Frame, pages: Sequence[Page]
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._frame = frame
        self._pages = pages
        self._digests = {row.id: row.digest for row in catalogue.rows}

    def all(self) -> Iterator[Page]:
        """Give the files, each with the key of what it depends on."""
        yield from self._assets()
        yield from Explored(self._catalogue, self._frame, self._pages).all()
        yield self._feed()
        yield self._image("og/site.svg", self._catalogue.title, "", self._count())
        for shelf in self._catalogue.shelves:
            yield from self._downloads(shelf)
            info = shelf.info
            name, path = info.title or info.name, f"og/{shelf.path}.svg"
            yield self._image(path, name, self._catalogue.title, info.version)
        yield from self._skills()
        if self._catalogue.url:
            shown = [one.path for one in self._pages]
            yield self._made("sitemap.xml", "sitemap.xml", shown)

    def _made(self, path: str, template: str, values: Json) -> Page:
        key = self._frame.key(template, path, values)
        return Page(path, key, lambda: self._frame.render(template, path, it=values))

    def _text(self, path: str, text: str) -> Page:
        return Page(path, self._frame.key("", path, text), lambda: text)

    def _assets(self) -> Iterator[Page]:
        for name in STYLES:
            yield self._text(f"assets/{name}", self._frame.style(name))
        yield self._text("assets/viewer.css", viewer_style())
        yield self._text("assets/viewer.js", viewer_script())
        yield self._text("assets/icon.svg", read_resource("viewer", "icon.svg"))
        for name in ("search.js", "explore.js"):
            script = read_resource("site_templates", "site", name)
            yield self._text(f"assets/{name}", script)
        kinds = {kind: value_of(self._frame.say, "kind", kind) for kind in KINDS}
        yield self._made("search.html", "search", kinds)
        yield self._made("explore.html", "explore", None)

    def _feed(self) -> Page:
        values = [
            {
                "name": row.name,
                "about": row.about,
                "updated": row.updated_at,
                "urn": f"{row.id}:{row.digest}",
                "path": self._catalogue.paths[row.id],
            }
            for row in self._catalogue.latest(FEED)
        ]
        return self._made("feed.xml", "feed.xml", values)

    def _count(self) -> str:
        return self._frame.say("count", n=len(self._catalogue.rows))

    def _image(self, path: str, name: str, above: str, below: str) -> Page:
        lines = [*islice(_lines(name), LINES + 1)]
        if len(lines) > LINES:
            lines = [*lines[: LINES - 1], f"{lines[LINES - 1]}…"]
        values = {"name": name, "above": above, "below": below, "lines": lines}
        return self._made(path, "og.svg", values)

    def _downloads(self, shelf: Shelf) -> Iterator[Page]:
        """Give the pack as it is now, without counters: both files of one export."""
        made: list[Files] = []

        def files() -> Files:
            if not made:
                options = ExportOptions(standing=False)
                members = shelf.members
                exported = export_pack(self._store, shelf.info, members, options)
                made.append(exported.files)
            return made[0]

        content = [(one, self._digests.get(one)) for one in shelf.members]
        values = [shelf.info.to_dict(), content]
        path = f"{shelf.path}/{shelf.info.name}"
        for ending, write in (
            ("xpack", lambda: write_archive(files())),
            ("json", lambda: json.dumps(bundle_of(files()), ensure_ascii=False)),
        ):
            name = f"{path}.{ending}"
            yield Page(name, self._frame.key("", name, values), write)

    def _skills(self) -> Iterator[Page]:
        """Give each experience that an agent can read as a skill in that form."""
        for row in self._catalogue.rows:
            if row.kind in SKILL_KINDS:
                make = partial(renders.skill, self._store, row.id)
                path = self._catalogue.paths[row.id].removesuffix(".html") + ".md"
                yield Page(path, f"{RENDERER} {row.digest}", make)


def _lines(text: str) -> Iterator[str]:
    """Cut a title into lines that fit an image; Chinese breaks anywhere."""
    for line in wrap(text, LINE_CELLS):
        part, width = "", 0
        for char in line:
            cells = 2 if east_asian_width(char) in "WF" else 1
            if width + cells > LINE_CELLS:
                yield part
                part, width = "", 0
            part, width = part + char, width + cells
        yield part
