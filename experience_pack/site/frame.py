"""The frame around every page: its templates, its words, its address."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from experience_pack import __version__
from experience_pack.resources import read_resource, resource
from experience_pack.site import words
from experience_pack.site.catalogue import Catalogue
from experience_pack.site.prose import inline_prose, prose
from experience_pack.site.templates import environment, themed

if TYPE_CHECKING:
    from jinja2 import Template

STYLES = {"frame.css": ("frame.css",), "site.css": ("frame.css", "site.css")}
"""The parts of each style sheet; the viewer stands in the frame alone."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Only the site's own files; hashes would keep scripts from running on `file://`."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Frame:
    """Renders pages of one site."""

    def __init__(self, catalogue: Catalogue, theme: Path | None = None) -> None:
        """Take templates and `theme.css` of the theme's folder before our own."""
        self._catalogue = catalogue
        self._theme = theme
        self._environment = themed(theme) if theme else environment()
        self.say = words.sayer(catalogue.language)

    def render(self, template: str, path: str, **values: Any) -> str:
        """Give a page's HTML; `path` is where it will stand in the site."""
        ending = "" if "." in template else ".html"
        found = self._environment.get_template(f"site/{template}{ending}.j2")
        return self.fill(found, path, **values)

    def fill(self, template: Template, path: str, **values: Any) -> str:
        """Give what a template makes of the site and some values."""
        from markupsafe import Markup

        return template.render(
            site=self._catalogue,
            root="../" * path.count("/"),
            path=path,
            policy=Markup(POLICY),  # noqa: S704  # our own words
            say=self.say,
            t=self._labels,
            word=self._word,
            prose=prose,
            inline=inline_prose,
            language=self._catalogue.language or "en",
            **values,
        )

    def key(self, template: str, path: str, facts: object) -> str:
        """Give the key of a page: other facts or another frame give another."""
        whole = f"{self._key}\n{template}\n{path}\n{facts!r}"
        return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:24]

    def style(self, name: str) -> str:
        """Give one of `STYLES`, the theme's own last."""
        parts = [read_resource("site_templates", "site", one) for one in STYLES[name]]
        file = self._theme / "theme.css" if self._theme else None
        own = file.read_text("utf-8") if file and file.is_file() else ""
        return "".join([read_resource("viewer", "tokens.css"), *parts, own])

    @cached_property
    def _key(self) -> str:
        """Give a digest of all that every page depends on."""
        site = self._catalogue
        places = [resource("site_templates", "site"), *filter(None, [self._theme])]
        sources = [
            (one.name, one.read_text("utf-8"))
            for place in places
            for one in sorted(place.iterdir(), key=lambda one: one.name)
            if one.name.endswith(".j2")
        ]
        facts = [__version__, site.title, site.language, site.url]
        shown = [bool(site.decisions), bool(site.shelves)]
        text = _encode([facts, shown, words.TEXTS, sources])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    @cached_property
    def _labels(self) -> SimpleNamespace:
        """Give the texts that stand as they are, by key and ready to be shown."""
        from markupsafe import escape

        plain = (key for key in words.TEXTS if "." not in key)
        return SimpleNamespace(**{key: escape(self.say(key)) for key in plain})

    def _word(self, group: str, name: str) -> str:
        return words.value_of(self.say, group, name)
