"""The snapshot in one HTML file, beside plain JSON of the same experiences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.harness import Aim, Figure, Work, interleaved, median_seconds
from bench.workspace import Filled
from experience_pack.site.inline import render_snapshot
from experience_pack.snapshot import snapshot_of

AIMS = {
    "seconds": Aim(most=3.5),  # index, words, blocks, deflate and page on top of JSON
    "bytes": Aim(most=0.45),  # the content travels deflated, in base64
}


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the cost and the size of a snapshot."""
    filled = Filled(folder, size)
    tasks = {"subject": lambda: _snapshot(filled), "anchor": lambda: _dumps(filled)}
    runs = interleaved(tasks, 3 if size <= 10_000 else 1)
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
    yield Figure(
        name=f"site snapshot {size:,}: peak memory",
        value=max(run.megabytes for run in runs["subject"]),
        unit="MB",
        anchor="the anchor's",
        anchor_value=max(run.megabytes for run in runs["anchor"]),
    )


def _snapshot(filled: Filled) -> Work:
    def work() -> str:
        return str(len(_page(filled)))

    return work


def _page(filled: Filled) -> bytes:
    folder = filled.open()
    document = snapshot_of(folder.store, title="bench", language="en", mask_len=80)
    return render_snapshot(document).encode("utf-8")


def _dumps(filled: Filled) -> Work:
    records = [json.loads(line) for line in filled.lines()]

    def work() -> str:
        return str(len(json.dumps(records, ensure_ascii=False).encode()))

    return work
