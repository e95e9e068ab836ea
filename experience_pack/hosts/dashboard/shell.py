"""What the dashboard shows to anybody: a page without a word of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from experience_pack.resources import read_resource
from experience_pack.site.inline import viewer_script, viewer_style
from experience_pack.site.templates import render

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

WORDS: Mapping[str, tuple[str, str]] = {
    "code": ("The code that your terminal shows", "终端里显示的代码"),
    "open": ("Open", "打开"),
    "wrong": ("This is not the code.", "代码不对。"),
    "lost": (
        "The dashboard has ended. Start `experience-pack site serve` again.",
        "仪表盘已结束，请重新运行 `experience-pack site serve`。",
    ),
    "waiting": ("Waiting for your word", "等待你确认"),
    "read": ("Read it", "阅读"),
    "approve": ("Approve exactly this text", "批准这段文字"),
    "approved": ("Approved.", "已批准。"),
    "changed": (
        "It changed while you read it. Read it again.",
        "内容已变化，请重新阅读。",
    ),
    "look_twice": ("Look twice", "请再看一眼"),
    "needs_script": ("The dashboard needs JavaScript.", "仪表盘需要 JavaScript。"),
}
"""Every text of the page: English, then Chinese."""


class Asset(NamedTuple):
    """A file that anybody may have."""

    media: str
    make: Callable[[], str]


def page(title: str, language: str) -> str:
    """Give the page in a language, `en` or `zh`."""
    at = 1 if language == "zh" else 0
    words = {key: texts[at] for key, texts in WORDS.items()}
    tongue = "zh-CN" if at else "en"
    return render("live/index.html.j2", title=title, language=tongue, words=words)


def _styles() -> str:
    return viewer_style() + read_resource("site_templates", "live", "live.css")


ASSETS: Mapping[str, Asset] = {
    "/assets/viewer.js": Asset("text/javascript", viewer_script),
    "/assets/live.js": Asset(
        "text/javascript", lambda: read_resource("site_templates", "live", "live.js")
    ),
    "/assets/live.css": Asset("text/css", _styles),
    "/assets/icon.svg": Asset(
        "image/svg+xml", lambda: read_resource("viewer", "icon.svg")
    ),
}


@cache
def asset(path: str) -> bytes:
    """Give a file by its path."""
    return ASSETS[path].make().encode("utf-8")
