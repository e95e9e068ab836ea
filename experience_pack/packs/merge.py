"""Three-way merge of experiences: by experience, by field, with the common ancestor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from experience_pack.formats.canonical import canonical
from experience_pack.model import Experience, Json

_ABSENT = object()

SETS = frozenset({
    "prerequisites", "links", "requires", "match.tags", "match.keywords",
    "logic.triggers", "logic.references", "logic.io.inputs", "logic.io.outputs",
    "exemplars", "tests.must_match", "tests.must_not_match",
    "tests.must_not_execute", "origin.episode_ids", "origin.evidence",
})  # fmt: skip
"""Lists whose order means nothing: additions and removals of both sides hold.
Every other list is a sequence: it merges by place where the lengths agree."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One field that both sides changed in different ways."""

    id: str
    path: str
    base: Json
    ours: Json
    theirs: Json

    def to_dict(self) -> dict[str, Json]:
        """Give the conflict as JSON; None stands for a field that is not there."""
        return {
            "id": self.id,
            "path": self.path,
            "base": self.base,
            "ours": self.ours,
            "theirs": self.theirs,
        }


@dataclass(frozen=True, slots=True)
class Merged:
    """The result: experiences by id, and what a person has to decide.

    Where there is a conflict our side stands in the result.
    """

    experiences: Mapping[str, Experience]
    conflicts: tuple[Conflict, ...]


Side = Mapping[str, Experience]


def merge(base: Side, ours: Side, theirs: Side) -> Merged:
    """Merge two descendants of a set of experiences.

    Merging is symmetric but for conflicts, and merging with an ancestor changes
    nothing. Something that one side removed stays removed unless the other changed
    it, which is a conflict.
    """
    found: dict[str, Experience] = {}
    conflicts: list[Conflict] = []
    for identity in sorted({*base, *ours, *theirs}):
        sides = (base.get(identity), ours.get(identity), theirs.get(identity))
        merged = _merge_one(identity, *sides, conflicts)
        if merged is not None:
            found[identity] = merged
    return Merged(found, tuple(conflicts))


def _merge_one(
    identity: str,
    base: Experience | None,
    ours: Experience | None,
    theirs: Experience | None,
    conflicts: list[Conflict],
) -> Experience | None:
    if theirs in (ours, base):
        return ours
    if base == ours:
        return theirs
    if ours is None or theirs is None:
        contents = (one and one.content() for one in (base, ours, theirs))
        conflicts.append(Conflict(identity, "", *contents))
        return ours or theirs
    merger = _Merger(identity, conflicts)
    before = base.content() if base else {}
    content = merger.mapping("", before, ours.content(), theirs.content())
    return Experience.from_dict({"id": identity, **content})


class _Merger:
    def __init__(self, identity: str, conflicts: list[Conflict]) -> None:
        self._identity = identity
        self._conflicts = conflicts

    def mapping(
        self,
        path: str,
        base: Mapping[str, Json],
        ours: Mapping[str, Json],
        theirs: Mapping[str, Json],
    ) -> dict[str, Json]:
        """Merge key by key; what is absent on all sides stays absent."""
        found = {}
        for key in dict.fromkeys((*ours, *theirs)):
            at = f"{path}.{key}" if path else key
            sides = (side.get(key, _ABSENT) for side in (base, ours, theirs))
            value = self.value(at, *sides)
            if value is not _ABSENT:
                found[key] = value
        return found

    def value(self, path: str, base: Json, ours: Json, theirs: Json) -> Json:
        """Merge one value; the side that did not change gives way."""
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        sides = (base, ours, theirs)
        if _all(dict, ours, theirs):
            return self.mapping(
                path, base if isinstance(base, dict) else {}, *sides[1:]
            )
        if _all(list, ours, theirs):
            return self._list(path, base if isinstance(base, list) else [], *sides[1:])
        return self._conflict(path, *sides)

    def _list(
        self, path: str, base: list[Json], ours: list[Json], theirs: list[Json]
    ) -> Json:
        if path in SETS:
            return _merge_set(base, ours, theirs)
        if len(base) == len(ours) == len(theirs):
            return [
                self.value(f"{path}[{at}]", *sides)
                for at, sides in enumerate(zip(base, ours, theirs, strict=True))
            ]
        return self._conflict(path, base, ours, theirs)

    def _conflict(self, path: str, base: Json, ours: Json, theirs: Json) -> Json:
        shown = (None if side is _ABSENT else side for side in (base, ours, theirs))
        self._conflicts.append(Conflict(self._identity, path, *shown))
        return ours


def _all(kind: type, *values: Json) -> bool:
    return all(isinstance(value, kind) for value in values)


def _same(one: Json, other: Json) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return type(one) is type(other) and bool(one == other)


def _merge_set(base: list[Json], ours: list[Json], theirs: list[Json]) -> list[Json]:
    """Keep what neither side removed and what either added, in our order."""
    before, there = _keys(base), _keys(theirs)
    kept = [
        one for one in ours if canonical(one) in there or canonical(one) not in before
    ]
    known = before | _keys(kept)
    return [*kept, *(one for one in theirs if canonical(one) not in known)]


def _keys(items: Iterable[Json]) -> set[str]:
    return {canonical(item) for item in items}
