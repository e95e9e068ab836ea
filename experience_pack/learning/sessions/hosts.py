"""The table of hosts whose sessions can be read."""

from __future__ import annotations

from collections.abc import Mapping

from experience_pack.learning.sessions.claude import CLAUDE
from experience_pack.learning.sessions.codex import CODEX
from experience_pack.learning.sessions.events import SessionHost
from experience_pack.learning.sessions.gemini import GEMINI
from experience_pack.learning.sessions.pi import PI

HOSTS: Mapping[str, SessionHost] = {
    one.name: one for one in (CLAUDE, CODEX, GEMINI, PI)
}
"""Each by the name that `host install` and `hook` know it under."""
