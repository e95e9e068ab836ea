"""`site build`: the workspace as a folder of pages that any server, or none, shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from experience_pack.clock import seconds
from experience_pack.model import Json, Standing, without_collector
from experience_pack.runtime.audit import logs
from experience_pack.site.catalogue import Catalogue, experience_path, shelves_of
from experience_pack.site.extras import Extras
from experience_pack.site.frame import Frame
from experience_pack.site.output import Output, Written
from experience_pack.site.pages import Pages
from experience_pack.snapshot import contents_of, rows_of
from experience_pack.snapshot.activity import activity_of
from experience_pack.snapshot.document import masked
from experience_pack.store import experiences, overview, standings
from experience_pack.workspace.folder import Folder

THEME = "theme"
"""Folder of the workspace with templates and `theme.css` that replace ours."""


class SiteOptions(NamedTuple):
    """What a site shows beside the experiences and packs."""

    title: str
    language: str = ""
    url: str = ""
    """Where it will stand; without one there is no map and no canonical address."""
    decisions: bool = False
    mask_len: int = 80


@without_collector()
def build(folder: Folder, target: Path, options: SiteOptions) -> Written:
    """Write the site of a workspace; the same content gives the same bytes."""
    catalogue = catalogue_of(folder, options)
    theme = folder.path / THEME
    frame = Frame(catalogue, theme if theme.is_dir() else None)
    output = Output(target)
    pages = [*Pages(catalogue, frame).all()]
    extras = Extras(folder.store, catalogue, frame, pages)
    for page in chain(pages, extras.all()):
        output.put(*page)
    return output.finish()


def catalogue_of(folder: Folder, options: SiteOptions) -> Catalogue:
    """Give what a workspace's site shows."""
    changed = overview.last_change(folder.store)
    now = seconds(changed) if changed else 0.0
    known = standings.seen_here(folder.store)
    rows = tuple(rows_of(folder.store, known, now))
    decisions = logs(folder.store) if options.decisions else []
    return Catalogue(
        title=options.title,
        language=options.language,
        url=options.url.rstrip("/") + "/" if options.url else "",
        rows=rows,
        contents=partial(contents_of, folder.store),
        changed_at=changed,
        shelves=shelves_of(folder),
        decisions=tuple(masked(one, options.mask_len) for one in decisions),
        activity=_activity(folder, known, now),
        mask_len=options.mask_len,
        links=experiences.links(folder.store),
        paths={row.id: experience_path(row) for row in rows},
        names={row.id: row.name for row in rows},
    )


def _activity(
    folder: Folder, known: Mapping[str, Standing], now: float
) -> dict[str, Json]:
    """Give what happened; what waits for its person is nobody else's business."""
    allowed = float(folder.config["error_budget"])
    return {**activity_of(folder.store, known, now, allowed), "waiting": 0}
