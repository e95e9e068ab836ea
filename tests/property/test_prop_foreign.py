from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience_pack.clock import seconds, timestamp
from experience_pack.model import Standing
from experience_pack.model.confidence import AUTOMATIC, Conditions, terms
from experience_pack.model.formula import (
    EVIDENCE_PRICES,
    FOREIGN_HALF_LIFE,
    FOREIGN_MOST,
    foreign_of,
)

pytestmark = pytest.mark.property

NOW = seconds("2026-08-10T12:00:00Z")
DAY = 86_400.0

counts = st.integers(0, 500)
ages = st.floats(0, 2_000)


def row(successes: int, failures: int, age: float, **more: Any) -> dict[str, Any]:
    return {
        "success_count": successes,
        "failure_count": failures,
        "last_used": timestamp(NOW - age * DAY),
        **more,
    }


rows = st.builds(row, counts, counts, ages)
foreign_rows = st.lists(rows, max_size=6)
prices = st.sampled_from([*EVIDENCE_PRICES.values(), 0.35, 0.7])
standings = st.builds(
    Standing,
    price=prices,
    success_count=st.integers(0, 40),
    failure_count=st.integers(0, 40),
)


def judged(standing: Standing, others: list[dict[str, Any]], now: float = NOW) -> float:
    here = Conditions(now=now, foreign=foreign_of(others, now))
    return terms(standing, here).score


@given(standings, foreign_rows, counts, ages)
def test_more_success_of_others_never_lowers_a_score(
    standing: Standing, others: list[dict[str, Any]], more: int, age: float
) -> None:
    before = judged(standing, [*others, row(3, 3, age)])
    after = judged(standing, [*others, row(3 + more, 3, age)])

    assert after >= before - 1e-9


@given(standings, foreign_rows, counts, ages)
def test_more_failure_of_others_never_raises_a_score(
    standing: Standing, others: list[dict[str, Any]], more: int, age: float
) -> None:
    before = judged(standing, [*others, row(3, 3, age)])
    after = judged(standing, [*others, row(3, 3 + more, age)])

    assert after <= before + 1e-9


wild = st.fixed_dictionaries(
    {},
    optional={
        "success_count": st.integers(-(10**320), 10**320),
        "failure_count": st.integers(-(10**320), 10**320),
        "last_used": st.sampled_from(
            ["", "yesterday", timestamp(NOW), timestamp(NOW + 900 * DAY)]
        ),
    },
)


@given(st.lists(rows | wild, max_size=8), prices)
def test_others_alone_never_make_anything_automatic(
    others: list[dict[str, Any]], price: float
) -> None:
    found = foreign_of(others, NOW)

    assert 0 <= found.successes + found.failures <= FOREIGN_MOST + 1e-9
    assert 0 <= judged(Standing(price=price), others) < AUTOMATIC


@given(foreign_rows, st.floats(0, 1_000), st.floats(0, 1_000))
def test_what_others_say_wears_out(
    others: list[dict[str, Any]], soon: float, more: float
) -> None:
    first = foreign_of(others, NOW + soon * DAY)
    later = foreign_of(others, NOW + (soon + more) * DAY)

    assert sum(later) <= sum(first) + 1e-9


@given(counts, counts)
def test_it_halves_in_its_half_life(successes: int, failures: int) -> None:
    fresh = foreign_of([row(successes % 5, failures % 3, 0)], NOW)
    older = foreign_of([row(successes % 5, failures % 3, FOREIGN_HALF_LIFE)], NOW)

    assert older.successes == pytest.approx(fresh.successes / 2)
    assert older.failures == pytest.approx(fresh.failures / 2)


@given(foreign_rows, st.integers(3, 60), st.booleans(), prices)
def test_one_s_own_outcomes_overrule(
    others: list[dict[str, Any]], uses: int, worked: bool, price: float
) -> None:
    own = Standing(
        price=price,
        success_count=uses if worked else 0,
        failure_count=0 if worked else uses,
    )
    found = abs(judged(own, others) - judged(own, []))

    assert found <= FOREIGN_MOST / (uses + 1 + FOREIGN_MOST) + 1e-9


@given(foreign_rows, prices)
def test_rights_and_state_of_others_count_for_nothing(
    others: list[dict[str, Any]], price: float
) -> None:
    rights = {
        "authorisation": {"digest": "d", "score": 1.0},
        "approved_digest": "d",
        "status": "disabled",
        "pinned": True,
        "positive_fb": 99,
        "frequency": 50.0,
        "streak": {"failure": 9},
        "stated_score": 1.0,
    }
    bold = [{**one, **rights} for one in others]

    assert judged(Standing(price=price), bold) == judged(Standing(price=price), others)


@given(standings, foreign_rows)
def test_what_was_earned_here_is_told_apart(
    standing: Standing, others: list[dict[str, Any]]
) -> None:
    here = Conditions(now=NOW, foreign=foreign_of(others, NOW))
    found = terms(standing, here)

    alone = terms(standing, replace(here, foreign=foreign_of([], NOW)))
    assert found.earned == alone.score
    if not others:
        assert found.earned == found.score
