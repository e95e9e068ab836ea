"""Two clones of a pack, edited, used and exchanged in any order.

The model is plain: what events (edits, decisions) each side's text of an experience
has seen, and how often each installation was told that it worked. Nothing in it
knows how a merge is made.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from experience_pack.formats.canonical import canonical
from experience_pack.learning import merges
from experience_pack.model import Experience, Json, PackInfo, Standing
from experience_pack.model.confidence import Outcome
from experience_pack.model.experience import Match, Step
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.install import apply, undo
from experience_pack.packs.plan import ImportOptions, PlanItem, make_plan
from experience_pack.runtime.feedback import apply as apply_feedback
from experience_pack.runtime.policy import policy_of
from experience_pack.store import Store, experiences, proposals, standings, versions

pytestmark = pytest.mark.property

RUNS = int(os.environ.get("TWO_CLONES_RUNS", "250"))
"""Of up to 50 steps each, some 12,000 in 15 s of CPU; `make soak` takes more."""

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # no disk to wait for

INFO = PackInfo(name="shared", version="1.0.0")
PRESERVE = ImportOptions(mode="preserve")
IDS = ("exp_release", "exp_发布", "exp_lesson")
FIRST = (
    Experience(
        id=IDS[0],
        kind="process",
        name="Release",
        description="From green main. To an announced version.",
        match=Match(tags=("release",)),
    ),
    Experience(id=IDS[1], kind="result", name="发布公告", notes="旧的说明"),
    Experience(id=IDS[2], kind="lesson", name="Lesson", text="先备份", polarity="do"),
)

WORDS = ("", "一", "二", "Three. Four.", "Three. Five.")
TAGS = ("release", "文档", "x")
STEPS = ("tag it", "打标签", "announce it")


def _worded(name: str) -> st.SearchStrategy[Callable[[Experience], Experience]]:
    return st.sampled_from(WORDS).map(
        lambda text: lambda one: replace(one, **{name: text})
    )


def _tagged(tag: str) -> Callable[[Experience], Experience]:
    def change(one: Experience) -> Experience:
        tags = [known for known in one.match.tags if known != tag]
        if len(tags) == len(one.match.tags):
            tags.append(tag)
        return replace(one, match=replace(one.match, tags=tuple(tags)))

    return change


def _stepped(at: int, action: str) -> Callable[[Experience], Experience]:
    def change(one: Experience) -> Experience:
        path = list(one.logic.path)
        path.insert(at, Step(action=action))
        return replace(one, logic=replace(one.logic, path=tuple(path[:4])))

    return change


def _shorter(one: Experience) -> Experience:
    return replace(one, logic=replace(one.logic, path=one.logic.path[1:]))


edits = st.one_of(
    _worded("description"),
    _worded("notes"),
    _worded("category"),
    st.sampled_from(TAGS).map(_tagged),
    st.builds(_stepped, st.integers(0, 2), st.sampled_from(STEPS)),
    st.just(_shorter),
)
sides = st.sampled_from((0, 1))
members = st.sampled_from(IDS)


@dataclass
class Clone:
    """One side: its real store, and what the model says of it."""

    store: Store
    written: set[tuple[str, str]] = field(default_factory=set)
    """Every `(experience, digest)` that somebody wrote here."""
    seen: dict[str, frozenset[int]] = field(default_factory=dict)
    """Events that the text of each experience has seen."""
    told: dict[str, int] = field(default_factory=dict)
    """How often this installation was told whether each worked."""
    open: dict[str, frozenset[int]] = field(default_factory=dict)
    """Events of the other side's text, by the proposal that waits."""
    taken: list[dict[str, tuple[frozenset[int], str]]] = field(default_factory=list)
    """By import in force: events before it and digest after it, by experience."""

    def digests(self) -> dict[str, str]:
        return experiences.digests(self.store)


@dataclass(frozen=True)
class Pack:
    """An export, and what the model says of its side at that time."""

    incoming: Incoming
    seen: dict[str, frozenset[int]]
    silent: bool
    """Whether it says nothing of what its texts descend from."""


class TwoClones(RuleBasedStateMachine):
    packs = Bundle("packs")

    @initialize()
    def clone(self) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.policy = policy_of()
        self.events = 0
        self.vague: set[str] = set()  # what a pack without lineage changed
        origin = Store.in_memory()
        with origin.transaction() as tx:
            experiences.save_all(tx, FIRST)
        files = export_pack(origin, INFO).files
        self.clones = []
        for side in (0, 1):
            path = Path(self.folder.name, f"{side}.db")
            store = Store.open(path, create=True)
            apply(store, make_plan(store, incoming_of(files), PRESERVE))
            made = Clone(store, seen=dict.fromkeys(IDS, frozenset({0})))
            made.told = dict.fromkeys(IDS, 0)
            made.written = set(made.digests().items())
            self.clones.append(made)

    def teardown(self) -> None:
        if not hasattr(self, "clones"):
            return
        try:
            self.exchange_until_nothing_changes()
            self.both_hold_the_same()
        finally:
            for one in self.clones:
                one.store.close()
            self.folder.cleanup()

    @rule(side=sides, identity=members, change=edits)
    def edit(
        self, side: int, identity: str, change: Callable[[Experience], Experience]
    ) -> None:
        self._write(side, identity, change)

    @rule(side=sides, identity=members, number=st.integers(0, 10**9))
    def edit_to_a_text_that_never_was(
        self, side: int, identity: str, number: int
    ) -> None:
        text = f"{number}/{self.events}"
        self._write(side, identity, lambda one: replace(one, notes=text))

    def _write(
        self, side: int, identity: str, change: Callable[[Experience], Experience]
    ) -> None:
        one = self.clones[side]
        with one.store.transaction() as tx:
            changed = change(experiences.get(tx, identity))
            if not experiences.save(tx, changed, "edited"):
                return
        self._wrote(side, identity)

    def _wrote(self, side: int, identity: str) -> None:
        one = self.clones[side]
        self.events += 1
        one.seen[identity] |= {self.events}
        one.written.add((identity, one.digests()[identity]))

    @rule(side=sides, identity=members, worked=st.booleans())
    def feed_back(self, side: int, identity: str, worked: bool) -> None:
        one = self.clones[side]
        outcome = Outcome(worked=worked, rating=1 if worked else -1)
        with one.store.transaction() as tx:
            known = experiences.get(tx, identity)
            apply_feedback(one.store, tx, known, outcome, self.policy)
        one.told[identity] += 1

    @rule(target=packs, side=sides)
    def export(self, side: int) -> Pack:
        return self._exported(side)

    @rule(target=packs, side=sides)
    def export_without_lineage(self, side: int) -> Pack:
        return self._exported(side, silent=True)

    def _exported(self, side: int, *, silent: bool = False) -> Pack:
        one = self.clones[side]
        options = ExportOptions(standing=not silent)
        incoming = incoming_of(export_pack(one.store, INFO, options=options).files)
        return Pack(incoming, dict(one.seen), silent)

    @rule(side=sides, pack=packs)
    def import_and_keep_it(self, side: int, pack: Pack) -> None:
        self._take(side, pack)

    @rule(side=sides, pack=consumes(packs))
    def import_twice(self, side: int, pack: Pack) -> None:
        self._take(side, pack)
        store = self.clones[side].store
        before = [*store.connection.iterdump()]
        assert apply(store, make_plan(store, pack.incoming, PRESERVE)) is None
        assert [*store.connection.iterdump()] == before

    def _take(self, side: int, pack: Pack) -> bool:
        """Import a pack; each experience becomes what the model says."""
        one = self.clones[side]
        before = one.digests()
        plan = make_plan(one.store, pack.incoming, PRESERVE)
        changed = apply(one.store, plan) is not None
        after = one.digests()
        if changed:
            one.taken.append({
                item.experience.id: (one.seen[item.experience.id], item.digest)
                for item in plan.writes()
            })  # fmt: skip
        for item in plan.items:
            identity = item.experience.id
            self._check(one, item, before[identity], pack)
            one.written.add((identity, after[identity]))
        return changed

    def _check(self, one: Clone, item: PlanItem, before: str, pack: Pack) -> None:
        identity = item.experience.id
        after = one.digests()[identity]
        ours, theirs = one.seen[identity], pack.seen[identity]
        if item.action == "conflict":
            assert after == before
            self._remember(one, identity, theirs)
        elif not pack.silent:
            one.seen[identity] |= theirs
        if pack.silent and item.action not in ("same", "kept"):
            self.vague.add(identity)
        elif identity not in self.vague and not pack.silent:
            if theirs <= ours:
                assert after == before
            elif ours <= theirs and before in pack.incoming.lineage.get(identity, ()):
                # a merge that theirs does not know may have to be merged once more
                assert item.action in ("same", "changed")
                assert after == pack.incoming.digests[identity]

    @rule(side=sides)
    def undo(self, side: int) -> None:
        one = self.clones[side]
        if not one.taken:
            return
        before = one.digests()
        undo(one.store)
        for identity, (seen, digest) in one.taken.pop().items():
            if before[identity] == digest:
                one.seen[identity] = seen

    def _remember(self, one: Clone, identity: str, theirs: frozenset[int]) -> None:
        """Note which events a decision will have seen."""
        for proposal in proposals.pending(one.store):
            if proposal.experience_id == identity:
                one.open.setdefault(proposal.id, theirs)

    @rule(side=sides)
    def decide(self, side: int) -> None:
        self._decide(side)

    def _decide(self, side: int) -> bool:
        """Finish every merge: the greater of two wordings holds, wherever it is."""
        one = self.clones[side]
        decided = False
        while proposal := next(proposals.pending(one.store), None):
            taken = {
                conflict["path"]: _greater(conflict["ours"], conflict["theirs"])
                for conflict in proposal.content["conflicts"]
            }
            with one.store.transaction() as tx:
                merges.finish(tx, proposal, taken)
            one.seen[proposal.experience_id] |= one.open.pop(proposal.id)
            self._wrote(side, proposal.experience_id)
            decided = True
        return decided

    def exchange_until_nothing_changes(self) -> None:
        for _ in range(20):
            changed = False
            for side in (0, 1):
                changed |= self._take(side, self._exported(1 - side))
                changed |= self._decide(side)
            if not changed:
                return
        raise AssertionError("the two sides never come to rest")

    def both_hold_the_same(self) -> None:
        first, second = self.clones
        assert first.digests() == second.digests()
        assert _standing(first.store) == _standing(second.store)
        for one in self.clones:
            for identity, digest in one.written:
                assert digest in versions.digests(one.store, identity)

    @invariant()
    def no_counter_is_doubled(self) -> None:
        for side, one in enumerate(getattr(self, "clones", [])):
            other = self.clones[1 - side]
            mine = standings.of_installation(one.store, one.store.installation)
            theirs = standings.of_installation(one.store, other.store.installation)
            for identity in IDS:
                assert _times(mine.get(identity)) == one.told[identity]
                assert _times(theirs.get(identity)) <= other.told[identity]


def _greater(ours: Json, theirs: Json) -> str:
    return "theirs" if canonical(theirs) > canonical(ours) else "ours"


def _times(standing: Standing | None) -> int:
    return standing.success_count + standing.failure_count if standing else 0


def _standing(store: Store) -> dict[Any, str]:
    """Give every row, without what belongs to one installation alone."""
    return {(who, what): text for who, what, text in standings.texts(store)}


TestTwoClones = TwoClones.TestCase
TestTwoClones.settings = settings(
    max_examples=RUNS, stateful_step_count=50, deadline=None
)
