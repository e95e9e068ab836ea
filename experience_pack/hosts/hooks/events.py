"""The table of hosts and their events: where the prompt stands, how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.hosts.hooks import emitters
from experience_pack.hosts.hooks.decision import Decision, decide, decide_if_ready
from experience_pack.hosts.hooks.emitters import Emitter, Payload
from experience_pack.runtime.reviewer import Host
from experience_pack.store import Store

Reader = Callable[[Payload], str]


def key(*path: str) -> Reader:
    """Give a reader of the text at a path of keys; anything else is empty."""

    def read(payload: Payload) -> str:
        value: Any = payload
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value if isinstance(value, str) else ""

    return read


def _gemini_prompt(payload: Payload) -> str:
    """Give what the person wrote, where nothing has followed it yet."""
    request = payload.get("llm_request")
    messages = request.get("messages") if isinstance(request, Mapping) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    if not isinstance(last, Mapping) or last.get("role") != "user":
        return ""
    content = last.get("content")
    parts = content if isinstance(content, list) else [content]
    text = "\n".join(part for part in map(_text, parts) if part)
    for mark in _FRAMED:
        before, _, rest = text.partition(f"<{mark}>")
        text = before + rest.rpartition(f"</{mark}>")[2] if rest else text
    return text


_FRAMED = ("session_context", "hook_context")
"""What Gemini CLI writes into the person's message, first and last (0.61)."""


def _text(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else part
    return text if isinstance(text, str) else ""


def _opencode_prompt(payload: Payload) -> str:
    """Give the prompt without the quotes that `opencode run` puts around it."""
    text = key("prompt")(payload)
    if len(text) > 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"')
    return text


class Asks(NamedTuple):
    """An event before a model call."""

    prompt: Reader
    emit: Emitter
    decide: Callable[[Store, Host, str], Decision] = decide


class Ends(NamedTuple):
    """An event at the end of a turn."""

    reply: Reader
    prompt: Reader = key("prompt")


def session_of(payload: Payload) -> str:
    """Give what a host calls the session, empty where it does not say."""
    names = ("session_id", "conversation_id", "trajectory_id")
    return next((found for name in names if (found := key(name)(payload))), "")


_LAST = key("last_assistant_message")

EVENTS: Mapping[tuple[str, str], Asks | Ends] = {
    ("claude-code", "UserPromptSubmit"): Asks(key("prompt"), emitters.claude),
    ("claude-code", "Stop"): Ends(_LAST),
    ("codex", "UserPromptSubmit"): Asks(key("prompt"), emitters.codex),
    ("codex", "Stop"): Ends(_LAST),
    ("gemini", "BeforeAgent"): Asks(key("prompt"), emitters.gemini_agent),
    ("gemini", "BeforeModel"): Asks(
        _gemini_prompt, emitters.gemini_model, decide_if_ready
    ),
    ("gemini", "AfterAgent"): Ends(key("prompt_response")),
    ("cursor", "beforeSubmitPrompt"): Asks(key("prompt"), emitters.cursor),
    ("cursor", "afterAgentResponse"): Ends(key("text")),
    ("windsurf", "pre_user_prompt"): Asks(
        key("tool_info", "user_prompt"), emitters.windsurf
    ),
    ("windsurf", "post_cascade_response"): Ends(key("tool_info", "response")),
    ("opencode", "chat.message"): Asks(_opencode_prompt, emitters.plain),
    ("opencode", "session.idle"): Ends(key("reply"), _opencode_prompt),
    ("pi", "input"): Asks(key("prompt"), emitters.plain),
    ("pi", "agent_end"): Ends(key("reply")),
}
"""Every event that a host may hand over; any other is passed by in silence."""


def hosts() -> Sequence[str]:
    """Give the hosts that have hooks, in the order of the table."""
    return [*dict.fromkeys(host for host, _ in EVENTS)]
