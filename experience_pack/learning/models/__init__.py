"""Models that are asked for help: one protocol, and adapters to what people have.

A model is a callable of system text and prompt (`experience_pack.model.replies`).
Hosts give their own; a command and an OpenAI-compatible endpoint are adapters here,
and MCP sampling is one in `hosts.mcp`. `ask` is the one door to all of them.
"""

from __future__ import annotations

from experience_pack.learning.models.asking import LIMITS, Limits, ask
from experience_pack.learning.models.configured import configured

__all__ = ["LIMITS", "Limits", "ask", "configured"]
