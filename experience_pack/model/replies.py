"""What a host's model gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Model = Callable[[str, str], Any]
"""A host's model: takes system text and prompt, gives a text or
`{"success": bool, "text": str}`."""


def reply_text(answer: Any) -> str | None:
    """Give the text of a model's answer, None where it failed or is no text."""
    if isinstance(answer, Mapping):
        answer = answer.get("text") if answer.get("success", True) else None
    return answer if isinstance(answer, str) else None
