"""Three-way merge of experiences: by experience, by field, with the common ancestor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from experience_pack.formats.canonical import canonical
from experience_pack.model import Experience, Json
from experience_pack.packs.sequences import aligned, merged_text, stretches

_ABSENT = object()

SETS = frozenset({
    "prerequisites", "links", "requires", "match.tags", "match.keywords",
    "logic.triggers", "logic.references", "logic.io.inputs", "logic.io.outputs",
    "exemplars", "tests.must_match", "tests.must_not_match",
    "tests.must_not_execute", "origin.episode_ids", "origin.evidence",
})  # fmt: skip
"""Lists whose order means nothing: additions and removals of both sides hold.
Every other list is a sequence: it merges item by item."""

CASES = frozenset({"logic.branches", "exec.decision_rules", "exec.exception_rules"})
"""Sequences of cases that do not depend on each other: what both sides add at one
place all stands. Of steps, a person has to say which comes first."""

ATOMS = frozenset({"match.embedding"})
"""Lists that are one value."""

PROSE = frozenset({
    "description", "notes", "logic.goal", "logic.path[].action", "logic.path[].input",
    "logic.path[].expect", "logic.path[].verify", "logic.branches[].then",
    "logic.branches[].why",
})  # fmt: skip
"""Texts that merge by sentences. All others are exact wordings (a quotation, a
lesson, the condition of a habit, a template) and change as a whole."""

_IDENTITY = ("name", "if", "action", "id", "target")
"""What an item of a list goes by: the first of these that it has."""

_ALIKE = 0.6  # difflib's own word for "close matches"
_MOST_OF_A_TEXT = 200  # enough to tell by; comparing takes its square
_NUMBER = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Conflict:
    """One field that both sides changed in different ways."""

    id: str
    path: str
    """Place in the merged content, as `logic.path[2].action`."""
    base: Json
    ours: Json
    theirs: Json
    """For a sequence, as for `ours`, what all of it is with this side's changes
    where they contradict each other."""

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
        merged = merge_one(identity, *sides, conflicts)
        if merged is not None:
            found[identity] = merged
    return Merged(found, tuple(conflicts))


def merge_one(
    identity: str,
    base: Experience | None,
    ours: Experience | None,
    theirs: Experience | None,
    conflicts: list[Conflict],
) -> Experience | None:
    """Merge one experience and add what cannot be decided to `conflicts`."""
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


class _Joined(NamedTuple):
    items: list[Json]
    clash: bool
    """Whether both sides changed the same stretch of it."""


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
        kind = _container(ours, theirs)
        if kind and path not in ATOMS:
            merged = self._inner(path, kind, (base, ours, theirs))
            gone = ours is _ABSENT or theirs is _ABSENT
            return _ABSENT if gone and not merged else merged
        if _all(str, base, ours, theirs) and _NUMBER.sub("[]", path) in PROSE:
            merged = merged_text(base, ours, theirs)
            if merged is not None:
                return merged
        return self._conflict(path, base, ours, theirs)

    def _inner(self, path: str, kind: type, sides: tuple[Json, Json, Json]) -> Json:
        base, ours, theirs = map(_filled(kind), sides)
        join = self.mapping if kind is dict else self._list
        return join(path, base, ours, theirs)

    def _list(
        self, path: str, base: list[Json], ours: list[Json], theirs: list[Json]
    ) -> Json:
        if path in SETS:
            return _merge_set(base, ours, theirs)
        before = len(self._conflicts)
        found = self.joined(path, base, ours, theirs)
        if found.clash:
            del self._conflicts[before:]
            other = _Merger(self._identity, []).joined(path, base, theirs, ours)
            self._conflict(path, base, found.items, other.items)
        return found.items

    def joined(
        self, path: str, base: list[Json], ours: list[Json], theirs: list[Json]
    ) -> _Joined:
        """Merge a sequence; ours stands wherever both changed a stretch of it."""
        found: list[Json] = []
        clash = False
        to_ours, to_theirs = _places(base, ours), _places(base, theirs)
        lengths = (len(base), len(ours), len(theirs))
        for stretch in stretches(lengths, to_ours, to_theirs):
            if stretch.anchor:
                sides = (base[stretch.base[0]], ours[stretch.ours[0]])
                at = f"{path}[{len(found)}]"
                found.append(self._item(at, *sides, theirs[stretch.theirs[0]]))
                continue
            old = {at: base[at] for at in stretch.base}
            mine = _Segment.of(ours, stretch.ours, to_ours)
            yours = _Segment.of(theirs, stretch.theirs, to_theirs)
            merged = _between(old, mine, yours, cases=path in CASES)
            clash |= merged is None
            found += mine.items if merged is None else merged
        return _Joined(found, clash)

    def _item(self, path: str, base: Json, ours: Json, theirs: Json) -> Json:
        """Merge one item inside, unless a side has another in its place."""
        if _alike(base, ours) and _alike(base, theirs):
            return self.value(path, base, ours, theirs)
        if ours in (base, theirs) or base == theirs:
            return theirs if ours == base else ours
        return self._conflict(path, base, ours, theirs)

    def _conflict(self, path: str, base: Json, ours: Json, theirs: Json) -> Json:
        shown = (None if side is _ABSENT else side for side in (base, ours, theirs))
        self._conflicts.append(Conflict(self._identity, path, *shown))
        return ours


class _Segment(NamedTuple):
    """One side between two anchors."""

    items: list[Json]
    kept: Mapping[int, Json]
    """Its items that are in the base, by their place there."""
    added: list[Json]
    """Its items that the base does not have."""

    @classmethod
    def of(cls, side: list[Json], place: range, places: Mapping[int, int]) -> _Segment:
        kept = {old: new for old, new in places.items() if new in place}
        added = sorted({*place} - {*kept.values()})
        return cls(
            [side[at] for at in place],
            {old: side[new] for old, new in kept.items()},
            [side[at] for at in added],
        )

    def only_removes(self, base: Mapping[int, Json]) -> bool:
        """Tell whether everything in it is in the base as it is here."""
        return not self.added and self.leaves(base)

    def leaves(self, base: Mapping[int, Json]) -> bool:
        """Tell whether it reworded nothing that it kept."""
        return all(base[at] == item for at, item in self.kept.items())


def _between(
    base: Mapping[int, Json], ours: _Segment, theirs: _Segment, *, cases: bool
) -> list[Json] | None:
    """Merge what lies between two anchors; None if both sides changed it."""
    before = list(base.values())
    if theirs.items in (ours.items, before):
        return ours.items
    if ours.items == before:
        return theirs.items
    for one, other in ((ours, theirs), (theirs, ours)):
        if one.only_removes(base) and other.leaves(base):
            return other.added
    return _both(ours.items, theirs.items) if cases and not base else None


def _both(ours: Sequence[Json], theirs: Sequence[Json]) -> list[Json]:
    """Put two runs behind each other, in an order that does not ask whose they are."""
    first, second = sorted((ours, theirs), key=canonical)
    if _keys(first) <= _keys(second):
        return [*second]
    return [*first, *(one for one in second if canonical(one) not in _keys(first))]


def _places(before: list[Json], after: list[Json]) -> dict[int, int]:
    """Give where each item of a list is in another version of it."""
    old_keys, new_keys = map(canonical, before), map(canonical, after)
    return aligned(
        [*old_keys], [*new_keys], lambda old, new: _alike(before[old], after[new])
    )


def _alike(one: Json, other: Json) -> bool:
    """Tell whether two items are versions of one, by what they go by."""
    if one == other:
        return True
    if _all(dict, one, other):
        rest = {key: value for key, value in one.items() if key not in _IDENTITY}
        if rest and rest == {k: v for k, v in other.items() if k not in _IDENTITY}:
            return True
        one, other = _goes_by(one), _goes_by(other)
    if not _all(str, one, other):
        return False
    texts = (one[:_MOST_OF_A_TEXT], other[:_MOST_OF_A_TEXT])
    return SequenceMatcher(None, *texts, autojunk=False).ratio() >= _ALIKE


def _goes_by(item: Mapping[str, Json]) -> Json:
    return next((item[key] for key in _IDENTITY if key in item), None)


def _filled(kind: type) -> Callable[[Json], Json]:
    return lambda side: side if isinstance(side, kind) else kind()


def _container(ours: Json, theirs: Json) -> type | None:
    """Give what both are; a list or object that is not there is an empty one."""
    present = {type(side) for side in (ours, theirs) if side is not _ABSENT}
    return next(iter(present)) if present in ({dict}, {list}) else None


def _all(kind: type, *values: Json) -> bool:
    return all(isinstance(value, kind) for value in values)


def _same(one: Json, other: Json) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return type(one) is type(other) and bool(one == other)


def _merge_set(base: list[Json], ours: list[Json], theirs: list[Json]) -> list[Json]:
    """Keep what neither side removed, in its old order, and what either added."""
    before, here, there = _keys(base), _keys(ours), _keys(theirs)
    kept = [one for one in base if canonical(one) in here & there]
    added = (
        [one for one in side if canonical(one) not in before] for side in (ours, theirs)
    )
    return [*kept, *_both(*added)]


def _keys(items: Iterable[Json]) -> set[str]:
    return {canonical(item) for item in items}
