"""What a site is made of: the snapshot's rows, the packs and their versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest
from typing import NamedTuple

from experience_pack.formats.names import slug
from experience_pack.model import Json, PackInfo, short_id
from experience_pack.packs import membership, releases
from experience_pack.packs.history import Commit, History
from experience_pack.snapshot.row import SnapshotRow
from experience_pack.workspace.folder import Folder


class Shelf(NamedTuple):
    """One pack of the workspace with its recorded versions."""

    info: PackInfo
    members: tuple[str, ...]
    history: History
    commits: tuple[Commit, ...]
    """Recorded versions, the newest first."""

    @property
    def path(self) -> str:
        """Give the folder of its pages."""
        return f"packs/{self.info.name}"


Contents = Callable[[Sequence[SnapshotRow]], list[SnapshotRow]]
"""Fills in the contents of rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalogue:
    """Everything that the pages of a site show."""

    title: str
    language: str
    url: str
    """Where the site will stand, ending in `/`; empty if it is not known."""
    rows: tuple[SnapshotRow, ...]
    """Every experience without its content, in the order of arrival."""
    contents: Contents
    """Gives rows that stand one after another with their contents."""
    changed_at: str = ""
    """Time of the last save or decision; the site shows trust as it was then."""
    shelves: tuple[Shelf, ...] = ()
    decisions: tuple[Mapping[str, Json], ...] = ()
    """Recent decisions, masked; empty unless they were asked for."""
    activity: Mapping[str, Json] = field(default_factory=dict)
    """What happened, in numbers."""
    mask_len: int = 0
    """Characters of a request that are shown."""
    links: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """`(relation, id or name)` of what each experience points to, by id."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Path of the page of each experience by id."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Name of each experience by id."""

    def latest(self, most: int) -> list[SnapshotRow]:
        """Give the experiences that were changed last, the newest first."""
        return nlargest(most, self.rows, key=lambda row: row.versions[0]["id"])


def shelves_of(folder: Folder) -> tuple[Shelf, ...]:
    """Give every pack that a workspace makes, by name."""
    found = []
    for name in membership.names(folder):
        known = membership.load(folder, name)
        history = releases.history_of(folder, name)
        members = tuple(membership.members(folder.store, known))
        found.append(Shelf(known.pack, members, history, tuple(history.log())))
    return tuple(found)


def experience_path(row: SnapshotRow) -> str:
    """Give where the page of an experience stands."""
    return f"experiences/{row.stem}.html"


SHARED = 2
"""Experiences that make a tag or family worth a page of its own."""


class Group(NamedTuple):
    """A list of experiences that share something, with a page of its own."""

    kind: str
    """`categories`, `tags` or `families`."""
    name: str
    rows: tuple[SnapshotRow, ...]

    @property
    def path(self) -> str:
        """Give the start of its pages' paths; the name may be of any script."""
        return group_path(self.kind, self.name)


@lru_cache(maxsize=10_000)
def group_path(kind: str, name: str) -> str:
    """Give the start of the paths of a group's pages."""
    return f"{kind}/{slug(name)}-{short_id(name)}"


def groups(rows: Sequence[SnapshotRow]) -> dict[str, list[Group]]:
    """Give categories, tags and families with their experiences, largest first."""
    found: dict[str, dict[str, list[SnapshotRow]]] = {
        "categories": {}, "tags": {}, "families": {},
    }  # fmt: skip
    for row in rows:
        found["categories"].setdefault(row.category, []).append(row)
        for tag in row.tags:
            found["tags"].setdefault(tag, []).append(row)
        if row.family:
            found["families"].setdefault(row.family, []).append(row)
    return {kind: _ordered(kind, named) for kind, named in found.items()}


def has_page(group: Group) -> bool:
    """Tell whether a group is more than another name for one experience."""
    return group.kind == "categories" or len(group.rows) >= SHARED


def _ordered(kind: str, named: Mapping[str, list[SnapshotRow]]) -> list[Group]:
    sizes = Counter({name: len(rows) for name, rows in named.items()})
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    return [Group(kind, name, tuple(named[name])) for name in order]


def packs_of(shelves: Iterable[Shelf]) -> dict[str, list[Shelf]]:
    """Give the packs that each experience is in, by id."""
    found: dict[str, list[Shelf]] = {}
    for shelf in shelves:
        for identity in shelf.members:
            found.setdefault(identity, []).append(shelf)
    return found
