"""One small emitter a host: how a decision is said there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from experience_pack.hosts.hooks.decision import EXECUTE, Decision

Payload = Mapping[str, Any]


class Emission(NamedTuple):
    """What a hook prints, as JSON unless it is a text, and the code it ends with."""

    value: Any = None
    code: int = 0


SILENT = Emission()

Emitter = Callable[[Decision, Payload], Emission]


def claude(decision: Decision, payload: Payload) -> Emission:
    """Block the prompt with the answer as its reason, or add context (2.1)."""
    if decision.action == EXECUTE:
        more = {"suppressOriginalPrompt": True, "hookEventName": _event(payload)}
        blocked = {"decision": "block", "reason": decision.shown}
        return Emission({**blocked, "hookSpecificOutput": more})
    return _context(decision, payload)


def codex(decision: Decision, payload: Payload) -> Emission:
    """As Claude Code, in the keys that Codex knows; `exec` shows no reason (0.171)."""
    if decision.action == EXECUTE and not _is_exec(payload):
        return Emission({"decision": "block", "reason": decision.shown})
    return _context(decision, payload)


def gemini_agent(decision: Decision, payload: Payload) -> Emission:
    """Add context; a ready answer is left to the hook of the model call (0.61)."""
    return SILENT if decision.action == EXECUTE else _context(decision, payload)


def gemini_model(decision: Decision, payload: Payload) -> Emission:
    """Take the model's place: its answer is ours, and no request is made (0.61)."""
    content = {"role": "model", "parts": [decision.shown]}
    response = {"candidates": [{"content": content, "finishReason": "STOP"}]}
    more = {"hookEventName": _event(payload), "llm_response": response}
    said = {"decision": "deny", "reason": decision.steered_by}
    return Emission({**said, "hookSpecificOutput": more})


def cursor(decision: Decision, _: Payload) -> Emission:
    """Stop the prompt with a message, or add context, which 3.20 takes silently."""
    if decision.action == EXECUTE:
        return Emission({"continue": False, "user_message": decision.shown})
    return Emission({"continue": True, "additional_context": decision.told})


def windsurf(decision: Decision, _: Payload) -> Emission:
    """Block with the answer on stderr and exit 2; context cannot be added there."""
    return Emission(decision.shown, 2) if decision.action == EXECUTE else SILENT


def plain(decision: Decision, _: Payload) -> Emission:
    """Give the decision itself, for extensions of ours that run inside a host."""
    shown = decision.shown if decision.action == EXECUTE else decision.told
    return Emission(
        {
            "action": decision.action,
            "text": shown,
            "told": decision.told,
            "steered_by": decision.steered_by,
            "decision_id": decision.decision_id,
        }
    )


def _context(decision: Decision, payload: Payload) -> Emission:
    added = {"hookEventName": _event(payload), "additionalContext": decision.told}
    return Emission({"hookSpecificOutput": added})


def _event(payload: Payload) -> Any:
    return payload.get("hook_event_name", "UserPromptSubmit")


def _is_exec(payload: Payload) -> bool:
    """Tell whether Codex runs without a screen: its transcript's first line says."""
    try:
        with open(str(payload.get("transcript_path")), "rb") as file:  # noqa: PTH123
            return b'"codex_exec"' in file.readline(1 << 16)
    except OSError:
        return True
