"""The error budget: how sure an execution has to be so that few are wrong.

The owner states which share of all requests may be executed wrongly. Of each request
it is known how probably its answer is right, so the bar is where the requests of late
that lie above it would spend the budget and no more. Complaints and audits tell how
far the probabilities can be believed: each wrong execution raises the bar at once,
and it comes down as requests pass. The bound is Clopper and Pearson's (1934).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

from experience_pack.store import Reader, estimates, outcomes
from experience_pack.store.outcomes import Outcome

STRICT = 5.0
"""The bar at the start: a fifth of all requests may be as unsure as it allows."""

KNOWN = 60
"""Decisions that somebody spoke of before the bar leaves its start."""

REPORTED = 0.25
"""Share of wrong executions that comes to light by complaints and audits; assuming
less than there is errs to the safe side."""

AIMED = 0.75
"""Share of the budget that is aimed at: few wrong executions come to light, so that
what they say of all is off by a third in either direction."""

RECENT = 500
"""Requests by which the bar is set."""

LOOK_BACK = 1_500
"""Requests whose spending counts; with more, the bar follows a change too late."""

SOON = 500
"""Requests at least over which what was spent too much is saved again."""

DOUBT = 1.5
"""Wrong executions that are assumed to have come to light where one was expected."""

MOST_SPENT, LEAST_SPENT = 1.5, 0.1
"""Of the budget, what may be spent at a time to catch up, or to make up."""

LOWEST, HIGHEST = 0.5, 0.999
"""No bar is lower or higher."""

LABELS = 1_000
"""Outcomes that are looked back on."""

RISK = 0.05
"""The bound is wrong one time in twenty."""


class Spent(NamedTuple):
    """What is known at a moment of what executions cost."""

    labelled: int = 0
    """Decisions that somebody spoke of."""
    requests: int = 0
    """Requests among the last `LOOK_BACK`."""
    wrong: int = 0
    """Executions among them that came to light as wrong."""
    expected: float = 0.0
    """Executions among them that are wrong, as their probabilities say."""
    recent: int = 0
    """Requests among the last `RECENT`."""
    sure: Sequence[float] = ()
    """Their probabilities, the highest first; fewer where some match nothing."""

    @property
    def trust(self) -> float:
        """Give by how much more is wrong than was expected (Gamma-Poisson)."""
        return (self.wrong + DOUBT) / (self.expected * REPORTED + 1)


class Budget(NamedTuple):
    """What is known of executions, and what follows."""

    allowed: float
    """Share of all requests that may be executed wrongly."""
    requests: int
    executed: int
    labelled: int
    """Executions, and audits in their place, of which somebody said what came of it."""
    wrong: int
    bound: float
    """Share of executions that is wrong at most, at 95 %."""
    bar: float
    """Least probability at which something executes."""

    def to_dict(self) -> dict[str, float]:
        """Give the figures of a page.

        They are `allowed`, `requests`, `executed`, `labelled`, `wrong`, `rate`,
        `bound` and `bar`.
        """
        rate = self.wrong / self.labelled if self.labelled else 0.0
        rounded = {"bound": round(self.bound, 4), "bar": round(self.bar, 4)}
        return {**self._asdict(), "rate": rate, **rounded}


def budget_of(db: Reader, allowed: float) -> Budget:
    """Give what is known at this moment."""
    requests, executed = outcomes.executed(db)
    ran = [one for one in outcomes.latest(db, LABELS) if one.ran]
    wrong = sum(one.wrong for one in ran)
    bound = upper_bound(wrong, len(ran))
    bar = bar_of(allowed, spent_of(db))
    return Budget(allowed, requests, executed, len(ran), wrong, bound, bar)


def spent_of(db: Reader) -> Spent:
    """Give what executions have cost until now."""
    told = outcomes.latest(db, LABELS)
    requests = outcomes.requests(db, LOOK_BACK)
    return Spent(
        labelled=len(told),
        requests=requests,
        wrong=wrong_of_late(told),
        expected=estimates.expected_wrong(db, LOOK_BACK),
        recent=min(RECENT, requests),
        sure=estimates.probabilities(db, RECENT),
    )


def wrong_of_late(told: Sequence[Outcome]) -> int:
    """Give how many executions came to light as wrong among the last requests."""
    return sum(one.ran and one.wrong and one.age < LOOK_BACK for one in told)


def bar_of(allowed: float, spent: Spent) -> float:
    """Give the least probability at which something executes.

    Above it lie as many of the recent requests as spend what may be spent, each by
    the chance that it is wrong, and all by how far such chances were believed wrongly.
    """
    if spent.labelled < KNOWN or spent.recent < KNOWN:
        return 1 - min(0.2, allowed * STRICT) / max(1.0, spent.trust / DOUBT)
    left = _share_left(AIMED * allowed, spent) * spent.recent / spent.trust
    bar = HIGHEST
    for sure in spent.sure:
        left -= 1 - sure
        if left < 0:
            break
        bar = sure
    return min(HIGHEST, max(LOWEST, bar))


def _share_left(allowed: float, spent: Spent) -> float:
    """Give the share of the next requests that may be executed wrongly.

    What was not spent, or was spent too much, is made up for over as many requests as
    were looked back on (integral control).
    """
    saved = allowed * spent.requests - spent.trust * spent.expected
    share = allowed + saved / max(spent.requests, SOON)
    return min(MOST_SPENT * allowed, max(LEAST_SPENT * allowed, share))


def upper_bound(wrong: int, labelled: int) -> float:
    """Give the share that is wrong at most, at 95 %, after so many of so many.

    It is the p at which so few wrong ones would come about one time in twenty,
    found by halving.
    """
    if wrong >= labelled:
        return 1.0
    low, high = wrong / labelled, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if _at_most(wrong, labelled, middle) > RISK:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, labelled: int, share: float) -> float:
    """Give the binomial probability of at most so many."""
    if not 0 < share < 1:
        return float(share <= 0)
    ways = lgamma(labelled + 1)
    return sum(
        exp(
            ways
            - lgamma(number + 1)
            - lgamma(labelled - number + 1)
            + number * log(share)
            + (labelled - number) * log(1 - share)
        )
        for number in range(wrong + 1)
    )
