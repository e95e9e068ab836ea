"""What a snapshot tells of what happened, from decisions to what waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from experience_pack.clock import seconds
from experience_pack.model import Experience, Standing
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.request import request
from experience_pack.runtime.reviewer import Host
from experience_pack.snapshot import snapshot_of
from experience_pack.snapshot.activity import DAYS, activity_of, decisions_of
from experience_pack.store import Store, experiences, standings

BEGIN = seconds("2026-11-01T12:00:00Z")
DAY = 86_400.0
KNOWN = Experience(id="exp_" + "a" * 26, kind="process", name="整理文档 tidy up")


class Clock:
    now = BEGIN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Iterator[Store]:
    opened = Store.in_memory(clock=clock)
    with opened.transaction() as tx:
        experiences.save(tx, KNOWN)
    yield opened
    opened.close()


def ask(store: Store, text: str) -> None:
    request(store, Host(policy_of()), text)


def stand(store: Store, one: Experience, **fields: object) -> None:
    standing = replace(Standing(price=0.3), **fields)  # type: ignore[arg-type]
    with store.transaction() as tx:
        standings.put(tx, (store.installation, one.id), standing)


def test_an_empty_store_tells_of_nothing() -> None:
    told = activity_of(Store.in_memory(), {}, 0.0)
    assert (told["days"], told["grown"], told["helped"]) == ([], [], [])
    assert (told["saved"], told["waiting"], told["stale"]["count"]) == (0, 0, 0)


def test_decisions_are_counted_by_day_and_quiet_days_are_there(
    store: Store, clock: Clock
) -> None:
    ask(store, "nothing like it")
    clock.now += 3 * DAY
    ask(store, "nothing like it")
    ask(store, "也没有")
    told = activity_of(store, standings.seen_here(store), store.clock())
    assert len(told["days"]) == DAYS
    assert told["days"][-4:] == ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"]
    assert told["outcomes"]["delegate"][-4:] == [1, 0, 0, 2]


def test_growth_is_what_there_was_on_each_day(store: Store, clock: Clock) -> None:
    clock.now += DAY
    with store.transaction() as tx:
        experiences.save_all(
            tx, [replace(KNOWN, id=f"exp_{at:026d}", name=f"N{at}") for at in range(3)]
        )
    assert activity_of(store, standings.seen_here(store), store.clock())["grown"] == [
        ["2026-11-01", 1],
        ["2026-11-02", 4],
    ]


def test_what_helped_most_comes_first(store: Store) -> None:
    other = replace(KNOWN, id="exp_" + "b" * 26, name="Other")
    with store.transaction() as tx:
        experiences.save(tx, other)
    stand(store, KNOWN, success_count=2)
    stand(store, other, success_count=7)
    assert activity_of(store, standings.seen_here(store), store.clock())["helped"] == [
        [other.id, 7],
        [KNOWN.id, 2],
    ]


@pytest.mark.parametrize(
    ("fields", "count"),
    [({}, 1), ({"pinned": True}, 0), ({"status": "archived"}, 0)],
)
def test_what_nobody_used_for_a_season_is_stale(
    store: Store, clock: Clock, fields: dict[str, object], count: int
) -> None:
    stand(store, KNOWN, **fields)
    assert (
        activity_of(store, standings.seen_here(store), store.clock())["stale"]["count"]
        == 0
    )
    clock.now += 100 * DAY
    stale = activity_of(store, standings.seen_here(store), store.clock())["stale"]
    assert stale == {"count": count, "first": [[KNOWN.id, 100]] * count}


def test_what_was_used_lately_is_not_stale(store: Store, clock: Clock) -> None:
    clock.now += 100 * DAY
    stand(store, KNOWN, last_used="2027-02-01T00:00:00Z")
    assert (
        activity_of(store, standings.seen_here(store), store.clock())["stale"]["count"]
        == 0
    )


def test_what_waits_for_a_person_is_counted(store: Store) -> None:
    assert activity_of(store, standings.seen_here(store), store.clock())["waiting"] == 1


def test_a_decision_names_what_was_passed_over_and_hides_the_request(
    store: Store,
) -> None:
    stand(store, KNOWN, status="active")
    ask(store, "整理文档 please, " + "很长" * 60)
    (found,) = decisions_of(store, 10)
    assert found["input"] == "整理文档 pleas…"
    assert all(len(pair) == 2 for pair in found["skipped"])


def test_the_snapshot_of_some_members_tells_of_no_activity(store: Store) -> None:
    ask(store, "整理文档")
    assert snapshot_of(store, title="all")["activity"]["days"]
    part = snapshot_of(store, title="part", members=[KNOWN.id])
    assert (part["activity"], part["decisions"]) == ({}, [])


def test_the_error_budget_is_told_with_its_bound(store: Store) -> None:
    told = activity_of(store, {}, store.clock(), error_budget=0.02)["budget"]

    assert told["allowed"] == 0.02
    assert {"requests", "executed", "labelled", "wrong", "rate", "bound", "bar"} <= set(
        told
    )
