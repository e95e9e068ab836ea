"""Packs: manifest, export, plan, install."""

from __future__ import annotations
