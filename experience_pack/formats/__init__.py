"""Formats: cards, canonical JSON, schemas, diffs, versions and upgrades."""

from __future__ import annotations
