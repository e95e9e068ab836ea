from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience_pack.clock import seconds, timestamp
from experience_pack.model.confidence import (
    LEARNING,
    Conditions,
    Outcome,
    after_decision,
    after_feedback,
    after_tick,
    level,
    score,
    terms,
)
from experience_pack.model.standing import Authorisation, Standing, Streak

pytestmark = pytest.mark.property

NOW = seconds("2026-08-10T12:00:00Z")
TEN_YEARS = 3_653 * 86_400

instants = st.integers(-TEN_YEARS, TEN_YEARS).map(lambda gap: float(NOW + gap))
counts = st.integers(0, 10_000)
hashes = st.sampled_from(["a", "b", "c", "d"])
outcomes = st.builds(
    Outcome,
    worked=st.sampled_from([True, False, None]),
    rating=st.integers(-1, 1),
    output_hash=hashes | st.just(""),
)
standings = st.builds(
    Standing,
    price=st.floats(0, 1),
    success_count=counts,
    failure_count=counts,
    streak=st.builds(Streak, success=counts, failure=counts),
    frequency=st.floats(0, 10_000),
    positive_fb=counts,
    negative_fb=counts,
    last_used=instants.map(timestamp) | st.sampled_from(["", "yesterday"]),
    consistency_window=st.lists(hashes, max_size=12).map(tuple),
    authorisation=st.none()
    | st.builds(Authorisation, digest=st.just("d"), score=st.floats(0, 1)),
)


@given(standings, instants)
def test_a_score_lies_in_0_to_1_at_any_time(standing: Standing, now: float) -> None:
    assert 0.0 <= score(standing, Conditions(now=now)) <= 1.0


@given(standings, instants, st.lists(outcomes, max_size=8))
def test_no_feedback_takes_a_score_below_the_authorised_floor(
    standing: Standing, now: float, history: list[Outcome]
) -> None:
    here = Conditions(now=now, digest="d")
    for outcome in history:
        standing = after_tick(after_feedback(standing, outcome, here), here)

    floor = standing.authorisation.score if standing.authorisation else 0.0
    assert score(standing, here) >= floor
    assert standing.status == "active" or not floor


@given(standings, instants, st.lists(instants, max_size=6), outcomes)
def test_a_clock_that_jumps_keeps_scores_and_times_in_range(
    standing: Standing, now: float, jumps: list[float], outcome: Outcome
) -> None:
    for moment in jumps:
        here = Conditions(now=moment)
        before = seconds(standing.last_used)
        standing = after_tick(after_feedback(standing, outcome, here), here)
        assert seconds(standing.last_used) >= before

    assert 0.0 <= score(standing, Conditions(now=now)) <= 1.0


@given(standings, instants)
def test_reading_changes_nothing(standing: Standing, now: float) -> None:
    before = copy.deepcopy(standing)
    first = terms(standing, Conditions(now=now))

    assert terms(standing, Conditions(now=now)) == first
    assert standing == before


@given(standings, instants, st.sampled_from(["execute", "assist", "reject"]))
def test_a_decision_alone_moves_no_score(
    standing: Standing, now: float, decision: str
) -> None:
    here = Conditions(now=now)

    assert score(after_decision(standing, decision), here) == score(standing, here)


@given(st.floats(0, 1), instants)
def test_one_failure_sleeps_no_new_item_and_three_sleep_a_priced_one(
    price: float, now: float
) -> None:
    here = Conditions(now=now)
    standing = after_feedback(Standing(price=price), Outcome(worked=False), here)
    assert standing.status == "active"

    for _ in range(2):
        standing = after_feedback(standing, Outcome(worked=False), here)
    assert level(score(standing, here)) == "raw"
    assert price > LEARNING or standing.status == "sleeping"


@given(standings, instants)
def test_a_success_never_lowers_the_score(standing: Standing, now: float) -> None:
    here = Conditions(now=now)
    later = after_feedback(standing, Outcome(worked=True), here)

    assert score(later, here) >= score(standing, here) - 1e-9 or standing.price > 0.72
