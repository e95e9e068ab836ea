"""The snapshot document: the one input of file, site, dashboard and viewer."""

from __future__ import annotations

from experience_pack.snapshot.rows import snapshot_of

__all__ = ["snapshot_of"]
