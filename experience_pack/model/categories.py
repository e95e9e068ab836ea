"""The areas of work that come with the package (document, Phase A)."""

from __future__ import annotations

from experience_pack.model.areas import AREAS, FAMILY_HINTS, GENERAL, category_of
from experience_pack.model.records import Category

__all__ = ["CATEGORIES", "FAMILY_HINTS", "GENERAL", "category_of"]

CATEGORIES = {name: Category(**area._asdict()) for name, area in AREAS.items()}
"""Built-in categories by name, with their parameters; hosts register more."""
