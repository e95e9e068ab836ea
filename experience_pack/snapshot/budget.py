"""How often executions were wrong, for a page."""

from __future__ import annotations

from experience_pack.model.settings import BY_KEY
from experience_pack.runtime.budget import budget_of
from experience_pack.store import Reader


def budget_block(db: Reader, allowed: float | None = None) -> dict[str, float]:
    """Give the error budget's figures: counts, shares from 0 to 1, and the bar.

    `allowed` wrong of all `requests`; of these `executed`; `labelled` executions of
    which `wrong`; `rate` observed among them, `bound` what it is at most at 95 %;
    `bar` the least probability at which something executes now.
    """
    stated = BY_KEY["error_budget"].default if allowed is None else allowed
    return budget_of(db, stated).to_dict()
