"""Matching: what is near a request."""

from __future__ import annotations
