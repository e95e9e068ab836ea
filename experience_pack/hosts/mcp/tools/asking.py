"""Before and after each model call."""

from __future__ import annotations

from experience_pack.api.named import resolve
from experience_pack.errors import NotFoundError
from experience_pack.hosts.mcp.tool import (
    ADDS,
    FLAG,
    ID,
    LISTED,
    OBJECT,
    OBJECTS,
    READS,
    TEXT,
    TEXTS,
    WHOLE,
    Tool,
    UnattendedRuntime,
    gives,
    one_of,
    said,
    takes,
)
from experience_pack.model.values import Json

_ASKED = takes(
    "text",
    text=said(TEXT, "The task, as it would go to the model."),
    context=said(OBJECT, "What is known besides: task, action, numbers."),
)


def _request(core: UnattendedRuntime, text: str, context: Json = None) -> Json:
    return core.request(text, context)


def _before_llm(core: UnattendedRuntime, text: str, context: Json = None) -> Json:
    return core.before_llm(text, context)


def _feedback(
    core: UnattendedRuntime,
    decision_id: str,
    llm_output: str | None = None,
    user_rating: int | None = None,
    about: str = "",
) -> Json:
    meant = resolve(core.store, about) if about else ""
    return core.feedback(decision_id, llm_output, user_rating, meant)


def _related(core: UnattendedRuntime, text: str, limit: int = 10) -> Json:
    try:
        start = resolve(core.store, text)
    except NotFoundError:
        start = text
    return core.related(start, limit)


TOOLS = (
    Tool(
        "experience_before_llm",
        "Ask before working",
        "Call first at every task: gives a ready answer, a method to follow, or "
        "nothing known.",
        READS,
        _ASKED,
        gives(
            action=one_of("bypass", "assist", "proceed"),
            output={},
            prefill=TEXT,
            sources=OBJECTS,
            decision_id=TEXT,
        ),
        _before_llm,
    ),
    Tool(
        "experience_request",
        "Ask in full",
        "Like experience_before_llm, with candidates and why each was passed over.",
        READS,
        _ASKED,
        gives(
            decision=one_of("execute", "assist", "hint", "delegate"),
            output={},
            prefill=TEXT,
            origin=OBJECT,
            sources=OBJECTS,
            candidates=OBJECTS,
            rejected=OBJECTS,
            recall_candidates=OBJECTS,
            decision_id=TEXT,
            chain_injected=TEXTS,
            composite=FLAG,
            tier=one_of("lexical", "semantic"),
            degraded=FLAG,
        ),
        _request,
    ),
    Tool(
        "experience_feedback",
        "Feed back",
        "After an answer was used: say by its decision_id whether it was right.",
        ADDS,
        takes(
            "decision_id",
            decision_id=TEXT,
            llm_output=said(TEXT, "What the model answered."),
            user_rating=said(WHOLE, "1 good, -1 bad: the person's word."),
            about=said(TEXT, "One candidate that is meant alone."),
        ),
        gives(
            decision_id=TEXT,
            worked={"type": ["boolean", "null"]},
            rating={"type": ["integer", "null"]},
            experiences=OBJECTS,
        ),
        _feedback,
    ),
    Tool(
        "experience_assoc_query",
        "Find what is related",
        "Find what is related to a text or an experience, and why.",
        READS,
        takes("text", text=said(ID, "A text, an id or a name."), limit=WHOLE),
        LISTED,
        _related,
    ),
)
