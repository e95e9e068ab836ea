"""What was decided, and what is here."""

from __future__ import annotations

from experience_pack.api.named import resolve
from experience_pack.api.shown import categories_shown, evidence_shown
from experience_pack.hosts.mcp.tool import (
    ID,
    LISTED,
    NUMBER,
    OBJECT,
    OBJECTS,
    READS,
    REMOVES,
    TEXT,
    VIEWER,
    WHOLE,
    Tool,
    UnattendedRuntime,
    gives,
    one_of,
    said,
    takes,
)
from experience_pack.model.values import Json


def _stats(core: UnattendedRuntime) -> Json:
    return core.stats()


def _families(core: UnattendedRuntime) -> Json:
    return core.list_families()


def _tree(core: UnattendedRuntime, family: str) -> Json:
    return core.family_tree(family)


def _classes(core: UnattendedRuntime) -> Json:
    return categories_shown(core.store)


def _audit(
    core: UnattendedRuntime, limit: int = 20, about: str = "", decision: str = ""
) -> Json:
    meant = resolve(core.store, about) if about else ""
    return core.audit_logs(limit, meant, decision)


def _audit_get(core: UnattendedRuntime, decision_id: str) -> Json:
    return core.audit_get(decision_id)


def _evidence(core: UnattendedRuntime, exp_id: str) -> Json:
    return evidence_shown(core.store, resolve(core.store, exp_id))


def _episode(core: UnattendedRuntime, episode_id: str) -> Json:
    return core.get_episode(episode_id)


def _dashboard(core: UnattendedRuntime, recent: int = 10) -> Json:
    return core.dashboard(recent)


def _cleanup(core: UnattendedRuntime, days: float | None = None) -> Json:
    return {"removed": core.cleanup_audit(days)}


TOOLS = (
    Tool(
        "experience_stats",
        "Numbers",
        "Say in numbers what is here and what was decided.",
        READS,
        takes(),
        gives(
            experiences=WHOLE,
            kinds=OBJECT,
            classes=OBJECT,
            decisions=OBJECT,
            compile_count=WHOLE,
            llm_compile_count=WHOLE,
            goal_inject_stats=OBJECT,
        ),
        _stats,
        view=VIEWER,
    ),
    Tool(
        "experience_families",
        "List families",
        "List families of variants with their sizes.",
        READS,
        takes(),
        LISTED,
        _families,
    ),
    Tool(
        "experience_tree",
        "Show a family",
        "Show one family as a tree of variants.",
        READS,
        takes("family", family=TEXT),
        LISTED,
        _tree,
    ),
    Tool(
        "experience_classes",
        "List categories",
        "List categories with their parameters.",
        READS,
        takes(),
        LISTED,
        _classes,
    ),
    Tool(
        "experience_audit",
        "List decisions",
        "List past decisions, the last first.",
        READS,
        takes(
            limit=WHOLE,
            about=said(ID, "Only decisions about this experience."),
            decision=one_of("execute", "assist", "hint", "delegate"),
        ),
        LISTED,
        _audit,
    ),
    Tool(
        "experience_audit_get",
        "Show a decision",
        "Show one decision in full, with what was passed over and why.",
        READS,
        takes("decision_id", decision_id=TEXT),
        gives(
            decision_id=TEXT,
            input=TEXT,
            decision=TEXT,
            candidates=OBJECTS,
            rejected=OBJECTS,
            sources=OBJECTS,
        ),
        _audit_get,
    ),
    Tool(
        "experience_evidence",
        "Show evidence",
        "Show what an experience rests on: episodes, files, addresses.",
        READS,
        takes("exp_id", exp_id=ID),
        LISTED,
        _evidence,
    ),
    Tool(
        "experience_episode_get",
        "Show an episode",
        "Show one episode of finished work.",
        READS,
        takes("episode_id", episode_id=TEXT),
        gives(id=TEXT, type=TEXT, text=TEXT, meta=OBJECT),
        _episode,
    ),
    Tool(
        "experience_dashboard",
        "Everything for a page",
        "Give the whole snapshot that pages show; it is long, so not for reading.",
        READS,
        takes(recent=said(WHOLE, "So many of the last decisions.")),
        gives(title=TEXT, decisions=OBJECTS, goal_inject_stats=OBJECT),
        _dashboard,
        long=True,
        view=VIEWER,
    ),
    Tool(
        "experience_cleanup_audit",
        "Remove old decisions",
        "Remove decisions older than some days, else than the setting says.",
        REMOVES,
        takes(days=NUMBER),
        gives(removed=WHOLE),
        _cleanup,
    ),
)
