"""`python -m bench [NAME …]`: measure, and print a line a figure or a table."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench import (
    hint,
    history,
    hosts,
    learning,
    match,
    meaning,
    packs,
    redaction,
    request,
    site,
    site_build,
    site_peers,
    start,
    stream,
)
from bench.harness import Figure

SECTIONS: Mapping[str, Callable[[int, Path], Iterator[Figure]]] = {
    "start": start.figures,
    "packs": packs.figures,
    "history": history.figures,
    "request": request.figures,
    "hosts": hosts.figures,
    "site": site.figures,
    "pages": site_build.figures,
    "peers": site_peers.figures,
    "redaction": redaction.figures,
    "learning": learning.figures,
    "match": match.figures,
    "stream": stream.figures,
    "hint": hint.figures,
    "meaning": meaning.figures,
}
"""Every section: gives its figures for a number of experiences and a folder."""

_HEAD = """\
| figure | measured | anchor | ratio | aim | holds |
|---|---:|---:|---:|---|---|"""

_MEMORY = Path("/dev/shm")  # a tmpfs; a disk's own pace would drown the rest


def main() -> None:
    """Run the sections that were named, or all of them."""
    options = _options()
    if options.format == "table":
        print(_HEAD)
    place = _MEMORY if _MEMORY.is_dir() else None
    for name in options.sections or SECTIONS:
        for size in options.size:
            with tempfile.TemporaryDirectory(prefix="bench-", dir=place) as folder:
                for figure in SECTIONS[name](size, Path(folder)):
                    print(_line(figure, options.format), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="NAME", help=", ".join(SECTIONS))
    parser.add_argument(
        "--size", type=int, nargs="+", default=[10_000], help="number of experiences"
    )
    parser.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        default="table",
        help="a line of JSON a figure; else a Markdown table",
    )
    options = parser.parse_args()
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    return options


def _line(figure: Figure, form: str) -> str:
    """Give a line of JSON, or a row of a Markdown table."""
    found = figure.to_dict()
    if form == "json":
        return json.dumps(found, ensure_ascii=False)
    holds = {True: "yes", False: "**no**", None: ""}[figure.holds]
    anchor = f"{figure.anchor_value:.3g}" if figure.anchor else ""
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    shown = f"{figure.value:.3g} {figure.unit}"
    cells = (figure.name, shown, anchor, ratio, found["aim"] or "", holds)
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
