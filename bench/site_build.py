"""Building the static site, beside the barest loop that gives the same pages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.harness import Aim, Figure, Work, interleaved, median_seconds
from bench.workspace import Filled
from experience_pack.site.build import SiteOptions, build, catalogue_of
from experience_pack.site.catalogue import Catalogue
from experience_pack.site.frame import Frame
from experience_pack.site.templates import environment
from experience_pack.snapshot.row import SnapshotRow
from experience_pack.store import experiences, renders
from experience_pack.workspace.folder import Folder

FULL_AIM = Aim(most=1.6)
"""Issue 8: a page is more than Markdown in a frame, but not much dearer."""

BYTES_AIM = Aim(most=1.3)
"""Issue 8: whoever hosts it pays for bytes."""

CHANGE_AIM = Aim(most=0.1)
"""Issue 8: one change, one page."""

OPTIONS = SiteOptions(title="bench", language="en")

_BARE = (
    '{% extends "site/base.html.j2" %}{% block title %}{{ name }} · {{ site.title }}'
    "{% endblock %}{% block about %}{{ about }}{% endblock %}"
    "{% block main %}{{ body|safe }}{% endblock %}"
)


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give a full build, its bytes, and a build after one change."""
    if size > 10_000:
        return
    place = folder / "site-build"
    place.mkdir()
    filled = Filled(place, size)
    runs = interleaved(
        {
            "subject": lambda: _build(filled, place),
            "anchor": lambda: _bare(filled, place),
        },
        3,
    )
    full, bare = median_seconds(runs["subject"]), median_seconds(runs["anchor"])
    yield Figure(
        name=f"site build {size:,}",
        value=full,
        unit="s",
        aim=FULL_AIM,
        anchor="markdown-it and Jinja2 with the same frame and content",
        anchor_value=bare,
    )
    yield Figure(
        name=f"site build {size:,}: bytes of its pages",
        value=int(runs["subject"][0].digest) / 1e6,
        unit="MB",
        aim=BYTES_AIM,
        anchor="the loop's",
        anchor_value=int(runs["anchor"][0].digest) / 1e6,
    )
    yield Figure(
        name=f"site build {size:,} after one change",
        value=_after_change(filled, place),
        unit="s",
        aim=CHANGE_AIM,
        anchor="the full build",
        anchor_value=full,
    )


def _fresh(place: Path, name: str) -> Path:
    return place / f"{name}-{time.monotonic_ns()}"


def _build(filled: Filled, place: Path) -> Work:
    folder, target = filled.open(), _fresh(place, "site")

    def work() -> str:
        build(folder, target, OPTIONS)
        pages = (target / "experiences").glob("*-????????.html")
        return str(sum(page.stat().st_size for page in pages))

    return work


def _bare(filled: Filled, place: Path) -> Work:
    from markdown_it import MarkdownIt

    folder, target = filled.open(), _fresh(place, "bare")
    catalogue = catalogue_of(folder, OPTIONS)
    texts = [*zip(catalogue.rows, _texts(folder, catalogue), strict=True)]
    target.mkdir()

    def work() -> str:
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        page = environment().from_string(_BARE)
        frame = Frame(catalogue)
        total = 0
        for number, (row, text) in enumerate(texts):
            shown = {"name": row.name, "about": row.about}
            body = markdown.render(text)
            html = frame.fill(page, "experiences/x.html", body=body, **shown)
            data = html.encode("utf-8")
            (target / f"{number}.html").write_bytes(data)
            total += len(data)
        return str(total)

    return work


def markdown_pages(folder: Folder, options: SiteOptions) -> dict[str, str]:
    """Give what each page says as Markdown, by its name and id."""
    catalogue = catalogue_of(folder, options)
    texts = _texts(folder, catalogue)
    names = (f"{row.name} {row.id[-6:]}" for row in catalogue.rows)
    return dict(zip(names, texts, strict=True))


def _texts(folder: Folder, catalogue: Catalogue) -> list[str]:
    bodies = {one: written.card for one, _, written in renders.of_all(folder.store)}
    return [_markdown(row, bodies[row.id], catalogue) for row in catalogue.rows]


def _markdown(row: SnapshotRow, card: str, catalogue: Catalogue) -> str:
    """Give what a page says as Markdown: the card's text, and what is known of it."""
    parts = [card.partition("\n---\n")[2], f"## Trust\n\n{row.level} {row.score:.2f}\n"]
    links = [
        f"- {relation} [{catalogue.names[one]}](../{catalogue.paths[one]})"
        for relation, one in (*catalogue.links.get(row.id, ()), *row.backlinks)
        if one in catalogue.names
    ]
    tags = [f"- [{tag}](../tags/{tag}.html)" for tag in row.tags]
    parts += ["## Tags\n\n" + "\n".join(tags)]
    parts += ["## Related\n\n" + "\n".join(links)] if links else []
    history = [f"1. {one['created_at'][:10]} {one['note']}" for one in row.versions]
    return "\n\n".join([*parts, "## History\n\n" + "\n".join(history)])


def _after_change(filled: Filled, place: Path) -> float:
    folder, target = filled.open(), _fresh(place, "changed")
    build(folder, target, OPTIONS)
    identity = next(iter(experiences.digests(folder.store)))
    one = experiences.get(folder.store, identity)
    with folder.store.transaction() as tx:
        experiences.save(tx, replace(one, notes="one change"))
    start = time.process_time()
    build(folder, target, OPTIONS)
    return time.process_time() - start
