"""The public classes, as hosts and the document know them."""

from __future__ import annotations
