"""The loosest type of the model; what only names it should not load records."""

from __future__ import annotations

from typing import Any

Json = Any
"""A value as `json.loads` gives it."""
