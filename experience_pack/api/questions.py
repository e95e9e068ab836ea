"""Feedback, and questions about what was decided and what is here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from experience_pack.api.core import Core
from experience_pack.errors import UsageError
from experience_pack.learning import warnings
from experience_pack.model.categories import category_of
from experience_pack.runtime import audit
from experience_pack.runtime import feedback as returning
from experience_pack.runtime import goals as reminding
from experience_pack.runtime import related as association
from experience_pack.runtime import why as explaining
from experience_pack.runtime.budget import budget_of
from experience_pack.runtime.calibration import rehearse
from experience_pack.runtime.reviewer import serving
from experience_pack.snapshot import snapshot_of
from experience_pack.store import basis, decisions, experiences, meta


def feedback(
    core: Core,
    result: Mapping[str, Any] | str,
    llm_output: str | None = None,
    user_rating: int | None = None,
    about: str = "",
) -> dict[str, Any]:
    """Say what came of an answer, given as it is or by its decision id.

    See `runtime.feedback.feedback`. An answer that could not be audited, since the
    store may only be read, has nothing to feed back to. Where what was used did harm
    more often than not, a warning is proposed; `warnings` names it.
    """
    identity = result if isinstance(result, str) else result.get("decision_id")
    if not isinstance(identity, str):
        raise UsageError("expected an answer of request() or its decision_id")
    if not identity:
        return {
            "decision_id": "",
            "worked": None,
            "rating": None,
            "experiences": [],
            "warnings": [],
        }
    found = returning.feedback(
        core.store,
        core.host.policy,
        identity,
        llm_output=llm_output,
        user_rating=user_rating,
        about=about,
    )
    return {**found, "warnings": [] if found["worked"] else _warned(core, found)}


def _warned(core: Core, found: Mapping[str, Any]) -> list[str]:
    """Propose warnings of what was used; give their names."""
    used = [one["id"] for one in found["experiences"]]
    with core.store.transaction() as tx:
        proposed = warnings.propose_warnings(core.store, tx, used)
    return [one.content["name"] for one in proposed]


def why(core: Core, decision_id: str) -> dict[str, Any]:
    """Explain a decision, with what would have changed it (`runtime.why.why`)."""
    return explaining.why(core.store, core.host.policy, decision_id)


def why_score(core: Core, experience_id: str) -> dict[str, Any]:
    """Give every term of an experience's confidence."""
    return returning.score_terms(core.store, core.host.policy, experience_id)


def audit_logs(
    core: Core, limit: int = 50, exp_id: str = "", decision: str = ""
) -> list[dict[str, Any]]:
    """Give decisions, the last first: about one experience, or of one kind."""
    return audit.logs(core.store, limit=limit, about=exp_id, decision=decision)


def audit_get(core: Core, decision_id: str) -> dict[str, Any]:
    """Give one decision; an unknown id is a `NotFoundError`."""
    return audit.get(core.store, decision_id)


def cleanup_audit(core: Core, retention_days: float | None = None) -> int:
    """Remove decisions older than so many days, else the configured; 0 keeps all."""
    days = core.settings["audit_retention_days"]
    return audit.cleanup(core.store, days if retention_days is None else retention_days)


def tick(core: Core) -> dict[str, int]:
    """Let recent use fade, remove old decisions, and calibrate what has grown."""
    found = returning.tick(core.store, core.host.policy)
    rehearse(core.store)
    return {**found, "decisions_removed": cleanup_audit(core)}


def related(core: Core, text_or_id: str, limit: int = 10) -> list[dict[str, Any]]:
    """Give `{id, kind, name, score, why}` of what is related, the strongest first.

    What sleeps, was put aside, or waits for review is left out, as from requests.
    """
    found = association.related(core.store, text_or_id, 2 * limit)
    serves = serving(core.store, core.host.policy)
    stored = basis.read(core.store, [one.id for one in found])
    shown = {one.id for one in stored.values() if serves(one) is not None}
    return [one._asdict() for one in found if one.id in shown][:limit]


def stats(core: Core) -> dict[str, Any]:
    """Give what is here in numbers: kinds, classes, decisions, compilations, goals."""
    entries = experiences.entries(core.store)
    classes = (category_of(one.category, one.family) for one in entries)
    return {
        "experiences": len(entries),
        "kinds": dict(Counter(one.kind for one in entries)),
        "classes": dict(Counter(classes)),
        "decisions": decisions.numbers(core.store),
        "compile_count": meta.number(core.store, "compile_count"),
        "llm_compile_count": meta.number(core.store, "llm_compile_count"),
        "goal_inject_stats": reminding.statistics(core.store),
        "error_budget": budget_of(core.store, core.host.policy.error_budget).to_dict(),
    }


def dashboard(core: Core, recent: int = 10) -> dict[str, Any]:
    """Give the snapshot document with the last decisions and the goals' statistics."""
    mask = core.settings["mask_len"]
    document = snapshot_of(
        core.store,
        title=core.folder.name if core.folder else "experiences",
        language=core.settings["language"],
        mask_len=mask,
        error_budget=core.host.policy.error_budget,
    )
    return {
        **document,
        "decisions": [_shown(one, mask) for one in audit_logs(core, recent)],
        "goal_inject_stats": reminding.statistics(core.store),
    }


_SHOWN = ("decision", "class_name", "tier", "sources", "feedback_rating", "created_at")
"""What of a decision a page shows beside its id and the masked request."""


def _shown(row: Mapping[str, Any], mask: int) -> dict[str, Any]:
    text = row["input"]
    masked = text if len(text) <= mask else f"{text[:mask]}…"
    known = {key: row[key] for key in _SHOWN}
    return {"id": row["decision_id"], "input": masked, **known}
