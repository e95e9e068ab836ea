"""Reflection on finished work, analysis of observations, and what lessons helped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from experience_pack.api.core import Core
from experience_pack.errors import NotFoundError
from experience_pack.learning import observe
from experience_pack.learning.analyze import Analysed, analyze
from experience_pack.learning.models import configured
from experience_pack.learning.reflection import gates, run
from experience_pack.learning.reflection.conversation import read_messages
from experience_pack.learning.reflection.distil import redistil
from experience_pack.learning.reflection.run import Outcome
from experience_pack.learning.sessions.bring import CONVERSATION
from experience_pack.matching.lessons import lessons_of
from experience_pack.model.replies import Model
from experience_pack.packs import diary
from experience_pack.store import (
    deliveries,
    episodes,
    observations,
    reflections,
    sightings,
)


def model_of(core: Core) -> Model | None:
    """Give the model that is asked: the configured one, else the host's."""
    return configured(core.settings) or core.llm


def reflect(
    core: Core, messages: Any, *, session: str = "", asked: bool = False
) -> dict[str, Any]:
    """Reflect on a conversation that has ended; lessons wait for a person's review.

    `messages` are a list of `{role, content, stop_reason}`. Without `asked` the gates
    of automatic reflection hold. Gives `{id, status, reason, meaning, lessons, dropped,
    previews, note, path, error}`; `path` is the day's page in the workspace.
    """
    read = read_messages(messages, "messages")
    model = model_of(core)
    found = run.reflect(
        core.store, model, read, core.settings, session=session, asked=asked
    )
    return _settled(core, found)


def queue_reflection(core: Core, session: str) -> dict[str, Any]:
    """Leave the last exchanges of a session for `resume_reflections`.

    A hook has no time for a model; `experience-pack reflect` goes on with it.
    """
    messages = read_messages(recent_messages(core, session), "messages")
    model = model_of(core)
    return run.queue(core.store, messages, core.settings, session, model).to_dict()


def resume_reflections(core: Core) -> list[dict[str, Any]]:
    """Go on with every run that a failure left open, the oldest first."""
    model = model_of(core)
    return [
        _settled(core, run.resume(core.store, model, one))
        for one in run.open_runs(core.store)
    ]


def recent_messages(core: Core, session: str = "") -> list[dict[str, str]]:
    """Give the last captured exchanges of a session, else of the last one."""
    return [
        {"role": role, "content": text}
        for asked, answered in _exchanges(core, session)
        for role, text in (("user", asked), ("assistant", answered))
    ]


def _exchanges(core: Core, session: str) -> list[tuple[str, str]]:
    """Give request and reply of the episodes that hooks kept here, in order."""
    found: list[tuple[str, str]] = []
    for one in episodes.entries(core.store, limit=_LOOKED_THROUGH):
        request = one.meta.get("request", "")
        named = str(one.meta.get("session", ""))
        if one.type != CONVERSATION or not request:
            continue
        session = session or named
        if named == session:
            found.append((str(request), one.text))
        if len(found) == run.RECENT_EXCHANGES:
            break
    return found[::-1]


_LOOKED_THROUGH = 200  # episodes; other sessions run beside this one


def redistil_lessons(core: Core) -> dict[str, Any]:
    """Make rules of approved lessons; they wait for review as lessons do."""
    found = redistil(core.store, _needed(core))
    core.mirror()
    return {
        "rules": [
            {"id": one.id, "text": one.text, "polarity": one.polarity}
            for one in found.rules
        ],
        "dropped": [*found.dropped],
    }


def analyze_observations(
    core: Core,
    *,
    one_batch: bool = False,
    watch: Callable[[Analysed], None] = lambda _: None,
) -> Analysed:
    """Read the unread observations; habits that are found wait for review.

    `watch` is told after each batch what was done so far.
    """
    found = analyze(core.store, _needed(core), one_batch=one_batch, watch=watch)
    observe.expire(core.store, core.settings["learning.retention_days"])
    core.mirror()
    return found


def lesson_report(core: Core) -> list[dict[str, Any]]:
    """Say of each lesson how often it was given and what was said of it afterwards.

    `{id, text, polarity, approved, hits, delivered, good, bad, unknown}`; a delivery
    of which nobody spoke is `unknown`, and counts for nothing.
    """
    came = {one.experience_id: one for one in deliveries.outcomes(core.store)}
    rows = []
    for one in lessons_of(core.store, core.store.clock()):
        known = came.get(one.id) or deliveries.Outcome(one.id, 0, 0, 0)
        shown = {name: getattr(one, name) for name in _SHOWN}
        counts = {
            "delivered": known.delivered,
            "good": known.good,
            "bad": known.bad,
            "unknown": known.delivered - known.good - known.bad,
        }
        rows.append({**shown, **counts})
    return rows


_SHOWN = ("id", "text", "polarity", "approved", "hits")


def learning_status(core: Core, limit: int = 10) -> dict[str, Any]:
    """Say what was reflected on, what waits, and why nothing came of what did not.

    `runs` are the last ones, with `reason` and its `meaning`; `open` can be resumed.
    """
    rows: Sequence[reflections.Run] = reflections.listed(core.store, limit=limit)
    listed = [
        {
            "id": one.id,
            "status": one.status,
            "created_at": one.created_at,
            **{key: value for key, value in one.data.items() if key != "input"},
            "meaning": gates.MEANINGS.get(str(one.data.get("reason", "")), ""),
        }
        for one in rows
    ]
    analysed = observations.analyses(core.store, limit)
    return {
        "model": model_of(core) is not None,
        "open": len(run.open_runs(core.store)),
        "lessons": len(sightings.lessons(core.store)),
        "unread": observations.count_unread(core.store),
        "runs": listed,
        "analyses": [one._asdict() for one in analysed],
    }


def _settled(core: Core, found: Outcome) -> dict[str, Any]:
    """Write cards, views and history, and say where the day stands."""
    core.mirror()
    if core.folder is not None:
        diary.settle(core.folder)
    day = reflections.get(core.store, found.id)
    path = f"{diary.LESSONS}/daily/{day.created_at[:10]}.md" if day else ""
    return {**found.to_dict(), "path": path if found.status == "done" else ""}


def _needed(core: Core) -> Model:
    model = model_of(core)
    if model is None:
        raise NotFoundError(
            "no model is configured",
            hint="`experience-pack config set model.command 'claude -p'` names one.",
        )
    return model
