"""Text: tokens, guards, expressions and templates."""

from __future__ import annotations
