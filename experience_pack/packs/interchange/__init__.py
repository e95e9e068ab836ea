"""Other formats read into experiences, and experiences written as other formats."""

from __future__ import annotations
