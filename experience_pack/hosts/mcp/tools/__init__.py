"""Every tool, by subject; the order is that of the runtime's own document."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.hosts.mcp.tool import Tool
from experience_pack.hosts.mcp.tools import (
    asking,
    goals,
    keeping,
    learning,
    looking,
    moving,
)

TOOLS: Sequence[Tool] = (
    *asking.TOOLS,
    *learning.TOOLS,
    *keeping.TOOLS,
    *goals.TOOLS,
    *looking.TOOLS,
    *moving.TOOLS,
)

CORE = (
    "experience_request",
    "experience_before_llm",
    "experience_feedback",
    "experience_assoc_query",
    "experience_compile",
    "experience_save_episode",
    "experience_suggest_compile",
    "experience_auto_compile",
    "experience_authorize",
    "experience_goal_state",
)
"""What the contract names, and nothing else: a model reads every tool at every turn."""

PROFILES: dict[str, Sequence[Tool]] = {
    "core": [one for one in TOOLS if one.name in CORE],
    "full": TOOLS,
}
