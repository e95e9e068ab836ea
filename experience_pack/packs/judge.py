"""What becomes of one incoming experience, and why: the rules of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.model import Experience, Tombstone
from experience_pack.packs.lineage import kinship
from experience_pack.packs.merge import Conflict, merge
from experience_pack.packs.remap import Names
from experience_pack.store import (
    Store,
    experiences,
    imports,
    lineage,
    tombstones,
    versions,
)

TAKEN = ("new", "changed", "overwritten")
"""Actions after which their text stands here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What the lock knows of the pack that comes in; the store may not (a clone)."""

    namespace: str = ""
    """Ids are derived from it; empty for the store's own."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Id here by id in the pack."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Content digest that each came to stand here with, by id in the pack."""
    bases: Mapping[str, Experience] = field(default_factory=dict)
    """The locked version itself, where it can be had, by id in the pack."""


class Merge(NamedTuple):
    """Their text beside ours, and what came of both."""

    theirs: Prepared
    merged: Experience
    """Ours stands wherever there is a conflict."""
    conflicts: tuple[Conflict, ...]


class Arrival(NamedTuple):
    """One experience that comes in."""

    prepared: Prepared
    """As it would stand here."""
    source_id: str
    brought: str
    """Content digest that it has in the pack."""
    lineage: Sequence[str]
    """What the pack says that it descends from, itself last; empty if it is silent."""


class Verdict(NamedTuple):
    """What would happen to it."""

    action: str
    written: Prepared
    news: tuple[str, ...] = ()
    """Digests that it descends from, and what is here does not."""
    merge: Merge | None = None


class Judge:
    """Judges arrivals against what is here and what came before."""

    def __init__(
        self, store: Store, known: Known, names: Names, *, follows: bool, force: bool
    ) -> None:
        self._store = store
        self._known = known
        self._names = names
        self._follows = follows
        self._force = force
        self._local = experiences.digests(store)
        self._brought = imports.brought(store)
        self._deleted: Mapping[str, Tombstone] = tombstones.all_of(store)

    def here(self, identity: str) -> str | None:
        """Give the digest of what stands here, or None."""
        return self._local.get(identity)

    def verdict(self, arrival: Arrival) -> Verdict:
        """Give what would happen to an arrival."""
        prepared = arrival.prepared
        identity = prepared.experience.id
        here = self.here(identity)
        if here is None:
            deleted = identity in self._deleted and not self._force
            action = "refused" if deleted else "new"
            return Verdict(action, prepared, tuple(arrival.lineage[:-1]))
        if here == prepared.digest:
            return Verdict("same", prepared, self._news_of_same(arrival))
        return self._differing(arrival)

    def _news_of_same(self, arrival: Arrival) -> tuple[str, ...]:
        """Give what the same text descends from there that it does not here."""
        if len(arrival.lineage) < 2:
            return ()
        ours = self._under_their_ids(arrival, self._steps(arrival))
        found = kinship(ours, arrival.lineage, ())
        known = found.state in ("same", "older")
        return found.news if known else (*found.news, ours[-1])

    def _differing(self, arrival: Arrival) -> Verdict:
        steps = self._steps(arrival)
        ours = self._under_their_ids(arrival, steps)
        readable = {at for at, step in enumerate(steps) if step.version is not None}
        names = dict(zip(steps, ours, strict=True))
        told = arrival.lineage or self._told(arrival, names)
        found = kinship(ours, told, readable)
        prepared = arrival.prepared
        if found.state == "newer":
            return Verdict("changed", prepared, found.news)
        if self._force:
            return Verdict("overwritten", prepared, found.news)
        if found.state == "older":
            return Verdict("kept", prepared, found.news)
        base = None if found.base is None else steps[found.base]
        return self._merged(arrival, self._base(arrival, base), found.news)

    def _steps(self, arrival: Arrival) -> list[lineage.Step]:
        """Give what the text here descends from; the lock may know more of it."""
        found = lineage.of(self._store, arrival.prepared.experience.id)
        locked = self._known.digests.get(arrival.source_id)
        if locked and locked not in [step.digest for step in found]:
            found.insert(0, lineage.Step(locked, None))
        return found

    def _under_their_ids(
        self, arrival: Arrival, steps: Sequence[lineage.Step]
    ) -> list[str]:
        """Give the digests that texts of ours have under the ids of the pack."""
        identity = arrival.prepared.experience.id
        taken = {
            one.digest: one.brought
            for one in self._brought.get(identity, ())
            if one.action in TAKEN
        }
        return [
            taken.get(step.digest)
            or self._names.source_digest(self._store, identity, step)
            for step in steps
        ]

    def _told(self, arrival: Arrival, ours: Mapping[lineage.Step, str]) -> list[str]:
        """Give what came before from packs, for a pack that does not say it itself."""
        if arrival.brought in ours.values() and not self._follows:
            return [arrival.brought]
        identity = arrival.prepared.experience.id
        before = [one.brought for one in self._brought.get(identity, ())]
        locked = self._known.digests.get(arrival.source_id)
        before += [
            digest
            for step, digest in ours.items()
            if step.digest == locked and digest not in before
        ]
        unchanged = before[-1:] == [arrival.brought]
        if unchanged or (arrival.brought in before and not self._follows):
            return before[: before.index(arrival.brought) + 1]
        return [*before, arrival.brought]

    def _base(self, arrival: Arrival, step: lineage.Step | None) -> Experience | None:
        identity = arrival.prepared.experience.id
        if step is not None and step.version is not None:
            return versions.get(self._store, identity, step.version)
        return self._known.bases.get(arrival.source_id)

    def _merged(
        self, arrival: Arrival, base: Experience | None, news: tuple[str, ...]
    ) -> Verdict:
        theirs = arrival.prepared
        identity = theirs.experience.id
        ours = experiences.get(self._store, identity)
        before = {identity: base} if base else {}
        found = merge(before, {identity: ours}, {identity: theirs.experience})
        merged = found.experiences[identity]
        sides = Merge(theirs, merged, found.conflicts)
        if base is None or found.conflicts:
            return Verdict("conflict", theirs, news, sides)
        written = prepare(merged)
        if written.digest == theirs.digest:
            return Verdict("changed", theirs, news)
        return Verdict("merged", written, news, sides)
