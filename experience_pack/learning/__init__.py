"""Learning: what work teaches, and what a person makes of it."""

from __future__ import annotations
