"""Long-term goals: when a request is reminded of them (document: hybrid policy)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.runtime.policy import Policy
from experience_pack.runtime.types import State
from experience_pack.store import Reader, Transaction, basis

START, KEYWORD, CHANCE = "start", "keyword", "chance"
"""Why a request was reminded: its task begins, a word of change, by chance."""

CHANGE_WORDS = (
    "goal", "objective", "milestone", "priority", "roadmap", "change of plan",
    "change the plan", "目标", "里程碑", "优先级", "改计划", "计划变更", "调整方向",
)  # fmt: skip
"""Words with which people come back to what they want in the long run."""

TASK_KEYS = ("task_id", "session", "task")
"""What of the context names the task that a cap counts for, the first one given."""


class Reminding(NamedTuple):
    """The goals that go into a model's input now, for which task and why."""

    task: str
    reason: str
    titles: tuple[tuple[str, str], ...]
    """`(title, progress)` of every active goal."""


def due(
    db: Reader, state: State, policy: Policy, session: str, chance: Callable[[], float]
) -> Reminding | None:
    """Give what a request is reminded of, None if it is not.

    `hybrid` reminds once as a task starts, when a word of change or of a goal is
    said, and with a probability, never above the cap of a task; `off` never does.
    Without a task in the context the session is the task.
    """
    active = basis.active_goals(db) if policy.goal_policy != "off" else []
    if not active:
        return None
    task = task_of(state, session)
    reminded = basis.reminders_of(db, task)
    if reminded >= policy.goal_max_per_task:
        return None
    reason = _reason(state, active, policy, reminded, chance)
    if not reason:
        return None
    shown = tuple((goal["title"], goal.get("progress", "")) for goal in active)
    return Reminding(task, reason, shown)


def note(tx: Transaction, reminding: Reminding) -> None:
    """Note that a task was reminded."""
    basis.remind(tx, reminding.task, reminding.reason)


def task_of(state: State, session: str) -> str:
    """Give the name under which reminders of a task are counted."""
    stated = (state.context.get(key) for key in TASK_KEYS)
    return next((one for one in stated if isinstance(one, str) and one), session)


def statistics(db: Reader) -> dict[str, Any]:
    """Give how often requests were reminded, by reason, and when last."""
    listed = basis.reminders(db)
    reasons = [reason for reason, _ in listed]
    return {
        "total": len(listed),
        "by_reason": {key: reasons.count(key) for key in (START, KEYWORD, CHANCE)},
        "last_at": listed[0][1] if listed else "",
    }


def _reason(
    state: State,
    active: Sequence[Mapping[str, Any]],
    policy: Policy,
    reminded: int,
    chance: Callable[[], float],
) -> str:
    text = state.text.casefold()
    words = [
        *CHANGE_WORDS,
        *(word for goal in active for word in goal.get("keywords", ())),
    ]
    if policy.goal_start and not reminded:
        return START
    if any(word.casefold() in text for word in words):
        return KEYWORD
    return CHANCE if chance() < policy.goal_probability else ""
