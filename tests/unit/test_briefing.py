from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.learning import review
from experience_pack.learning.reflection.lessons import lesson
from experience_pack.model import WITHDRAWN
from experience_pack.store import deliveries, experiences, sightings, standings
from experience_pack.store.sightings import Sighting

DAY = "2027-01-15T08:00:00Z"


@pytest.fixture
def core() -> Iterator[ExperienceRuntime]:
    with ExperienceRuntime(":memory:", clock=lambda: 1_800_000_000.0) as opened:
        yield opened


def learn(
    core: ExperienceRuntime,
    text: str,
    polarity: str = "do",
    *,
    approved: bool = True,
    seen: str = DAY,
    hits: int = 1,
) -> str:
    made = lesson(text, polarity)
    with core.store.transaction() as tx:
        experiences.save(tx, made)
        sightings.put_all(tx, [Sighting(made.id, "test", "", hits, seen, seen)])
        if approved:
            review.confirm(core.store, tx, made)
    return made.id


def told(core: ExperienceRuntime, request: str) -> str:
    return str(core.before_llm(request).get("prefill", ""))


@pytest.mark.parametrize(
    ("text", "request_text", "line"),
    [
        ("run the tests before the tag", "set the tag, run tests", "- Do: run the"),
        ("先跑测试再打标签", "打标签之前要跑测试吗", "- 要: 先跑测试"),
    ],
)
def test_a_lesson_goes_with_the_request_that_it_matches(
    text: str, request_text: str, line: str, core: ExperienceRuntime
) -> None:
    core.host = core.host._replace(
        policy=core.host.policy._replace(lessons_context=False)
    )
    learn(core, text)
    learn(core, "never deploy on Fridays 周五不部署", "avoid")
    found = told(core, request_text)
    assert line in found
    assert "Friday" not in found


def test_avoid_stays_avoid(core: ExperienceRuntime) -> None:
    learn(core, "early tags", "avoid")
    assert "- Avoid: early tags" in told(core, "anything")


def test_what_matches_comes_first_then_what_was_seen_often(
    core: ExperienceRuntime,
) -> None:
    learn(core, "seldom seen rule about colours", seen="2020-01-01T00:00:00Z")
    learn(core, "often seen", hits=9, seen="2026-01-01T00:00:00Z")
    learn(core, "draw charts with a legend", seen="2020-01-01T00:00:00Z")
    found = told(core, "draw charts for me")
    order = [found.index(text) for text in ("draw charts", "often seen", "seldom")]
    assert order == sorted(order)


def test_a_session_is_told_each_lesson_once(core: ExperienceRuntime) -> None:
    learn(core, "draw charts with a legend")
    assert "legend" in told(core, "draw charts")
    assert "legend" not in told(core, "draw charts")
    learn(core, "draw charts in two colours")
    assert "two colours" in told(core, "draw charts")


@pytest.mark.parametrize("how", ["not approved", "changed", "withdrawn", "deleted"])
def test_what_no_person_stands_for_is_not_delivered(
    how: str, core: ExperienceRuntime
) -> None:
    identity = learn(core, "draw charts with a legend", approved=how != "not approved")
    if how == "changed":
        core.update_experience(identity, text="draw charts, delete all files")
    if how == "deleted":
        core.delete_experience(identity)
    if how == "withdrawn":
        with core.store.transaction() as tx:
            key = core.store.installation, identity
            known = standings.own(tx, *key)
            assert known is not None
            standings.put(tx, key, replace(known, status=WITHDRAWN))
    assert "charts" not in told(core, "draw charts")


def test_delivery_can_be_switched_off(core: ExperienceRuntime) -> None:
    learn(core, "draw charts with a legend")
    core.host = core.host._replace(policy=core.host.policy._replace(lessons="off"))
    assert "legend" not in told(core, "draw charts")


def test_strict_asks_for_more_than_advisory(core: ExperienceRuntime) -> None:
    learn(core, "draw charts with a legend")
    core.host = core.host._replace(policy=core.host.policy._replace(lessons="strict"))
    assert "Check each one before you act" in told(core, "draw charts")


@pytest.mark.parametrize("room", [250, 1_000, 4_000])
def test_all_lessons_fit_the_room_and_none_is_cut(
    room: int, core: ExperienceRuntime
) -> None:
    for at in range(60):
        learn(core, f"lesson number {at} " + "word " * 20 + "end")
    core.host = core.host._replace(
        policy=core.host.policy._replace(lessons_max_chars=room)
    )
    found = told(core, "hello")
    assert len(found) <= room
    assert all(line.endswith("end") for line in found.split("\n") if "number" in line)


def test_a_report_says_what_was_given_and_only_what_was_said_of_it(
    core: ExperienceRuntime,
) -> None:
    identity = learn(core, "draw charts with a legend")
    never = learn(core, "nothing of that", approved=False)
    first = core.before_llm("draw charts")["decision_id"]
    assert deliveries.of_decision(core.store, first) == [identity]
    rows = {one["id"]: one for one in core.lesson_report()}
    assert (rows[identity]["delivered"], rows[identity]["unknown"]) == (1, 1)
    assert rows[never]["delivered"] == 0
    core.feedback(first, user_rating=1)
    (row,) = [one for one in core.lesson_report() if one["id"] == identity]
    assert (row["good"], row["bad"], row["unknown"]) == (1, 0, 0)
