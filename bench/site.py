"""The snapshot in one HTML file: making it, and opening it in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.browser import CHROMIUM, opened, slowest_key
from bench.harness import Aim, Figure, Run, Work, interleaved, median_seconds
from bench.workspace import Filled
from experience_pack.model import Json
from experience_pack.site.inline import render_snapshot
from experience_pack.snapshot import snapshot_of
from experience_pack.snapshot.blocks import open_block

AIMS = {
    "seconds": Aim(most=3.5),  # index, words, blocks, deflate and page on top of JSON
    "bytes": Aim(most=0.45),  # the content travels deflated, in base64
    "list": Aim(most=1.5, of="value"),  # seconds: nobody waits longer and stays
    "memory": Aim(most=400, of="value"),  # megabytes: a phone's tab has not much more
    "nodes": Aim(most=1000, of="value"),  # what is not seen is not in the page
    "key": Aim(most=100, of="value"),  # milliseconds: felt as at once
}

THREAD_AIMS = {1_000: 0.5, 10_000: 0.1, 100_000: 0.03}
"""Main thread as a multiple of a plain table: ours grows only with the index."""

_PLAIN = """<!doctype html><meta charset="utf-8"><title>{{ title }}</title><table>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>"""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the cost and the size of a snapshot, and what opening it costs."""
    filled = Filled(folder, size)
    yield from _making_figures(filled, size)
    if CHROMIUM.exists():
        yield from _opening_figures(filled, size, folder)
    else:
        print(f"no browser at {CHROMIUM}: opening a snapshot was not measured")


def _making_figures(filled: Filled, size: int) -> Iterator[Figure]:
    tasks = {"subject": lambda: _snapshot(filled), "anchor": lambda: _dumps(filled)}
    runs = interleaved(tasks, 5 if size <= 10_000 else 1)
    yield Figure(
        name=f"site snapshot {size:,}",
        value=median_seconds(runs["subject"]),
        unit="s",
        aim=AIMS["seconds"],
        anchor="json.dumps of the same experiences",
        anchor_value=median_seconds(runs["anchor"]),
    )
    yield Figure(
        name=f"site snapshot {size:,}: size",
        value=len(_page(filled)) / 1e6,
        unit="MB",
        aim=AIMS["bytes"],
        anchor="the content as JSON",
        anchor_value=sum(map(len, filled.lines())) / 1e6,
    )
    yield _peak(runs, size)


def _peak(runs: dict[str, list[Run]], size: int) -> Figure:
    return Figure(
        name=f"site snapshot {size:,}: peak memory",
        value=max(run.megabytes for run in runs["subject"]),
        unit="MB",
        anchor="the anchor's",
        anchor_value=max(run.megabytes for run in runs["anchor"]),
    )


def _opening_figures(filled: Filled, size: int, folder: Path) -> Iterator[Figure]:
    ours, plain = folder / "ours.html", folder / "plain.html"
    ours.write_bytes(_page(filled))
    plain.write_text(_plain_page(_document(filled)), "utf-8")
    repeats = 3 if size <= 10_000 else 1
    found = opened({ours: "experience-viewer [data-row]", plain: "tr"}, repeats)
    mine, other = found[ours], found[plain]
    yield Figure(
        name=f"site open {size:,}: main thread",
        value=mine.thread_seconds,
        unit="s",
        aim=Aim(most=THREAD_AIMS.get(size, 0.1)),
        anchor="plain table of the same rows",
        anchor_value=other.thread_seconds,
    )
    for name, unit, key in (
        ("first list", "s", "list"),
        ("memory", "MB", "memory"),
        ("DOM nodes", "nodes", "nodes"),
    ):
        yield Figure(
            name=f"site open {size:,}: {name}",
            value=getattr(mine, _FIELDS[key]),
            unit=unit,
            aim=AIMS[key],
            anchor="the plain table's",
            anchor_value=getattr(other, _FIELDS[key]),
        )
    yield _typing_figure(ours, size)


def _typing_figure(page: Path, size: int) -> Figure:
    keys = [slowest_key(page, "[data-row]", words) for words in _WORDS]
    return Figure(
        name=f"site filter {size:,}: slowest key",
        value=max(keys),
        unit="ms",
        aim=AIMS["key"],
    )


_WORDS = ("release notes", "会议纪要")

_FIELDS = {"list": "list_seconds", "memory": "megabytes", "nodes": "nodes"}


def _snapshot(filled: Filled) -> Work:
    def work() -> str:
        return str(len(_page(filled)))

    return work


def _page(filled: Filled) -> bytes:
    return render_snapshot(_document(filled)).encode("utf-8")


def _document(filled: Filled) -> dict[str, Json]:
    return snapshot_of(filled.open().store, title="bench", language="en", mask_len=80)


def _dumps(filled: Filled) -> Work:
    records = [json.loads(line) for line in filled.lines()]

    def work() -> str:
        return str(len(json.dumps(records, ensure_ascii=False).encode()))

    return work


def _plain_page(document: dict[str, Json]) -> str:
    """Give what a snapshot lists, six cells a row, as any template would write it."""
    from jinja2 import Environment

    index = open_block(document["index"])
    cells = [
        index["name"],
        index["description"],
        [index["kinds"][at] for at in index["kind"]],
        [index["categories"][at] for at in index["category"]],
        [index["levels"][at] for at in index["level"]],
        index["score"],
    ]
    rows = zip(*cells, strict=True)
    template = Environment(autoescape=True).from_string(_PLAIN)
    return template.render(title=document["title"], rows=rows)
