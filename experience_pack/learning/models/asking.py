"""Ask any model within limits: a text comes back, or one of our errors."""

from __future__ import annotations

import time
from typing import NamedTuple

from experience_pack.errors import ExperiencePackError, RefusedError, StorageError
from experience_pack.model.replies import Model, reply_text

PAUSE = 0.5
"""Seconds before the second try: what answers 429 or 503 wants a moment."""


class Limits(NamedTuple):
    """What one question may cost."""

    prompt_chars: int = 200_000
    """A day of work; more does not fit the input of common models."""
    answer_chars: int = 64_000
    """Many times what is asked for; more is a model that does not stop."""
    retry_within: float = 30.0
    """Seconds after which a failed try is not repeated: the person waits."""


LIMITS = Limits()


def ask(model: Model, prompt: str, *, system: str = "", limits: Limits = LIMITS) -> str:
    """Give a model's answer without the space around it; it may be empty.

    With an empty `system` the model gets one user message and nothing else. What
    fails on the way is tried once more. A model that fails again is a
    `StorageError`; a question or an answer above its limit a `RefusedError`.
    """
    if len(prompt) > limits.prompt_chars:
        raise RefusedError(
            f"the question has {len(prompt):,} characters, "
            f"more than {limits.prompt_chars:,}",
            hint="Ask about less at a time.",
        )
    started = time.monotonic()
    try:
        text = _asked(model, system, prompt)
    except StorageError:
        if time.monotonic() - started > limits.retry_within:
            raise
        time.sleep(PAUSE)
        text = _asked(model, system, prompt)
    return bounded(text, limits.answer_chars).strip()


def bounded(text: str, most: int) -> str:
    """Give an answer, or refuse one that is too long."""
    if len(text) > most:
        raise RefusedError(
            f"the model's answer has more than {most:,} characters and was not read",
            hint="Look at the model: it does not stop where it should.",
        )
    return text


def _asked(model: Model, system: str, prompt: str) -> str:
    try:
        answer = model(system, prompt)
    except ExperiencePackError:
        raise
    except Exception as error:
        # a host's own words may hold a key, so only the kind of failure is told
        raise StorageError(
            f"the host's model failed ({type(error).__name__})", hint=_HINT
        ) from error
    text = reply_text(answer)
    if text is None:
        raise StorageError("the host's model gave no text", hint=_HINT)
    return text


_HINT = "Try again, or name another model: `experience-pack config list`."
