"""The in-process gateway: an application's only way to its model asks here first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experience_pack.api import ExperienceRuntime
from experience_pack.errors import StorageError
from experience_pack.model.replies import Model, reply_text


class ExperienceGateway:
    """Ask the runtime before every model call, and feed back after it."""

    def __init__(self, runtime: ExperienceRuntime, llm: Model) -> None:
        """Stand before `llm`, which takes system text and prompt."""
        self._runtime = runtime
        self._llm = llm

    def ask(
        self, user_input: str, context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Give `{reply, decision, decision_id, sources}`.

        What executes is answered without the model; else the prefill is its system
        text. A model that fails is a `StorageError`; what it raises passes through.
        """
        result = self._runtime.request(user_input, context)
        if result["decision"] == "execute":
            reply = result["output"]
            self._runtime.feedback(result)
        else:
            reply = self._answered(result["prefill"], user_input)
            self._runtime.feedback(result, llm_output=reply)
        kept = {key: result[key] for key in ("decision", "decision_id", "sources")}
        return {"reply": reply, **kept}

    def confirm_and_compile(
        self, user_input: str, reply: Any, source_type: str = "llm_output"
    ) -> str:
        """Keep a reply that a person confirmed as an experience; give its id."""
        found = self._runtime.compile_experience(
            reply, source_type, "user_confirmed", request=user_input
        )
        return str(found)

    def _answered(self, system: str, prompt: str) -> str:
        reply = reply_text(self._llm(system, prompt))
        if reply is None:
            raise StorageError("the model gave no answer")
        return reply
