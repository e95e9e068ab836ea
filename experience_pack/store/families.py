"""Families: variants of one task, the general above the special."""

from __future__ import annotations

from experience_pack.model.record import Json
from experience_pack.store import experiences
from experience_pack.store.connection import Reader
from experience_pack.store.experiences import Entry


def listed(db: Reader) -> list[tuple[str, int]]:
    """Give every family with the number of its members."""
    rows = db.rows(
        "SELECT family, count(*) FROM experiences WHERE family <> '' "
        "GROUP BY family ORDER BY family"
    )
    return [(row[0], row[1]) for row in rows]


def trees(db: Reader, family: str | None = None) -> dict[str, list[dict[str, Json]]]:
    """Give each family as a tree: nodes of `id`, `name`, `kind`, `children`.

    A member whose parent is not of its family, or gone, stands at the top.
    """
    members: dict[str, list[Entry]] = {}
    for entry in sorted(experiences.entries(db), key=lambda one: (one.name, one.id)):
        if entry.family and family in (None, entry.family):
            members.setdefault(entry.family, []).append(entry)
    return {name: _tree(members[name]) for name in sorted(members)}


def _tree(members: list[Entry]) -> list[dict[str, Json]]:
    nodes: dict[str, dict[str, Json]] = {
        one.id: {"id": one.id, "name": one.name, "kind": one.kind, "children": []}
        for one in members
    }
    roots: list[dict[str, Json]] = []
    for one in members:
        parent = nodes.get(one.parent_id)
        (parent["children"] if parent else roots).append(nodes[one.id])
    return roots
