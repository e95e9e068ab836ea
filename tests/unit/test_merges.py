"""A merge that a person has to finish, from the proposal to the text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experience_pack.errors import LockedError, NotFoundError, UsageError
from experience_pack.formats.canonical import digest
from experience_pack.learning import merges
from experience_pack.model import Experience, Proposal
from experience_pack.packs.merge import merge
from experience_pack.store import Store, experiences, proposals, versions

IDENTITY = "exp_" + "a" * 26
BASE = Experience(
    id=IDENTITY,
    kind="process",
    name="发布补丁 release",
    description="From green main to an announced version.",
    notes="旧的说明",
    extra={"team.owner": "platform"},
)
OURS = replace(BASE, description="Ours.", extra={"team.owner": "ours"})
THEIRS = replace(
    BASE, description="他们的。", notes="新的说明", extra={"team.owner": "theirs"}
)


@pytest.fixture
def store() -> Store:
    opened = Store.in_memory()
    with opened.transaction() as tx:
        experiences.save(tx, BASE)
        experiences.save(tx, OURS)
    return opened


def proposed(store: Store) -> Proposal:
    found = merge({IDENTITY: BASE}, {IDENTITY: OURS}, {IDENTITY: THEIRS})
    conflicts = [one.to_dict() for one in found.conflicts]
    made = merges.propose_merge(
        OURS, THEIRS, found.experiences[IDENTITY], conflicts, "from pack releases 1.1.0"
    )
    with store.transaction() as tx:
        proposals.put(tx, made)
    return made


def test_only_what_both_sides_worded_anew_has_to_be_decided(store: Store) -> None:
    conflicts = proposed(store).content["conflicts"]
    assert [one["path"] for one in conflicts] == ["description", "team.owner"]


@pytest.mark.parametrize(
    ("sides", "description", "owner"),
    [
        ({}, "Ours.", "ours"),
        ({"description": "theirs"}, "他们的。", "ours"),
        ({"team.owner": "theirs"}, "Ours.", "theirs"),
        ({"description": "theirs", "team.owner": "theirs"}, "他们的。", "theirs"),
    ],
)
def test_a_side_is_taken_for_each_conflict(
    store: Store, sides: dict[str, str], description: str, owner: str
) -> None:
    made = proposed(store)
    with store.transaction() as tx:
        merges.finish(tx, made, sides)
    here = experiences.get(store, IDENTITY)
    assert (here.description, here.extra["team.owner"]) == (description, owner)
    assert here.notes == "新的说明"


def test_their_text_is_a_version_below_the_result(store: Store) -> None:
    made = proposed(store)
    with store.transaction() as tx:
        merges.finish(tx, made, {})
    listed = [one.digest for one in versions.of(store, IDENTITY)]
    assert listed[1] == digest(THEIRS.content())


def test_keeping_ours_remembers_theirs_and_changes_nothing(store: Store) -> None:
    made = proposed(store)
    with store.transaction() as tx:
        merges.keep(tx, made)
    assert experiences.get(store, IDENTITY) == OURS
    assert digest(THEIRS.content()) in versions.digests(store, IDENTITY)


def test_a_finished_merge_waits_no_longer(store: Store) -> None:
    made = proposed(store)
    with store.transaction() as tx:
        merges.keep(tx, made)
    assert not list(proposals.pending(store))


def test_the_same_texts_make_one_proposal(store: Store) -> None:
    proposed(store)
    proposed(store)
    assert len(list(proposals.pending(store))) == 1


def test_an_edit_makes_the_proposal_void(store: Store) -> None:
    made = proposed(store)
    with store.transaction() as tx:
        experiences.save(tx, replace(OURS, notes="edited since"))
    assert not list(proposals.pending(store))
    with pytest.raises(LockedError, match="changed since"), store.transaction() as tx:
        merges.finish(tx, made, {})


@pytest.mark.parametrize("sides", [{"name": "theirs"}, {"description": "both"}])
def test_a_side_for_nothing_is_refused(store: Store, sides: dict[str, str]) -> None:
    made = proposed(store)
    with pytest.raises(UsageError, match="decides nothing"), store.transaction() as tx:
        merges.finish(tx, made, sides)


@pytest.mark.parametrize("words", ["发布补丁 release", IDENTITY, "prp_"])
def test_a_proposal_is_found_by_name_or_id(store: Store, words: str) -> None:
    made = proposed(store)
    assert proposals.find(store, words).id == made.id


def test_an_unknown_proposal_is_named(store: Store) -> None:
    with pytest.raises(NotFoundError, match="nothing-like-it"):
        proposals.find(store, "nothing-like-it")
