"""What has to hold before a model is asked; the first that does not is the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from experience_pack.learning.reflection.conversation import (
    Message,
    is_aborted,
    select,
)

SUPPRESSED_SECONDS = 300.0
"""After a redistillation, during which its own model turns are not reflected on."""


class Situation(NamedTuple):
    """What is known when a task has ended."""

    messages: Sequence[Message]
    enabled: bool
    """`reflection.enabled`"""
    automatic: bool
    """`reflection.automatic`"""
    has_model: bool
    since_distilled: float
    """Seconds since lessons were last redistilled."""


class Gate(NamedTuple):
    """One condition."""

    reason: str
    """What is kept where it does not hold."""
    text: str
    """The same, for a person."""
    holds: Callable[[Situation], bool]
    asked_too: bool
    """Holds for `learn now` as well; the others are about being unasked."""


def _is_complete(situation: Situation) -> bool:
    turns = [one for one in situation.messages if one.role == "assistant"]
    stop = turns[-1].stop_reason.casefold() if turns else ""
    return not (turns and is_aborted(turns[-1])) and stop not in _UNFINISHED


_UNFINISHED = ("error", "length", "max_tokens", "tool_use", "tooluse", "tool_calls")
"""Stop reasons of a turn that is not the end of a task."""


GATES = (
    Gate(
        "disabled",
        "reflection is switched off here (`reflection.enabled`)",
        lambda one: one.enabled,
        asked_too=True,
    ),
    Gate(
        "not automatic",
        "reflection after each task is not switched on (`reflection.automatic`)",
        lambda one: one.automatic,
        asked_too=False,
    ),
    Gate(
        "no messages",
        "there was no conversation to look at",
        lambda one: bool(one.messages),
        asked_too=True,
    ),
    Gate("unfinished", "the task did not end by itself", _is_complete, asked_too=False),
    Gate(
        "empty conversation",
        "nothing was left of it without broken off turns",
        lambda one: bool(select(one.messages).messages),
        asked_too=True,
    ),
    Gate(
        "just redistilled",
        "lessons were redistilled a moment ago",
        lambda one: one.since_distilled >= SUPPRESSED_SECONDS,
        asked_too=False,
    ),
    Gate(
        "no model",
        "no model is configured (`model.command` or `model.endpoint`), and the host "
        "gave none",
        lambda one: one.has_model,
        asked_too=True,
    ),
)
"""In the order in which they are looked at."""

MEANINGS = {
    **{gate.reason: gate.text for gate in GATES},
    "empty answer": "the model said nothing",
    "invalid answer": "the model gave no usable JSON, and none when it was asked again",
    "nothing admitted": "no lesson quoted a passage of the conversation",
    "model failed": "the model could not be asked",
    "expired": "nobody finished it in time",
}
"""Every reason for which a run may end without a lesson, for a person."""


def refused(situation: Situation, *, asked: bool) -> str:
    """Give the reason of the first gate that does not hold; empty if all do.

    `asked` says that a person wants this now.
    """
    for gate in GATES:
        if (gate.asked_too or not asked) and not gate.holds(situation):
            return gate.reason
    return ""
