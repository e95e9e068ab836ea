"""Reflection: what a finished conversation teaches, as lessons that wait for review."""

from __future__ import annotations
