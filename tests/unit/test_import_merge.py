"""Imports of what was changed here and there: who descends from whom, and merges."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from experience_pack.errors import FormatError
from experience_pack.learning import merges
from experience_pack.model import Experience, Match, PackInfo
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply, undo
from experience_pack.packs.judge import Known
from experience_pack.packs.layout import STANDING, Files
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.packs.roundtrip import round_trip
from experience_pack.store import Store, experiences, imports, proposals, versions

PRESERVE = ImportOptions(mode="preserve")
ONE = Experience(
    id="exp_" + "a" * 26,
    kind="process",
    name="发布 release",
    description="From green main.",
    match=Match(tags=("release",)),
)
OTHER = Experience(
    id="exp_" + "b" * 26, kind="process", name="撤回", prerequisites=(ONE.id,)
)
Edit = Callable[[Experience], Experience]


def reworded(text: str) -> Edit:
    return lambda one: replace(one, description=text)


def noted(text: str) -> Edit:
    return lambda one: replace(one, notes=text)


def edit(store: Store, change: Edit, identity: str = ONE.id) -> None:
    with store.transaction() as tx:
        experiences.save(tx, change(experiences.get(tx, identity)))


def packed(store: Store, version: str = "1.0.0", *, silent: bool = False) -> Files:
    """Give a pack of everything; a silent one says nothing of where it comes from."""
    info = PackInfo(name="releases", version=version)
    return export_pack(store, info, options=ExportOptions(standing=not silent)).files


def plan_of(store: Store, files: Files, options: ImportOptions = PRESERVE) -> Plan:
    return make_plan(store, incoming_of(files), options)


def take(store: Store, files: Files, options: ImportOptions = PRESERVE) -> str:
    """Take a pack in; give what became of each experience, in the order of ids."""
    plan = plan_of(store, files, options)
    apply(store, plan)
    return " ".join(item.action for item in plan.items)


def text(store: Store, identity: str = ONE.id) -> tuple[str, str]:
    found = experiences.get(store, identity)
    return found.description, found.notes


@pytest.fixture
def here() -> Store:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save(tx, ONE)
    return store


@pytest.fixture
def there(here: Store) -> Store:
    """A second workspace that began with the same text."""
    store = Store.in_memory()
    take(store, packed(here))
    return store


def test_a_text_that_descends_from_ours_replaces_it(here: Store, there: Store) -> None:
    edit(there, noted("一"))
    edit(there, noted("二"))

    assert take(here, packed(there)) == "changed"
    assert text(here)[1] == "二"


def test_a_text_that_ours_descends_from_changes_nothing(
    here: Store, there: Store
) -> None:
    old = packed(there)
    edit(there, noted("newer"))
    take(here, packed(there))

    assert take(here, old) == "kept"
    assert text(here)[1] == "newer"


def test_what_a_newer_text_went_through_is_older_too(here: Store, there: Store) -> None:
    edit(there, noted("half way"))
    half_way = packed(there)
    edit(there, noted("there"))
    take(here, packed(there))

    assert take(here, half_way) == "kept"


def test_changes_of_both_sides_are_joined(here: Store, there: Store) -> None:
    edit(here, reworded("Our words."))
    edit(there, noted("他们的备注"))

    assert take(here, packed(there)) == "merged"
    assert text(here) == ("Our words.", "他们的备注")


def test_a_merge_reaches_the_other_side_as_its_next_version(
    here: Store, there: Store
) -> None:
    edit(here, reworded("Our words."))
    edit(there, noted("他们的备注"))
    take(here, packed(there))

    assert take(there, packed(here)) == "changed"
    assert experiences.get(there, ONE.id) == experiences.get(here, ONE.id)


def test_what_ours_has_already_is_remembered_as_seen(here: Store, there: Store) -> None:
    edit(there, noted("both"))
    edit(here, noted("both"))
    edit(here, reworded("Our words."))

    assert take(here, packed(there)) == "kept"
    edit(there, noted("changed once more"))
    assert take(here, packed(there)) == "merged"
    assert text(here) == ("Our words.", "changed once more")


def test_a_merge_that_changes_nothing_here_is_remembered_too(
    here: Store, there: Store
) -> None:
    edit(there, noted("both"))
    edit(here, lambda one: reworded("Our words.")(noted("both")(one)))

    assert take(here, packed(there)) == "merged"
    assert take(here, packed(there)) == "kept"
    edit(there, noted("changed once more"))
    assert take(here, packed(there)) == "merged"
    assert text(here) == ("Our words.", "changed once more")
    undo(here)
    undo(here)
    assert text(here) == ("Our words.", "both")
    assert take(here, packed(there)) == "conflict"


def test_two_wordings_wait_for_a_person(here: Store, there: Store) -> None:
    edit(here, reworded("Ours."))
    edit(there, reworded("他们的。"))
    edit(there, noted("also"))

    assert take(here, packed(there)) == "conflict"
    assert text(here) == ("Ours.", "")
    (proposal,) = proposals.pending(here)
    (conflict,) = proposal.content["conflicts"]
    assert (conflict["ours"], conflict["theirs"]) == ("Ours.", "他们的。")
    assert proposal.content["merged"]["notes"] == "also"


@pytest.fixture
def apart(here: Store, there: Store) -> tuple[Store, Store]:
    edit(here, reworded("Ours."))
    edit(there, reworded("他们的。"))
    take(here, packed(there))
    return here, there


def test_an_undecided_text_counts_as_not_seen(apart: tuple[Store, Store]) -> None:
    here, there = apart

    assert take(there, packed(here)) == "conflict"


def test_the_same_conflict_is_proposed_once(apart: tuple[Store, Store]) -> None:
    here, there = apart

    assert apply(here, plan_of(here, packed(there))) is None
    assert len(list(proposals.pending(here))) == 1


def test_a_decided_text_reaches_the_other_side(apart: tuple[Store, Store]) -> None:
    here, there = apart
    (proposal,) = proposals.pending(here)
    with here.transaction() as tx:
        merges.finish(tx, proposal, {"description": "theirs"})

    assert take(here, packed(there)) == "same"
    edit(there, noted("later"))
    assert take(here, packed(there)) == "changed"


def test_a_decision_for_ours_reaches_the_other_side(
    apart: tuple[Store, Store],
) -> None:
    here, there = apart
    (proposal,) = proposals.pending(here)
    with here.transaction() as tx:
        merges.keep(tx, proposal)

    assert take(here, packed(there)) == "kept"
    assert take(there, packed(here)) == "changed"
    assert text(there)[0] == "Ours."


def test_the_same_text_brings_what_it_descends_from(here: Store, there: Store) -> None:
    edit(here, noted("a"))
    edit(there, noted("b"))
    older = packed(there)
    take(there, packed(here))
    (proposal,) = proposals.pending(there)
    with there.transaction() as tx:
        merges.finish(tx, proposal, {"notes": "theirs"})

    assert apply(here, plan_of(here, packed(there))) is None
    assert take(here, older) == "kept"


def test_a_later_wording_replaces_what_was_proposed_before(
    apart: tuple[Store, Store],
) -> None:
    here, there = apart
    edit(there, reworded("他们的新说法。"))
    take(here, packed(there))
    (proposal,) = proposals.pending(here)

    assert proposal.content["theirs"]["description"] == "他们的新说法。"


def test_undo_takes_a_merge_back_and_it_can_come_again(
    here: Store, there: Store
) -> None:
    edit(here, reworded("Ours."))
    edit(there, noted("theirs"))
    take(here, packed(there))
    undo(here)

    assert text(here) == ("Ours.", "")
    assert take(here, packed(there)) == "merged"


def test_undo_takes_a_proposal_back_and_it_can_come_again(
    apart: tuple[Store, Store],
) -> None:
    here, there = apart
    done = undo(here)

    assert (done.removed, done.restored, done.kept) == ((), (), ())
    assert list(proposals.pending(here)) == []
    take(here, packed(there))
    assert len(list(proposals.pending(here))) == 1


def test_overwriting_decides_for_theirs(here: Store, there: Store) -> None:
    edit(here, reworded("Ours."))
    edit(there, reworded("他们的。"))
    force = ImportOptions(mode="preserve", on_conflict="overwrite")

    assert take(here, packed(there), force) == "overwritten"
    assert text(here)[0] == "他们的。"
    assert take(there, packed(here)) == "same"


@pytest.mark.parametrize("mode", ["remap", "preserve"])
def test_a_pack_that_is_silent_is_merged_on_what_it_brought_last(mode: str) -> None:
    here, there = Store.in_memory(), Store.in_memory()
    with there.transaction() as tx:
        experiences.save_all(tx, [ONE, OTHER])
    options = ImportOptions(mode=mode)
    take(here, packed(there, silent=True), options)
    for identity in experiences.digests(here):
        edit(here, reworded("Ours."), identity)
    edit(there, noted("theirs"))
    edit(there, noted("theirs"), OTHER.id)

    assert take(here, packed(there, silent=True), options) == "merged merged"
    assert {text(here, one) for one in experiences.digests(here)} == {
        ("Ours.", "theirs")
    }


def test_a_silent_pack_of_a_higher_version_may_go_back_to_an_old_text(
    here: Store,
) -> None:
    there = Store.in_memory()
    take(there, packed(here, "1.0.0", silent=True))
    edit(here, noted("tried"))
    take(there, packed(here, "1.1.0", silent=True))
    edit(here, noted(""))

    assert take(there, packed(here, "1.1.0", silent=True)) == "kept"
    assert take(there, packed(here, "1.2.0", silent=True)) == "changed"
    assert text(there)[1] == ""


def test_without_anything_in_common_a_person_decides(here: Store) -> None:
    there = Store.in_memory()
    with there.transaction() as tx:
        experiences.save(tx, reworded("Written apart.")(ONE))

    assert take(here, packed(there, silent=True)) == "conflict"
    assert text(here)[0] == "From green main."


def test_a_clone_that_only_has_the_cards_finds_its_own_by_the_lock() -> None:
    there, first, clone = (Store.in_memory() for _ in range(3))
    with there.transaction() as tx:
        experiences.save_all(tx, [ONE, OTHER])
    old = incoming_of(packed(there, silent=True))
    plan = make_plan(first, old)
    apply(first, plan)
    cards = experiences.get_many(first, sorted(experiences.digests(first)))
    with clone.transaction() as tx:
        experiences.save_all(tx, cards.values())
    known = Known(
        namespace=first.workspace_id,
        ids={item.source_id: item.experience.id for item in plan.items},
        digests=old.digests,
        bases={one.id: one for one in old.experiences},
    )
    options = ImportOptions(known=known, follows=True)
    mine = known.ids[OTHER.id]
    edit(clone, reworded("Ours."), mine)
    edit(there, noted("theirs"))
    edit(there, noted("theirs"), OTHER.id)

    assert take(clone, packed(there, silent=True), options) == "changed merged"
    assert text(clone, mine) == ("Ours.", "theirs")
    assert len(experiences.digests(clone)) == 2


def test_under_remap_what_came_from_here_finds_home(here: Store, there: Store) -> None:
    edit(there, noted("theirs"))

    assert take(here, packed(there), ImportOptions()) == "changed"
    assert list(experiences.digests(here)) == [ONE.id]


def test_every_text_stays_a_version(here: Store, there: Store) -> None:
    edit(here, reworded("Ours."))
    edit(there, noted("theirs"))
    take(here, packed(there))

    known = versions.digests(here, ONE.id)
    assert {*experiences.digests(there).values()} <= known
    assert len(known) == 4


def test_a_merge_is_on_the_receipt_as_what_came(here: Store, there: Store) -> None:
    edit(here, reworded("Ours."))
    edit(there, noted("theirs"))
    take(here, packed(there))
    (item,) = imports.items(here, imports.receipts(here)[0].seq)

    assert item.action == "merged"
    assert item.brought == experiences.digests(there)[ONE.id]


@pytest.mark.parametrize(
    ("lineage", "fault"),
    [
        ("x", "expected a list of digests"),
        (["x"], "expected a list of digests"),
        (["0" * 64], "does not end in what it says now"),
        ([], "does not end in what it says now"),
    ],
)
def test_a_lineage_that_is_none_is_refused(
    there: Store, lineage: object, fault: str
) -> None:
    edit(there, noted("two"))
    document = json.loads(packed(there)[STANDING])
    document["lineage"] = {ONE.id: lineage}
    files = {**packed(there), STANDING: json.dumps(document).encode()}
    files = {**files, "pack.json": remade(there, files)}

    with pytest.raises(FormatError, match=fault):
        incoming_of(files)


def remade(store: Store, files: Files) -> bytes:
    from experience_pack.packs.manifest import make_manifest

    info = PackInfo(name="releases", version="1.0.0")
    return make_manifest(info, experiences.digests(store), files)


@pytest.mark.parametrize("silent", [True, False])
def test_a_pack_comes_back_to_the_byte_with_its_lineage(
    here: Store, there: Store, silent: bool
) -> None:
    edit(here, reworded("Ours."))
    edit(there, noted("theirs"))
    take(here, packed(there))

    assert round_trip(packed(here, silent=silent)).differing == ()
