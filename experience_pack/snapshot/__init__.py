"""The snapshot document, which every view of experiences reads."""

from __future__ import annotations

from experience_pack.snapshot.rows import contents_of, rows_of, snapshot_of

__all__ = ["contents_of", "rows_of", "snapshot_of"]
