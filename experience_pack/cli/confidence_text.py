"""How a confidence is told: what was earned here, and what others add to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experience_pack.cli import output

_SMALL = 0.005  # less does not show in two digits


def origins_of(found: Mapping[str, Any]) -> str:
    """Say where the score of `feedback.score_terms` comes from, in a line."""
    text = f"earned here {found['earned']:.2f}"
    others = found["others"]
    if not others["installations"]:
        return f"{text}, nothing from others"
    worked, failed = others["success_count"], others["failure_count"]
    who = output.counted(others["installations"], "installation")
    said = f"{who}: worked {worked} times, failed {failed}"
    if abs(found["from_others"]) < _SMALL:
        return f"{text}, nothing from others now ({said})"
    worth = f"worth {others['worth']:.1f} of your own"
    return f"{text}, from others {found['from_others']:+.2f} ({said}; {worth})"
