"""The workspace: a project's `.experience/` folder and its cards."""

from __future__ import annotations
