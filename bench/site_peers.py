"""Other generators on the pages of the same content: whole processes, CPU time."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.harness import Aim, Figure, process_seconds
from bench.site_build import OPTIONS, markdown_pages
from bench.workspace import Filled

MKDOCS_AIM = Aim(most=0.6)
"""Issue 8: beside the generator that people reach for first."""

_LAYOUT = "<!doctype html><title>{{ .Title }}</title><main>{{ .Content }}</main>"


class Peer(NamedTuple):
    """Another generator."""

    program: str
    lay_out: Callable[[Path, Mapping[str, str]], None]
    """Writes its project: the pages by name, and what it wants beside them."""
    words: Sequence[str]
    aim: Aim | None = None


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give our build beside each generator that is installed (`--group peers`)."""
    if size > 10_000:
        return
    place = folder / "site-peers"
    place.mkdir()
    filled = Filled(place, size)
    opened = filled.open()
    pages = markdown_pages(opened, OPTIONS)
    opened.close()
    program = [
        sys.executable,
        "-m",
        "experience_pack",
        "site",
        "build",
        "--language=en",
    ]
    ours = process_seconds([*program, "-o", str(place / "ours")], filled.project)
    for peer in PEERS:
        path = shutil.which(peer.program, path=str(Path(sys.executable).parent))
        if path is None:
            print(f"{peer.program} is not installed: not measured")
            continue
        project = place / peer.program
        peer.lay_out(project, pages)
        yield Figure(
            name=f"site build {size:,}, process, beside {peer.program}",
            value=ours,
            unit="s",
            aim=peer.aim,
            anchor=f"{peer.program} on the same pages, without navigation",
            anchor_value=process_seconds([path, *peer.words], project),
        )


def _mkdocs(project: Path, pages: Mapping[str, str]) -> None:
    _write(project / "docs", pages, "# {name}\n\n{text}")
    (project / "docs" / "index.md").write_text("# index\n", "utf-8")
    text = "site_name: bench\nnav: [index.md]\nplugins: []\n"
    (project / "mkdocs.yml").write_text(text, "utf-8")


def _pelican(project: Path, pages: Mapping[str, str]) -> None:
    head = "Title: {name}\nDate: 2026-12-01\n\n{text}"
    _write(project / "content", pages, head)


def _hugo(project: Path, pages: Mapping[str, str]) -> None:
    _write(project / "content", pages, '---\ntitle: "{name}"\n---\n{text}')
    layouts = project / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(_LAYOUT, "utf-8")
    kinds = '["taxonomy", "term", "RSS", "sitemap", "section", "home", "404"]'
    text = f'title = "bench"\nbaseURL = "/"\ndisableKinds = {kinds}\n'
    (project / "hugo.toml").write_text(text, "utf-8")


def _write(folder: Path, pages: Mapping[str, str], form: str) -> None:
    folder.mkdir(parents=True)
    for at, (name, text) in enumerate(pages.items()):
        page = form.format(name=name.replace('"', ""), text=text)
        (folder / f"page-{at}.md").write_text(page, "utf-8")


PEERS = (
    Peer("mkdocs", _mkdocs, ("build", "-q"), MKDOCS_AIM),
    Peer("hugo", _hugo, ("--quiet",)),
    Peer("pelican", _pelican, ("content", "-q")),
)
