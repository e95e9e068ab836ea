"""The pages of a site: where each stands, what it depends on, how it is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from experience_pack.model import Json
from experience_pack.packs.compare import advise
from experience_pack.packs.releases import between
from experience_pack.site.catalogue import (
    Catalogue,
    Group,
    Shelf,
    group_path,
    groups,
    has_page,
    packs_of,
)
from experience_pack.site.changes import shown
from experience_pack.site.frame import Frame
from experience_pack.snapshot.row import SnapshotRow
from experience_pack.store.renders import SKILL_KINDS

ROWS_A_PAGE = 200
"""Rows of a list: a screen or ten, and few enough for a quick page."""

RECENT = 20
"""Changes on the first page and in the feed's first screen."""

MOST_TAGS = 60
"""Tags on the first page, the most used first; the others are found by search."""


class Page(NamedTuple):
    """One file of a site."""

    path: str
    key: str
    """What it depends on: another key means another content."""
    make: Callable[[], str | bytes]


class _Loose(dict[str, Any]):
    """A part of the content in which what was left out is empty, as its default."""

    def __missing__(self, _: str) -> str:
        return ""


_decode = json.JSONDecoder(object_hook=_Loose).decode


class Pages:
    """Gives every page of a catalogue."""

    def __init__(self, catalogue: Catalogue, frame: Frame) -> None:
        self._catalogue = catalogue
        self._frame = frame
        self._named = sorted(catalogue.rows, key=lambda row: (row.name, row.id))
        self._groups = {
            kind: [group for group in found if has_page(group)]
            for kind, found in groups(self._named).items()
        }
        self._paged = {
            kind: {group.name: group.path for group in found}
            for kind, found in self._groups.items()
        }
        self._rows = {row.id: row for row in catalogue.rows}
        self._facts = {row.id: _facts(row) for row in catalogue.rows}
        self._by_name = {name: one for one, name in catalogue.names.items()}
        self._packs = packs_of(catalogue.shelves)

    def all(self) -> Iterator[Page]:
        """Give the pages, first what a visitor sees first."""
        yield self._index()
        yield from self._lists()
        for shelf in self._catalogue.shelves:
            yield self._pack(shelf)
            yield from self._versions(shelf)
        yield from map(self._experience, self._catalogue.rows)
        if self._catalogue.decisions:
            yield self._page("decisions.html", "decisions", self._catalogue.decisions)

    def _page(
        self, path: str, template: str, facts: object, **late: Callable[[], Any]
    ) -> Page:
        """Give a page that is made anew when its facts are others.

        Its template sees them as `it`, or what `late` works out when it is made.
        """

        def make() -> str:
            values = {"it": facts, **{name: work() for name, work in late.items()}}
            return self._frame.render(template, path, **values)

        return Page(path, self._frame.key(template, path, facts), make)

    def _lines(self, rows: Iterable[SnapshotRow]) -> list[dict[str, Json]]:
        return [_line(row, self._path(row.id)) for row in rows]

    def _index(self) -> Page:
        rows = self._catalogue.rows
        values = {
            "count": len(rows),
            "packs": [_shelf(shelf) for shelf in self._catalogue.shelves],
            "recent": self._lines(self._catalogue.latest(RECENT)),
            "groups": {
                kind: [
                    {"name": one.name, "count": len(one.rows), "path": one.path}
                    for one in found[:MOST_TAGS]
                ]
                for kind, found in self._groups.items()
            },
        }
        return self._page("index.html", "index", values)

    def _lists(self) -> Iterator[Page]:
        yield from self._list("experiences/index", "", "", self._named)
        for kind, found in self._groups.items():
            for group in found:
                yield from self._group(kind, group)

    def _group(self, kind: str, group: Group) -> Iterator[Page]:
        return self._list(group.path, kind, group.name, group.rows)

    def _list(
        self, path: str, kind: str, name: str, rows: Sequence[SnapshotRow]
    ) -> Iterator[Page]:
        """Give a list, cut into pages that each name their neighbours."""
        last = max(1, -(-len(rows) // ROWS_A_PAGE))
        for number in range(1, last + 1):
            part = rows[(number - 1) * ROWS_A_PAGE : number * ROWS_A_PAGE]
            head = {
                "kind": kind,
                "name": name,
                "count": len(rows),
                "number": number,
                "last": last,
                "path": path,
            }
            facts = (head, [self._facts[row.id] for row in part])
            it = partial(self._with_lines, head, part)
            yield self._page(_numbered(path, number), "list", facts, it=it)

    def _with_lines(
        self, head: Mapping[str, Json], rows: Sequence[SnapshotRow]
    ) -> dict[str, Json]:
        return {**head, "rows": self._lines(rows)}

    def _pack(self, shelf: Shelf) -> Page:
        values = {
            **_shelf(shelf),
            "info": {key: getattr(shelf.info, key) for key in _INFO},
            "commits": [_commit(one) for one in shelf.commits],
            "members": self._lines(
                self._rows[one] for one in shelf.members if one in self._rows
            ),
        }
        return self._page(f"{shelf.path}/index.html", "pack", values)

    def _versions(self, shelf: Shelf) -> Iterator[Page]:
        recorded = {one.id: one for one in shelf.commits}
        for commit in shelf.commits:
            before = recorded.get(commit.parents[0]) if commit.parents else None
            values = {
                **_shelf(shelf),
                "commit": _commit(commit),
                "before": _commit(before) if before else None,
            }
            path = f"{shelf.path}/{commit.id[:12]}.html"
            changed = _Changed(shelf, commit.id, before.id if before else "")
            yield self._page(path, "version", values, changed=changed)

    def _experience(self, row: SnapshotRow) -> Page:
        paged = self._paged["tags"].get
        around = {
            "back": self._back(row) if row.backlinks else (),
            "relations": self._relations(row.id),
            "packs": [_shelf(shelf) for shelf in self._packs.get(row.id, ())],
            "family": self._paged["families"].get(row.family, ""),
            "tags": [(tag, paged(tag, "")) for tag in row.tags],
        }
        return self._page(
            self._path(row.id),
            "experience",
            (self._facts[row.id], row.category, row.standing, row.versions, around),
            it=lambda: {
                "row": row._replace(score=round(row.score, 2)),
                "earned": {"success_count": 0, "failure_count": 0, **row.standing},
                "skill": row.kind in SKILL_KINDS,
                "category": group_path("categories", row.category),
                **around,
            },
            content=lambda: self._content(row),
            nothing=_Loose,
            history=lambda: [
                (one, shown(one.get("changes", ()))) for one in row.versions
            ],
        )

    def _content(self, row: SnapshotRow) -> Any:
        (found,) = self._catalogue.contents([row])
        return _decode(found.content)

    def _back(self, row: SnapshotRow) -> list[tuple[str, str, str]]:
        """Give `(relation, name, path)` of what points to an experience."""
        names = self._catalogue.names
        return [
            (relation, names[one], self._path(one))
            for relation, one in row.backlinks
            if one in names
        ]

    def _relations(self, identity: str) -> list[tuple[str, str, str]]:
        """Give `(relation, name, path)` of what an experience points to."""
        found = self._catalogue.links.get(identity, ())
        return [(relation, *self._named_path(target)) for relation, target in found]

    def _named_path(self, target: str) -> tuple[str, str]:
        names = self._catalogue.names
        found = target if target in names else self._by_name.get(target, "")
        return (names[found], self._path(found)) if found else (target, "")

    def _path(self, identity: str) -> str:
        return self._catalogue.paths[identity]


class _Changed:
    """Works out what a version of a pack changed, when its page is made."""

    def __init__(self, shelf: Shelf, commit: str, before: str) -> None:
        self._shelf = shelf
        self._commit = commit
        self._before = before

    def __call__(self) -> dict[str, Json]:
        history = self._shelf.history
        found = between(history, self._before or None, self._commit)
        differences = [
            {**told, "shown": shown(told.get("changes", ()))}
            for told in (one.to_dict() for one in found)
        ]
        return {
            "version": history.version(self._commit),
            "before": history.version(self._before) if self._before else "",
            "reason": advise(found).reason,
            "differences": differences,
        }


def _facts(row: SnapshotRow) -> str:
    """Give what decides what a list shows of an experience, and much of its page."""
    return f"{row.digest} {row.level} {row.score:.2f}"


def _line(row: SnapshotRow, path: str) -> dict[str, Json]:
    """Give what a list shows of an experience."""
    return {
        "name": row.name,
        "about": row.about,
        "kind": row.kind,
        "level": row.level,
        "score": round(row.score, 2),
        "path": path,
    }


_INFO = ("license", "authors", "languages", "homepage")
"""What a pack's page says of it beside name, version and description."""


def _shelf(shelf: Shelf) -> dict[str, Json]:
    info = shelf.info
    return {
        "name": info.name,
        "title": info.title or info.name,
        "version": info.version,
        "description": info.description,
        "count": len(shelf.members),
        "path": shelf.path,
    }


def _commit(commit: Any) -> dict[str, Json]:
    return {**commit._asdict(), "tags": list(commit.tags)}


def _numbered(path: str, number: int) -> str:
    return f"{path}.html" if number == 1 else f"{path}-{number}.html"
