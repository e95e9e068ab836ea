"""The live dashboard: the viewer on a running workspace, for its person alone."""

from __future__ import annotations

from experience_pack.hosts.dashboard.server import Dashboard

__all__ = ["Dashboard"]
