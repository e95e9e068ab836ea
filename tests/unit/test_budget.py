from __future__ import annotations

from dataclasses import dataclass

import pytest

from experience_pack.runtime.budget import (
    AIMED,
    KNOWN,
    LOWEST,
    REPORTED,
    Spent,
    bar_of,
    upper_bound,
    wrong_of_late,
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


@dataclass(frozen=True, kw_only=True)
class Late:
    """What happened of late, in words that a test reads well with."""

    wrong: int = 0
    expected: float = 0.0
    labelled: int = KNOWN
    sure: tuple[float, ...] = tuple(1 - at / 1000 for at in range(500))

    def bar(self, allowed: float = 0.01) -> float:
        return bar_of(
            allowed,
            Spent(
                labelled=self.labelled,
                requests=1500,
                wrong=self.wrong,
                expected=self.expected,
                recent=500,
                sure=self.sure,
            ),
        )


def test_until_enough_is_known_the_bar_stays_at_its_strict_start() -> None:
    few = Late(labelled=KNOWN - 1)

    assert few.bar(0.01) == pytest.approx(0.95)
    assert few.bar(0.001) == pytest.approx(0.995)


def test_above_the_bar_lie_as_many_requests_as_spend_the_budget() -> None:
    spending = Late(expected=11, wrong=2)  # about as many as were expected
    bar = spending.bar()
    above = [one for one in spending.sure if one >= bar]

    assert sum(1 - one for one in above) == pytest.approx(AIMED * 0.01 * 500, rel=0.2)


def test_each_mistake_that_comes_to_light_raises_the_bar() -> None:
    bars = [Late(expected=10, wrong=wrong).bar() for wrong in range(6)]

    assert bars == sorted(bars)
    assert bars[5] > bars[0]


def test_the_bar_is_lower_where_more_may_be_wrong() -> None:
    assert Late().bar(0.05) < Late().bar(0.01) < Late().bar(0.001)


def test_what_was_spent_too_much_is_saved_again() -> None:
    assert Late(expected=40, wrong=10).bar() > Late(expected=10, wrong=2).bar()


def test_no_bar_is_lower_than_an_even_chance() -> None:
    assert Late(sure=(0.4,) * 500).bar() == LOWEST
    assert Late(sure=(0.9999,) * 10 + (0.2,) * 10).bar(0.5) == LOWEST


def test_only_mistakes_of_executions_of_late_count() -> None:
    told = [
        Outcome(age=0, ran=True, wrong=True),
        Outcome(age=0, ran=False, wrong=True),
        Outcome(age=0, ran=True, wrong=False),
        Outcome(age=5_000, ran=True, wrong=True),
    ]

    assert wrong_of_late(told) == 1


def test_a_quarter_of_mistakes_is_thought_to_come_to_light() -> None:
    believed = Spent(expected=2 / REPORTED, wrong=2)

    assert believed.trust == pytest.approx(3.5 / 3)


def test_a_mistake_raises_the_bar_from_its_start_too() -> None:
    assert Late(labelled=1, wrong=1).bar() > Late(labelled=1).bar()
