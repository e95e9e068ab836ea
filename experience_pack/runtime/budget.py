"""The error budget: how sure an execution has to be so that few are wrong.

The owner states which share of all requests may be executed wrongly. Complaints and
audits say which executions were; each wrong one raises the bar at once, and the bar
comes down again slowly as requests pass. The bound is Clopper and Pearson's (1934).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

from experience_pack.store import Reader, outcomes
from experience_pack.store.outcomes import Outcome

STRICT = 5.0
"""At the start a fifth of all requests may be executed: the rest of the budget
waits until enough is known."""

KNOWN = 60
"""Labelled executions from which a bound says something (matching, §4)."""

EASED = 10.0
"""With a bound that holds, a tenth of requests may be as unsure as the bar."""

TIGHTENING = 0.8
"""What one wrong execution adds to the bar, in log-odds."""

HALF_LIFE = 300
"""Requests in which half of that goes again: a few hundred quiet ones."""

MOST = 4.0
"""Log-odds that are added at most; 0.95 becomes 0.999."""

LABELS = 1_000
"""Outcomes that are looked back on."""

RISK = 0.05
"""The bound is wrong one time in twenty."""


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
    offset: float
    """What is added to the bar, in log-odds."""

    def bar(self, allowed: float) -> float:
        """Give the least probability at which something executes."""
        share = self.executed / self.requests if self.requests else 1.0
        proven = self.labelled >= KNOWN and self.bound * share <= self.allowed
        least = 1 - min(0.2, allowed * (EASED if proven else STRICT))
        return _chance(log(least / (1 - least)) + self.offset)

    def to_dict(self) -> dict[str, float]:
        """Give the figures of a page.

        They are `allowed`, `requests`, `executed`, `labelled`, `wrong`, `rate`,
        `bound` and `bar`.
        """
        rate = self.wrong / self.labelled if self.labelled else 0.0
        shown = {key: getattr(self, key) for key in self._fields if key != "offset"}
        bar = round(self.bar(self.allowed), 4)
        return {**shown, "rate": rate, "bound": round(self.bound, 4), "bar": bar}


def budget_of(db: Reader, allowed: float) -> Budget:
    """Give what is known at this moment."""
    listed = outcomes.latest(db, LABELS)
    requests, executed = outcomes.executed(db)
    wrong = sum(one.wrong for one in listed)
    return Budget(
        allowed,
        requests,
        executed,
        len(listed),
        wrong,
        upper_bound(wrong, len(listed)),
        offset_of(listed),
    )


def offset_of(listed: Sequence[Outcome]) -> float:
    """Give what past mistakes add to the bar; each fades with the requests since."""
    ages = [one.age for one in listed if one.wrong]
    return min(MOST, sum(TIGHTENING * exp(-age * log(2) / HALF_LIFE) for age in ages))


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


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-odds))
