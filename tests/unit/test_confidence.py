from __future__ import annotations

from dataclasses import replace

import pytest

from experience_pack.clock import seconds, timestamp
from experience_pack.model.confidence import (
    DECAY_PER_DAY,
    Conditions,
    Outcome,
    Weights,
    after_decision,
    after_feedback,
    after_tick,
    level,
    score,
    terms,
)
from experience_pack.model.records import Category
from experience_pack.model.standing import (
    EVIDENCE_PRICES,
    Authorisation,
    Standing,
    Streak,
)

NOW = seconds("2026-08-10T12:00:00Z")
HERE = Conditions(now=NOW)
DAY = 86_400
GOOD = Outcome(worked=True)
BAD = Outcome(worked=False)

SAMPLE = Standing(
    price=0.30,
    success_count=2,
    failure_count=1,
    streak=Streak(success=2),
    frequency=3,
    total_usage=3,
    positive_fb=2,
    negative_fb=1,
)
"""The record that the document shows (R7)."""


def repeated(standing: Standing, outcome: Outcome, times: int) -> Standing:
    for _ in range(times):
        standing = after_feedback(standing, outcome, HERE)
    return standing


def test_the_documents_sample_record_scores_0_483() -> None:
    # (2 + 0.30/0.725)/4 × (0.50 + 0.3·0.20 + 0.6·0.15 + 1·0.15) × 1
    assert score(SAMPLE, HERE) == pytest.approx(0.48276, abs=5e-6)


def test_the_documents_sample_record_scores_0_400_without_pi() -> None:
    # 2/4 × 0.80 × 1: the documented formula
    assert score(replace(SAMPLE, price=0.0), HERE) == pytest.approx(0.4)


@pytest.mark.parametrize("price", [*EVIDENCE_PRICES.values(), 0.35, 0.6, 0.9])
def test_an_unused_item_scores_its_evidence_price(price: float) -> None:
    assert score(Standing(price=price), HERE) == pytest.approx(price)


def test_an_unused_item_keeps_its_price_under_other_weights() -> None:
    weights = Weights(base=0.4, uf=0.3, ua=0.2, freshness=0.1)

    assert score(
        Standing(price=0.3), Conditions(now=NOW, weights=weights)
    ) == pytest.approx(0.3)


def test_pi_is_0_414_at_a_price_of_0_30() -> None:
    assert terms(Standing(price=0.30), HERE).prior == pytest.approx(0.414, abs=5e-4)


def test_terms_name_every_factor_of_the_document() -> None:
    found = terms(SAMPLE, HERE)

    assert found.prediction == pytest.approx((2 + 0.30 / 0.725) / 4)
    assert found.frequency == pytest.approx(0.3)
    assert found.acceptance == pytest.approx(0.6)
    assert (found.freshness, found.stability) == (1.0, 1.0)
    assert (found.cap, found.floor) == (1.0, 0.0)
    assert found.score == found.product


def test_more_than_ten_recent_uses_add_nothing() -> None:
    busy = replace(SAMPLE, frequency=10)

    assert score(busy, HERE) == score(replace(busy, frequency=99), HERE)


@pytest.mark.parametrize("days", [1, 14, 100])
def test_freshness_is_e_to_the_minus_0_05_days(days: int) -> None:
    used = replace(SAMPLE, last_used=timestamp(NOW - days * DAY))

    assert terms(used, HERE).freshness == pytest.approx(
        2.718281828459 ** (-0.05 * days)
    )
    assert DECAY_PER_DAY == 0.05


def test_a_categorys_half_life_slows_the_decay() -> None:
    used = replace(SAMPLE, last_used=timestamp(NOW - 28 * DAY))
    slow = Conditions(now=NOW, category=Category(name="x", half_life_days=28.0))

    assert terms(used, slow).freshness == pytest.approx(0.4966, abs=1e-4)


def test_a_use_in_the_future_counts_as_fresh() -> None:
    used = replace(SAMPLE, last_used=timestamp(NOW + DAY))

    assert terms(used, HERE).freshness == 1.0


@pytest.mark.parametrize(
    ("window", "expected"),
    [((), 1.0), (("a",), 1.0), (("a", "a"), 1.0), (("a", "b"), 0.8)],
)
def test_stability_comes_from_the_last_outputs(
    window: tuple[str, ...], expected: float
) -> None:
    kept = replace(SAMPLE, consistency_window=window)

    assert terms(kept, HERE).stability == pytest.approx(expected)


def test_the_host_may_give_the_stability() -> None:
    assert score(SAMPLE, Conditions(now=NOW, stability=0.5)) == pytest.approx(
        0.24138, abs=5e-6
    )


def test_outputs_that_always_differ_can_still_mature() -> None:
    record = Standing(success_count=40, frequency=10, positive_fb=9)
    record = replace(record, consistency_window=tuple("abcdefghij"))

    assert level(score(record, HERE)) == "automatic"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, "automatic"),
        (0.75, "automatic"),
        (0.7499, "learning"),
        (0.35, "learning"),
        (0.3499, "raw"),
        (0.0, "raw"),
    ],
)
def test_levels_begin_at_0_75_and_0_35(value: float, expected: str) -> None:
    assert level(value) == expected


def test_three_failures_in_a_row_push_below_learning() -> None:
    mature = Standing(success_count=60, frequency=10, positive_fb=9)

    assert level(score(repeated(mature, BAD, 2), HERE)) == "automatic"
    assert level(score(repeated(mature, BAD, 3), HERE)) == "raw"


def test_one_success_ends_the_streak() -> None:
    mature = repeated(Standing(success_count=60, frequency=10), BAD, 3)

    assert level(score(after_feedback(mature, GOOD, HERE), HERE)) != "raw"


def test_an_authorised_score_is_a_floor() -> None:
    allowed = Standing(authorisation=Authorisation(digest="d1"))
    failed = repeated(allowed, BAD, 5)

    assert score(failed, Conditions(now=NOW, digest="d1")) == 0.75


def test_the_floor_goes_with_the_authorised_content() -> None:
    allowed = Standing(price=0.3, authorisation=Authorisation(digest="d1"))

    assert score(allowed, Conditions(now=NOW, digest="d2")) == pytest.approx(0.3)
    assert score(allowed, HERE) == pytest.approx(0.3)


def test_an_authorised_item_does_not_fall_asleep() -> None:
    here = Conditions(now=NOW, digest="d1")
    record = Standing(authorisation=Authorisation(digest="d1"))
    for _ in range(5):
        record = after_tick(after_feedback(record, BAD, here), here)

    assert record.status == "active"


def test_one_failure_never_sleeps_a_new_item() -> None:
    assert repeated(Standing(), BAD, 1).status == "active"
    assert repeated(Standing(), BAD, 2).status == "active"


def test_three_failures_sleep_a_new_item() -> None:
    assert repeated(Standing(), BAD, 3).status == "sleeping"


def test_a_success_that_lifts_the_score_wakes_it() -> None:
    asleep = repeated(Standing(), BAD, 3)

    assert repeated(asleep, GOOD, 3).status == "active"


def test_a_categorys_sleep_threshold_applies() -> None:
    strict = Conditions(now=NOW, category=Category(name="x", sleep_threshold=0.3))
    shaky = Standing(success_count=2, failure_count=2, frequency=4)

    assert after_feedback(shaky, BAD, HERE).status == "active"
    assert (
        after_feedback(replace(shaky, failure_count=3), BAD, strict).status
        == "sleeping"
    )


@pytest.mark.parametrize("status", ["disabled", "archived"])
def test_a_status_that_a_person_chose_stays(status: str) -> None:
    assert repeated(Standing(status=status), BAD, 4).status == status


def test_a_tick_leaves_seven_tenths_of_the_frequency() -> None:
    ticked = after_tick(replace(SAMPLE, frequency=10), HERE)

    assert ticked.frequency == pytest.approx(7)
    assert ticked.last_decay_at == "2026-08-10T12:00:00Z"


def test_a_tick_sleeps_what_is_rare_and_mostly_fails() -> None:
    rare = Standing(success_count=3, failure_count=3, frequency=1.2)

    assert after_tick(rare, HERE).status == "sleeping"
    assert after_tick(replace(rare, frequency=5), HERE).status == "active"
    assert after_tick(replace(rare, success_count=4), HERE).status == "active"


def test_a_tick_never_sleeps_an_unused_item() -> None:
    assert after_tick(Standing(), HERE).status == "active"


def test_feedback_counts_use_outcome_and_streak() -> None:
    used = after_feedback(replace(SAMPLE, streak=Streak(success=2)), BAD, HERE)

    assert (used.success_count, used.failure_count) == (2, 2)
    assert used.streak == Streak(success=0, failure=1)
    assert (used.frequency, used.total_usage) == (4, 4)
    assert used.last_used == "2026-08-10T12:00:00Z"


def test_a_rating_alone_is_no_use() -> None:
    rated = after_feedback(SAMPLE, Outcome(rating=-1), HERE)

    assert (rated.positive_fb, rated.negative_fb) == (2, 2)
    assert (rated.total_usage, rated.last_used) == (3, "")


def test_the_window_keeps_the_last_ten_outputs() -> None:
    record = Standing()
    for number in range(12):
        record = after_feedback(record, Outcome(output_hash=f"h{number}"), HERE)

    assert record.consistency_window == tuple(f"h{n}" for n in range(2, 12))
    assert record.last_output_hash == "h11"


def test_a_clock_moved_back_keeps_the_later_use() -> None:
    later = replace(SAMPLE, last_used=timestamp(NOW + DAY))

    assert after_feedback(later, GOOD, HERE).last_used == timestamp(NOW + DAY)


@pytest.mark.parametrize(
    ("decision", "counter"),
    [
        ("execute", "executed"),
        ("assist", "assisted"),
        ("delegate", "delegated"),
        ("hint", "hinted"),
        ("reject", "rejected"),
    ],
)
def test_each_decision_has_its_counter(decision: str, counter: str) -> None:
    counted = after_decision(after_decision(Standing(), decision), decision)

    assert getattr(counted.decision_counts, counter) == 2
    assert score(counted, HERE) == score(Standing(), HERE)
