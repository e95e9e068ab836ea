"""Long-term goals, and the tools with which an agent asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experience_pack.api.asking import request
from experience_pack.api.core import Core
from experience_pack.api.questions import related
from experience_pack.model import Goal, new_id, read_record
from experience_pack.runtime import goals as reminding
from experience_pack.store import goals

_TEXT = {"type": "string"}
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def goal_add(
    core: Core, title: str, detail: str = "", keywords: Sequence[str] = ()
) -> str:
    """Set a goal and give its id."""
    with core.store.transaction() as tx:
        goal = Goal(
            id=new_id("goal"),
            title=title,
            detail=detail,
            keywords=tuple(keywords),
            created_at=tx.now,
            updated_at=tx.now,
        )
        goals.put(tx, goal)
    return goal.id


def goal_update(core: Core, goal_id: str, **fields: Any) -> dict[str, Any]:
    """Change a goal's `title`, `detail`, `status`, `progress` or `keywords`."""
    with core.store.transaction() as tx:
        before = goals.get(tx, goal_id).to_dict()
        document = {**before, **fields, "id": goal_id, "updated_at": tx.now}
        changed = read_record(Goal, document, goal_id)
        goals.put(tx, changed)
    return _shown(changed)


def goal_list(core: Core, status: str = "") -> list[dict[str, Any]]:
    """Give the goals in the order in which they were set, or those of a status."""
    return [_shown(goal) for goal in goals.listed(core.store, status)]


def goal_delete(core: Core, goal_id: str) -> None:
    """Delete a goal; an unknown id is a `NotFoundError`."""
    with core.store.transaction() as tx:
        goals.get(tx, goal_id)
        goals.remove(tx, goal_id)


def goal_state(core: Core) -> dict[str, Any]:
    """Give the active goals, and how often requests were reminded of them."""
    return {
        "goals": goal_list(core, "active"),
        "goal_inject_stats": reminding.statistics(core.store),
    }


def memory_tools(core: Core) -> list[dict[str, Any]]:
    """Give tools for an agent as `name`, `description`, `parameters` and `call`.

    `parameters` is a JSON schema, `call` a function of what it names.
    """
    asked = {"type": "object", "properties": {"text": _TEXT}, "required": ["text"]}
    return [
        {
            "name": "experience_goal_state",
            "description": "Read the long-term goals and where they stand.",
            "parameters": _NOTHING,
            "call": lambda: goal_state(core),
        },
        {
            "name": "experience_request",
            "description": "Ask what is known about a task before doing it.",
            "parameters": asked,
            "call": lambda text: request(core, text),
        },
        {
            "name": "experience_assoc_query",
            "description": "Find what is related to a text, and why.",
            "parameters": asked,
            "call": lambda text: related(core, text),
        },
    ]


def _shown(goal: Goal) -> dict[str, Any]:
    names = ("id", "title", "detail", "status", "progress")
    return {
        **{name: getattr(goal, name) for name in names},
        "keywords": [*goal.keywords],
        "created_at": goal.created_at,
        "updated_at": goal.updated_at,
    }
