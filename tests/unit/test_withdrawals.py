from __future__ import annotations

from dataclasses import replace

import pytest

from experience_pack.learning import review
from experience_pack.model import Experience, Match, Membership, PackInfo
from experience_pack.packs import membership
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.install import apply, undo
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.store import Store, experiences, standings, tombstones

KNOWN = Membership(
    pack=PackInfo(name="contracts", version="1.0.0"),
    experiences=("exp_a", "exp_b"),
    query={"tag": "合同"},
)


def author(*deleted: str, reason: str = "过时") -> Store:
    store = Store.in_memory()
    tagged = Match(tags=("合同",))
    with store.transaction() as tx:
        experiences.save_all(
            tx,
            [
                Experience(id="exp_a", kind="process", name="整理合同"),
                Experience(id="exp_b", kind="process", name="旧流程"),
                Experience(id="exp_c", kind="process", name="tagged", match=tagged),
                Experience(id="exp_d", kind="process", name="never a member"),
            ],
        )
        for identity in deleted:
            experiences.delete(tx, identity, reason)
    return store


def pack(store: Store, name: str = "contracts") -> Incoming:
    known = replace(KNOWN, pack=PackInfo(name=name, version="1.0.0"))
    return incoming_of(membership.exported(store, known).files)


def plan_of(store: Store, incoming: Incoming, mode: str) -> Plan:
    return make_plan(store, incoming, ImportOptions(mode=mode))


def receiver(mode: str) -> Store:
    store = Store.in_memory()
    apply(store, plan_of(store, pack(author()), mode))
    return store


def statuses(store: Store) -> dict[str, str]:
    names = {one.id: one.name for one in experiences.entries(store)}
    mine = standings.of_installation(store, store.installation)
    return {names[one]: known.status for one, known in mine.items()}


@pytest.mark.parametrize("mode", ["remap", "preserve"])
@pytest.mark.parametrize("gone", [("exp_b", "旧流程"), ("exp_c", "tagged")])
def test_a_former_member_is_withdrawn_where_it_came_in(
    mode: str, gone: tuple[str, str]
) -> None:
    identity, name = gone
    store = receiver(mode)
    plan = plan_of(store, pack(author(identity)), mode)

    assert [(one.name, one.reason) for one in plan.withdrawals] == [(name, "过时")]
    assert plan.counts() == {"same": 2, "withdrawn": 1}
    assert apply(store, plan) is not None
    assert statuses(store) == {name: "withdrawn"}
    assert len(experiences.entries(store)) == 3


def test_what_never_was_a_member_is_not_told() -> None:
    assert pack(author("exp_d")).tombstones == ()


@pytest.mark.parametrize("mode", ["remap", "preserve"])
def test_another_pack_withdraws_nothing(mode: str) -> None:
    store = receiver(mode)

    assert plan_of(store, pack(author("exp_b"), "other"), mode).withdrawals == ()


@pytest.mark.parametrize("mode", ["remap", "preserve"])
def test_what_was_written_here_is_not_withdrawn(mode: str) -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save(tx, Experience(id="exp_b", kind="process", name="ours"))

    assert plan_of(store, pack(author("exp_b")), mode).withdrawals == ()


def test_whoever_made_it_is_not_told_of_their_own_deletion() -> None:
    store = author("exp_b")

    assert plan_of(store, pack(store), "preserve").withdrawals == ()


def test_what_lives_again_in_the_pack_is_not_withdrawn() -> None:
    incoming = pack(author("exp_b"))
    again = replace(pack(author()), tombstones=incoming.tombstones)

    assert plan_of(receiver("preserve"), again, "preserve").withdrawals == ()


def test_a_person_is_asked_once_about_each_deletion() -> None:
    store = receiver("preserve")
    first = pack(author("exp_b"))
    apply(store, plan_of(store, first, "preserve"))
    assert plan_of(store, first, "preserve").withdrawals == ()

    with store.transaction() as tx:
        review.confirm_exact(store, tx, experiences.get(tx, "exp_b"))
    assert statuses(store)["旧流程"] == "active"
    assert plan_of(store, first, "preserve").withdrawals == ()

    later = replace(
        first,
        tombstones=tuple(
            replace(one, deleted_at="2030-01-01T00:00:00Z") for one in first.tombstones
        ),
    )
    assert len(plan_of(store, later, "preserve").withdrawals) == 1


def test_undo_brings_back_what_was_withdrawn_by_that_version() -> None:
    store = receiver("remap")
    apply(store, plan_of(store, pack(author("exp_b")), "remap"))
    undo(store)

    assert statuses(store) == {"旧流程": "active"}


def test_a_status_that_a_person_gave_stays() -> None:
    store = receiver("preserve")
    with store.transaction() as tx:
        review.confirm(store, tx, experiences.get(tx, "exp_b"))
        known = standings.own(tx, store.installation, "exp_b")
        assert known is not None
        disabled = replace(known, status="disabled")
        standings.put(tx, (store.installation, "exp_b"), disabled)
    apply(store, plan_of(store, pack(author("exp_b")), "preserve"))

    assert statuses(store)["旧流程"] == "disabled"


def test_a_withdrawn_experience_waits_for_another_word() -> None:
    store = receiver("preserve")
    with store.transaction() as tx:
        for identity in ("exp_a", "exp_b", "exp_c"):
            review.confirm(store, tx, experiences.get(tx, identity))
    assert review.waiting(store, standings.seen_here(store)) == []
    apply(store, plan_of(store, pack(author("exp_b")), "preserve"))

    (one,) = review.waiting(store, standings.seen_here(store))
    assert one.name == "旧流程"


def test_a_tombstone_travels_on_with_the_pack() -> None:
    store = Store.in_memory()
    apply(store, plan_of(store, pack(author("exp_b")), "preserve"))

    assert [*tombstones.all_of(store)] == ["exp_b"]
    assert [one.id for one in pack(store).tombstones] == ["exp_b"]
