"""Measure speed and memory as ratios beside an anchor (see README.md)."""

from __future__ import annotations
