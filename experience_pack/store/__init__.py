"""The store: one SQLite file a workspace, and the only place with SQL."""

from __future__ import annotations

from experience_pack.store.connection import Reader, Store, Transaction

__all__ = ["Reader", "Store", "Transaction"]
