"""Markdown of people and packs as HTML that can do nothing but be read."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markupsafe import Markup

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

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    return made.disable("image")
