"""What is worth keeping, and what may act."""

from __future__ import annotations

from typing import Any

from experience_pack.api.named import resolve
from experience_pack.errors import RefusedError
from experience_pack.formats.canonical import digest
from experience_pack.formats.card import render_experience
from experience_pack.formats.v2 import normalize_experience
from experience_pack.hosts.mcp.tool import (
    ADDS,
    FLAG,
    ID,
    LISTED,
    NUMBER,
    OBJECT,
    READS,
    SETS,
    TEXT,
    WHOLE,
    Question,
    Tool,
    UnattendedRuntime,
    gives,
    said,
    takes,
)
from experience_pack.learning import review, settle
from experience_pack.model import Experience, read_record
from experience_pack.model.confidence import AUTOMATIC
from experience_pack.model.values import Json
from experience_pack.store import experiences

UNATTENDED = "llm_compiled"
"""Origin of what a model adds and no person has confirmed."""

_CONFIRMED = "user_confirmed"

_ASK_NOW = said(FLAG, "Ask the person now whether it may be kept; else it waits.")


def _compile(  # noqa: PLR0913 - the tool's arguments
    core: UnattendedRuntime,
    source: Json,
    *,
    source_type: str = "",
    request: str = "",
    dry_run: bool = False,
    ask: bool = False,
    approved: bool = False,
) -> Json:
    _ = ask
    if dry_run:
        return _compiled(core, source, source_type, request).to_dict()
    origin = _CONFIRMED if approved else UNATTENDED
    if approved:
        core.llm = None  # what the person has read was made by rules
    made = core.compile_experience(source, source_type, origin, request=request)
    assert isinstance(made, str)
    if approved:
        _confirm(core, made)
    return experiences.get(core.store, made).to_dict()


def _compiled(
    core: UnattendedRuntime, source: Json, source_type: str, request: str
) -> Experience:
    found = core.compile_experience(
        source, source_type, UNATTENDED, request=request, dry_run=True
    )
    return read_record(Experience, found, "source")


def _ask_compile(
    core: UnattendedRuntime,
    source: Json,
    *,
    source_type: str = "",
    request: str = "",
    dry_run: bool = False,
    ask: bool = False,
) -> Question | None:
    if dry_run or not ask:
        return None
    return _keep(_compiled(core, source, source_type, request))


def _create(
    core: UnattendedRuntime,
    experience: dict[str, Any],
    *,
    ask: bool = False,
    approved: bool = False,
) -> Json:
    _ = ask
    stated = experience.get("origin")
    origin = {**(stated if isinstance(stated, dict) else {})}
    origin["type"] = _CONFIRMED if approved else UNATTENDED
    made = core.create_experience({**experience, "origin": origin})
    if approved:
        _confirm(core, made)
    return experiences.get(core.store, made).to_dict()


def _ask_create(
    core: UnattendedRuntime, experience: dict[str, Any], *, ask: bool = False
) -> Question | None:
    _ = core
    if not ask:
        return None
    return _keep(normalize_experience({"id": "exp_new", **experience}).experience)


def _confirm(core: UnattendedRuntime, identity: str) -> None:
    with core.store.transaction() as tx:
        review.confirm(core.store, tx, experiences.get(tx, identity))


def _keep(one: Experience) -> Question:
    asked = f"May this be kept?\n\n{render_experience(one)}"
    return Question(asked, digest(one.content()))


def _save_episode(
    core: UnattendedRuntime,
    source_type: str,
    text: Json,
    *,
    user_validated: bool = False,
    meta: Json = None,
) -> Json:
    return {"id": core.save_episode(source_type, text, user_validated, meta)}


def _suggest(
    core: UnattendedRuntime, min_episodes: int = 3, min_occurrence_days: int = 0
) -> Json:
    return core.suggest_compilations(min_episodes, min_occurrence_days)


def _auto_compile(
    core: UnattendedRuntime,
    min_episodes: int = 3,
    min_occurrence_days: int = 0,
    limit: int | None = None,
    *,
    ask: bool = False,
    approved: bool = False,
) -> Json:
    _ = ask
    if not approved:
        return core.auto_compile(min_episodes, min_occurrence_days, limit)
    with core.saving() as tx:
        found = _offered(core, min_episodes, min_occurrence_days, limit)
        made = settle.compile_suggestions(core.store, tx, found)
        for one in made:
            review.confirm(core.store, tx, one)
    return [one.id for one in made]


def _ask_auto_compile(
    core: UnattendedRuntime,
    min_episodes: int = 3,
    min_occurrence_days: int = 0,
    limit: int | None = None,
    *,
    ask: bool = False,
) -> Question | None:
    found = _offered(core, min_episodes, min_occurrence_days, limit) if ask else []
    if not found:
        return None
    made = [settle.experience_of(one) for one in found]
    cards = "\n\n".join(map(render_experience, made))
    contents = [one.content() for one in made]
    return Question(f"May these be kept?\n\n{cards}", digest({"made": contents}))


def _offered(
    core: UnattendedRuntime, least: int, days: int, limit: int | None
) -> list[settle.Suggestion]:
    most = core.settings["auto_compile_limit"] if limit is None else limit
    found = settle.suggestions(core.store, min_episodes=least, min_days=days)
    return found[:most]


def _authorize(
    core: UnattendedRuntime,
    exp_id: str,
    *,
    note: str = "",
    score: float = AUTOMATIC,
    approved: bool = False,
) -> Json:
    if not approved:
        raise RefusedError("the person did not allow it; nothing was changed")
    return core.authorize_experience(resolve(core.store, exp_id), note, score)


def _ask_authorize(
    core: UnattendedRuntime, exp_id: str, *, note: str = "", score: float = AUTOMATIC
) -> Question:
    _ = note, score
    one = experiences.get(core.store, resolve(core.store, exp_id))
    asked = f"Let “{one.name}” execute without a model?\n\n{render_experience(one)}"
    return Question(asked, digest(one.content()))


TOOLS = (
    Tool(
        "experience_compile",
        "Keep a result",
        "Make an experience of a finished text or data; the person confirms it.",
        ADDS,
        takes(
            "source",
            source=said({}, "A text, or an object whose numbers become variables."),
            source_type=said(TEXT, "Kind of work, as monthly_report."),
            request=said(TEXT, "What was asked."),
            dry_run=said(FLAG, "Only show what it would become."),
            ask=_ASK_NOW,
        ),
        gives(id=TEXT, kind=TEXT, name=TEXT),
        _compile,
        asks=_ask_compile,
        long=True,
    ),
    Tool(
        "experience_create",
        "Add an experience",
        "Add an experience with fields of its own; the person confirms it.",
        ADDS,
        takes(
            "experience",
            experience=said(OBJECT, "name, kind, logic, match … (format v2)."),
            ask=_ASK_NOW,
        ),
        gives(id=TEXT, kind=TEXT, name=TEXT),
        _create,
        asks=_ask_create,
    ),
    Tool(
        "experience_save_episode",
        "Keep evidence",
        "Keep evidence of finished work; three of one kind can become a method.",
        ADDS,
        takes(
            "source_type",
            "text",
            source_type=said(TEXT, "Kind of work, as monthly_report."),
            text=said({}, "What came of it."),
            user_validated=said(FLAG, "The person said that it is right."),
            meta=said(OBJECT, "task, signature, trajectory: [{action, tool, ok}] …"),
        ),
        gives(id=TEXT),
        _save_episode,
    ),
    Tool(
        "experience_suggest_compile",
        "Suggest what to keep",
        "List what came up often enough to be kept, to show to the person.",
        READS,
        takes(min_episodes=WHOLE, min_occurrence_days=WHOLE),
        LISTED,
        _suggest,
        long=True,
    ),
    Tool(
        "experience_auto_compile",
        "Keep what came up often",
        "Propose the suggested experiences; the person confirms them.",
        ADDS,
        takes(min_episodes=WHOLE, min_occurrence_days=WHOLE, limit=WHOLE, ask=_ASK_NOW),
        gives(result={"type": "array", "items": TEXT}),
        _auto_compile,
        asks=_ask_auto_compile,
        long=True,
    ),
    Tool(
        "experience_authorize",
        "Allow to execute",
        "Ask the person to let a result or reflex execute without a model.",
        SETS,
        takes(
            "exp_id",
            exp_id=ID,
            note=said(TEXT, "Why."),
            score=said(NUMBER, "Confidence that it keeps at least."),
            code=said(TEXT, "Code that the person reads out, where one is asked for."),
        ),
        gives(id=TEXT, digest=TEXT, score=NUMBER, note=TEXT, at=TEXT),
        _authorize,
        asks=_ask_authorize,
    ),
)
