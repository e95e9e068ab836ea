"""The snapshot document: the one input of file, site, dashboard and viewer."""

from __future__ import annotations

from experience_pack.snapshot.rows import rows_of, snapshot_of

__all__ = ["rows_of", "snapshot_of"]
