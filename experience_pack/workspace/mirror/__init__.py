"""The two-way mirror between the store and the cards."""

from __future__ import annotations

from experience_pack.workspace.mirror.report import Finding, Report
from experience_pack.workspace.mirror.sync import sync
from experience_pack.workspace.mirror.writer import drain

__all__ = ["Finding", "Report", "drain", "sync"]
