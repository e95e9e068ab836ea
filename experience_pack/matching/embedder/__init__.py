"""The model that turns a text into a vector: prepared once, run without a network."""

from __future__ import annotations
