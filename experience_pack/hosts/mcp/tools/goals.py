"""Long-term goals."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.hosts.mcp.tool import (
    ADDS,
    LISTED,
    OBJECT,
    OBJECTS,
    READS,
    REMOVES,
    SETS,
    TEXT,
    TEXTS,
    Tool,
    UnattendedRuntime,
    gives,
    one_of,
    said,
    takes,
)
from experience_pack.model.values import Json

_STATUS = one_of("active", "done", "dropped")


def _add(
    core: UnattendedRuntime, title: str, detail: str = "", keywords: Sequence[str] = ()
) -> Json:
    return {"id": core.goal_add(title, detail, keywords)}


def _update(core: UnattendedRuntime, goal_id: str, **fields: Json) -> Json:
    return core.goal_update(goal_id, **fields)


def _list(core: UnattendedRuntime, status: str = "") -> Json:
    return core.goal_list(status)


def _state(core: UnattendedRuntime) -> Json:
    return core.goal_state()


def _delete(core: UnattendedRuntime, goal_id: str) -> Json:
    core.goal_delete(goal_id)
    return {"deleted": goal_id}


TOOLS = (
    Tool(
        "experience_goal_add",
        "Set a goal",
        "Set a long-term goal that the person named.",
        ADDS,
        takes(
            "title",
            title=TEXT,
            detail=said(TEXT, "How one sees that it is reached."),
            keywords=said(TEXTS, "Words that bring it up."),
        ),
        gives(id=TEXT),
        _add,
    ),
    Tool(
        "experience_goal_update",
        "Change a goal",
        "Change a goal's wording, progress or status.",
        SETS,
        takes(
            "goal_id",
            goal_id=TEXT,
            title=TEXT,
            detail=TEXT,
            progress=said(TEXT, "Where it stands."),
            status=_STATUS,
            keywords=TEXTS,
        ),
        gives(id=TEXT, title=TEXT, detail=TEXT, status=TEXT, progress=TEXT),
        _update,
    ),
    Tool(
        "experience_goal_list",
        "List goals",
        "List goals in the order in which they were set.",
        READS,
        takes(status=_STATUS),
        LISTED,
        _list,
    ),
    Tool(
        "experience_goal_state",
        "Read the goals",
        "Read the active long-term goals and where they stand.",
        READS,
        takes(),
        gives(goals=OBJECTS, goal_inject_stats=OBJECT),
        _state,
    ),
    Tool(
        "experience_goal_delete",
        "Delete a goal",
        "Delete a goal for good.",
        REMOVES,
        takes("goal_id", goal_id=TEXT),
        gives(deleted=TEXT),
        _delete,
    ),
)
