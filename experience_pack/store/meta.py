"""Numbers that the store keeps of itself (`compile_count`, `llm_compile_count`)."""

from __future__ import annotations

from experience_pack.store.connection import Reader, Transaction


def number(db: Reader, key: str) -> int:
    """Give a number, 0 if it was never counted."""
    found = db.row("SELECT value FROM meta WHERE key = ?", (key,))
    return int(found[0]) if found else 0


def add(tx: Transaction, key: str) -> None:
    """Count one more."""
    tx.run(
        "INSERT INTO meta (key, value) VALUES (?, '1') "
        "ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        (key,),
    )
