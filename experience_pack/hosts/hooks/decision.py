"""What a workspace says to a prompt, in the one form that every host's answer is of."""

from __future__ import annotations

from typing import Any, NamedTuple

from experience_pack.runtime import request as asking
from experience_pack.runtime.reviewer import Host
from experience_pack.store import Store

EXECUTE = "bypass"
ASSIST = "assist"


class Decision(NamedTuple):
    """An answer to show, or a text for the model's input; empty: nothing to say."""

    action: str = ""
    """`bypass`, `assist`, or nothing."""
    text: str = ""
    names: tuple[str, ...] = ()
    """The experiences that it comes from."""
    decision_id: str = ""

    @property
    def steered_by(self) -> str:
        """Say where it comes from, in a line that a person reads."""
        return f"steered by {', '.join(f'“{name}”' for name in self.names)}"

    @property
    def shown(self) -> str:
        """Give an answer with its provenance below it."""
        return f"{self.text}\n\n— {self.steered_by} ({self.decision_id})"

    @property
    def told(self) -> str:
        """Give the text for a model's input; a ready answer is handed on as one."""
        if self.action != EXECUTE:
            return self.text
        return f"A ready answer, {self.steered_by}; give it as it is:\n\n{self.text}"


NOTHING = Decision()


def decide(store: Store, host: Host, prompt: str) -> Decision:
    """Ask the workspace about a prompt; one audited decision."""
    if not prompt.strip():
        return NOTHING
    return _decision(asking.request(store, host, prompt))


def decide_if_ready(store: Store, host: Host, prompt: str) -> Decision:
    """Ask only for a ready answer; nothing is audited where there is none."""
    if not prompt.strip():
        return NOTHING
    ready = asking.answer(store, host, prompt)["decision"] == "execute"
    return decide(store, host, prompt) if ready else NOTHING


def _decision(result: dict[str, Any]) -> Decision:
    found = asking.before_llm(result)
    names = tuple(one["name"] for one in result["sources"])
    text = found.get("output", found.get("prefill", ""))
    if not text:
        return NOTHING
    ready = found["action"] == EXECUTE
    action = EXECUTE if ready else ASSIST
    return Decision(action, asking.written(text), names, found["decision_id"])
