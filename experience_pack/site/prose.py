"""Markdown of people and packs as HTML that can do nothing but be read."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markupsafe import Markup

PAGE_LEVELS = 2
"""Headings above a text: the page's own and its part's."""

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&#!:=+-]|\n|\d[.)]|^ {4}")
"""What could mean anything in Markdown; without it a text is one paragraph."""


def prose(text: str) -> Markup:
    """Give the HTML of a Markdown text; HTML in it is shown, never obeyed."""
    from markupsafe import Markup

    if not _MARKUP.search(text):
        return Markup("<p>{}</p>\n").format(text)
    return Markup(_markdown().render(text))  # noqa: S704  # markdown-it escapes it


def inline_prose(text: str) -> Markup:
    """Give the HTML of one line of Markdown, without a paragraph around it."""
    from markupsafe import Markup, escape

    if not _MARKUP.search(text):
        return escape(text)
    return Markup(_markdown().renderInline(text))  # noqa: S704  # as above


@cache
def _markdown() -> MarkdownIt:
    """Give CommonMark with tables, raw HTML and images shut out.

    An image would load from wherever its author says; its text is shown as it is.
    """
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    made.core.ruler.push("unlink", _unlink)
    made.core.ruler.push("demote", _demote)
    return made


def _demote(state: StateCore) -> None:
    """Put headings of a text below those of the page that it stands on."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + PAGE_LEVELS)}"


def _unlink(state: StateCore) -> None:
    """Name where a relative link leads, since that file is not on the site."""
    for block in state.tokens:
        leads_nowhere = False
        for token in block.children or ():
            if token.type == "link_open":
                leads_nowhere = not _ABSOLUTE.match(str(token.attrs["href"]))
                if leads_nowhere:
                    token.attrs = {"title": token.attrs["href"]}
            if leads_nowhere and token.type in ("link_open", "link_close"):
                token.tag = "span"


_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
