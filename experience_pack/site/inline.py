"""One self-contained HTML file of a snapshot: works from disk, loads nothing."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from heapq import nlargest
from urllib.parse import quote

from experience_pack.model.record import Json
from experience_pack.resources import read_resource
from experience_pack.site.templates import render
from experience_pack.snapshot.blocks import open_block

VIEWER_SCRIPTS = (
    "strings.js",
    "dom.js",
    "prose.js",
    "snapshot.js",
    "list.js",
    "summary.js",
    "charts.js",
    "activity.js",
    "filters.js",
    "parts.js",
    "detail.js",
    "more.js",
    "experience-viewer.js",
)
"""The viewer's modules, each after those that it imports."""

VIEWER_STYLES = (
    "tokens.css",
    "experience-viewer.css",
    "summary.css",
    "activity.css",
    "list.css",
    "detail.css",
    "screens.css",
)
"""The viewer's style sheets; later ones refine earlier ones."""

PLAIN_ROWS = 120
"""Rows of the table that is read without JavaScript: a few screens, and few
enough that the page stays under 1,000 nodes until the viewer takes over."""

_IMPORT = re.compile(r"^import\s[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE
)


def render_snapshot(document: Mapping[str, Json], block: str = "") -> str:
    """Give the whole HTML file for a document of `build_document`.

    `block` is the element by which the page is a pack, too (`packs.page`).
    """
    style, script = viewer_style(), viewer_script()
    return render(
        "snapshot.html.j2",
        document=document,
        rows=_plain_rows(document),
        icon="data:image/svg+xml," + quote(read_resource("viewer", "icon.svg")),
        policy=content_policy(style, script),
        style=style,
        script=script,
        payload=script_json(document),
        block=block,
    )


def content_policy(style: str, script: str) -> str:
    """Give the policy that lets exactly this style and this script run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_source_hash(script)}'",
            f"style-src '{_source_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def style_policy(style: str) -> str:
    """Give the policy of a page with this style, and no script at all."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_source_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def script_json(value: Json) -> str:
    """Give JSON that a `<script>` element can hold: ASCII, without `<`, `>`, `&`."""
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@cache
def viewer_style() -> str:
    """Give the viewer's styles as one text."""
    return "".join(read_resource("viewer", name) for name in VIEWER_STYLES)


@cache
def viewer_script() -> str:
    """Give the viewer as one classic script, which also runs from `file://`.

    Browsers refuse to load modules from disk, so each module becomes a function
    that gives what it exports; only `ExperienceViewer` is seen from outside.
    """
    modules = "".join(
        _enclosed(read_resource("viewer", name)) for name in VIEWER_SCRIPTS
    )
    return (
        '"use strict";\nglobalThis.ExperienceViewer = (() => {\n'
        f"{modules}return ExperienceViewer;\n}})();\n"
    )


def _enclosed(module: str) -> str:
    exported = ", ".join(_EXPORT.findall(module))
    body = _EXPORT.sub("", _IMPORT.sub("", module))
    return (
        f"const {{ {exported} }} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
    )


def _source_hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")


def _plain_rows(document: Mapping[str, Json]) -> list[dict[str, Json]]:
    """Give the rows that were changed last, with names in place of numbers."""
    index = open_block(document["index"])
    updated = index["updated"]
    latest = nlargest(PLAIN_ROWS, range(len(updated)), key=lambda at: (updated[at], at))
    return [
        {
            "name": index["name"][at],
            "description": index["description"][at],
            "kind": index["kinds"][index["kind"][at]],
            "score": index["score"][at],
        }
        for at in latest
    ]
