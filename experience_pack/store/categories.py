"""Categories that were registered here; the built-in ones need no row."""

from __future__ import annotations

from experience_pack.model import Category
from experience_pack.store.connection import Reader, Transaction
from experience_pack.store.documents import Codec

_codec = Codec(Category)


def put(tx: Transaction, category: Category) -> None:
    """Register a category, or replace its parameters."""
    tx.run(
        "INSERT INTO categories VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET data = excluded.data",
        (category.name, _codec.write(category)),
    )


def registered(db: Reader) -> dict[str, Category]:
    """Give the categories that were registered here, by name."""
    rows = db.rows("SELECT name, data FROM categories ORDER BY name")
    return {row[0]: _codec.read(row[1]) for row in rows}
