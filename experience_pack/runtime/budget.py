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
"""The bar at the start: a fifth of all requests may be as unsure as it allows."""

KNOWN = 60
"""Decisions that somebody spoke of before the bar may come below its start."""

STEP = 0.25
"""How fast the bar moves: what the whole budget is worth a request, in log-odds."""

REPORTED = 0.25
"""Share of wrong executions that comes to light by complaints and audits; assuming
less than there is errs to the safe side."""

LOWEST, MOST = -2.0, 4.0
"""Log-odds beside the start: 0.95 becomes 0.72 at least and 0.999 at most."""

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

    def to_dict(self) -> dict[str, float]:
        """Give the figures of a page.

        They are `allowed`, `requests`, `executed`, `labelled`, `wrong`, `rate`,
        `bound` and `bar`.
        """
        rate = self.wrong / self.labelled if self.labelled else 0.0
        shown = {key: getattr(self, key) for key in self._fields if key != "offset"}
        bar = round(bar_of(self.allowed, self.offset), 4)
        return {**shown, "rate": rate, "bound": round(self.bound, 4), "bar": bar}


def budget_of(db: Reader, allowed: float) -> Budget:
    """Give what is known at this moment."""
    requests, executed = outcomes.executed(db)
    return judged(outcomes.latest(db, LABELS), requests, executed, allowed)


def judged(
    told: Sequence[Outcome], requests: int, executed: int, allowed: float
) -> Budget:
    """Give what outcomes, the oldest first, say of so many executed requests."""
    ran = [one for one in told if one.ran]
    wrong = sum(one.wrong for one in ran)
    bound = upper_bound(wrong, len(ran))
    offset = offset_of(told, allowed)
    return Budget(allowed, requests, executed, len(ran), wrong, bound, offset)


def bar_of(allowed: float, offset: float) -> float:
    """Give the least probability at which something executes."""
    least = 1 - min(0.2, allowed * STRICT)
    return 1 / (1 + exp(-log(least / (1 - least)) - offset))


def offset_now(db: Reader, allowed: float) -> float:
    """Give how far the bar is from its start at this moment."""
    return offset_of(outcomes.latest(db, LABELS), allowed)


def offset_of(told: Sequence[Outcome], allowed: float) -> float:
    """Give how far the bar is from its start after outcomes, the oldest first.

    With each request it sinks by what the budget allows, with each wrong execution it
    rises by what one stands for; where both are in balance the budget is used up and
    no more (adaptive conformal inference, Gibbs and Candès 2021).
    """
    offset = 0.0
    for number, one in enumerate(told):
        if one.ran and one.wrong:
            offset = min(MOST, offset + STEP / REPORTED)
        later = told[number + 1].age if number + 1 < len(told) else 0
        least = LOWEST if number + 1 >= KNOWN else min(offset, 0.0)
        offset = max(least, offset - STEP * allowed * (one.age - later))
    return offset


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
