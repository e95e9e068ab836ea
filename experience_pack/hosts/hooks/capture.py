"""The end of a turn: what was asked and answered becomes an episode, redacted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experience_pack.api.core import Core
from experience_pack.hosts.hooks.emitters import Payload
from experience_pack.hosts.hooks.events import Ends, session_of
from experience_pack.hosts.hooks.transcripts import last_prompt
from experience_pack.learning.served import is_served
from experience_pack.learning.sessions.bring import CONVERSATION
from experience_pack.store import Store


def capture(core: Core, host: str, event: Ends, payload: Payload) -> str:
    """Keep a finished exchange and give the episode's id; empty where there is none.

    The reply is fed back to the decision that the prompt was answered with, so that
    it counts as used. What we served ourselves is no evidence and is not kept.
    """
    from experience_pack.api import catalogue, questions

    reply = event.reply(payload).strip()
    prompt = event.prompt(payload).strip() or last_prompt(host, payload)
    if not reply or not core.store.writable:
        return ""
    decided = _decision_of(core, prompt)
    if decided.get("decision") == _EXECUTED:
        return ""
    if decided:
        questions.feedback(core, decided["decision_id"], llm_output=reply)
    _observe(core, host, session_of(payload), prompt, reply)
    known = {"host": host, "request": prompt, "session": session_of(payload)}
    meta = {name: value for name, value in known.items() if value}
    kept = catalogue.save_episode(core, CONVERSATION, reply, meta=meta)
    if core.settings["reflection.automatic"]:
        from experience_pack.api.reflecting import queue_reflection

        queue_reflection(core, session_of(payload))
    return kept


def _observe(core: Core, host: str, session: str, prompt: str, reply: str) -> None:
    """Keep the exchange in the person's own workspace, where they asked for that.

    What they want of their assistants is theirs and in no project (one private root
    is one human); without a workspace of their own nothing is kept.
    """
    if not (prompt and core.settings["learning.capture"]):
        return
    if is_served(core.store, reply):
        return
    from experience_pack.learning.observe import observe
    from experience_pack.workspace import location
    from experience_pack.workspace.folder import DATABASE

    own = location.user_folder() / DATABASE
    if own.is_file():
        store = Store.open(own, clock=core.store.clock)
        observe(store, host, session, prompt, reply)
        store.connection.close()


_EXECUTED = "execute"

_LOOKED_THROUGH = 20
"""Decisions among which the prompt's own is sought: hosts run a few turns at once."""


def _decision_of(core: Core, prompt: str) -> Mapping[str, Any]:
    """Give how a prompt was decided, as far as the last decisions tell."""
    from experience_pack.runtime import audit

    kept = audit.kept_input(prompt) if prompt else ""
    rows = audit.logs(core.store, limit=_LOOKED_THROUGH) if kept else ()
    return next((row for row in rows if row["input"] == kept), {})
