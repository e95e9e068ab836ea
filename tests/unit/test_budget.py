from __future__ import annotations

import pytest

from experience_pack.runtime.budget import (
    REPORTED,
    STEP,
    bar_of,
    offset_of,
    upper_bound,
)
from experience_pack.store.outcomes import Outcome


@pytest.mark.parametrize(
    ("wrong", "labelled", "bound"),
    [(0, 59, 0.0495), (0, 299, 0.00997), (1, 100, 0.0466), (5, 100, 0.1023)],
)
def test_the_bound_is_clopper_and_pearsons(
    wrong: int, labelled: int, bound: float
) -> None:
    assert upper_bound(wrong, labelled) == pytest.approx(bound, abs=2e-4)


def test_without_labels_nothing_is_bounded() -> None:
    assert upper_bound(0, 0) == 1.0


def outcome(age: int, *, wrong: bool = False, ran: bool = True) -> Outcome:
    return Outcome(age, ran=ran, wrong=wrong)


def test_a_mistake_raises_the_bar_at_once_and_fades_slowly() -> None:
    now, later, gone = (
        offset_of([outcome(age, wrong=True)], 0.01) for age in (0, 200, 1000)
    )
    assert now == pytest.approx(STEP / REPORTED)
    assert later == pytest.approx(now - 200 * STEP * 0.01)
    assert gone == 0


def test_until_enough_is_known_the_bar_stays_at_its_start() -> None:
    few = [outcome(age, ran=False) for age in range(500, 450, -1)]
    many = [outcome(age, ran=False) for age in range(2000, 1900, -1)]

    assert offset_of(few, 0.01) == 0
    assert offset_of(many, 0.01) == pytest.approx(-2)


def test_what_never_ran_does_not_raise_the_bar() -> None:
    assert offset_of([outcome(0, wrong=True, ran=False)], 0.01) == 0


def test_as_many_mistakes_as_are_allowed_keep_the_bar_where_it_is() -> None:
    # one in a hundred is wrong, one of four of these comes to light
    told = [outcome(age, wrong=True) for age in range(40_000, 0, -400)]

    assert abs(offset_of(told, 0.01)) <= 2


def test_the_bar_follows_what_the_owner_allows() -> None:
    assert bar_of(0.01, 0) == pytest.approx(0.95)
    assert bar_of(0.001, 0) == pytest.approx(0.995)
    assert bar_of(0.01, 1) > 0.98
