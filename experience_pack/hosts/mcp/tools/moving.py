"""Bundles out and in, and the workspace itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experience_pack.api.named import resolve
from experience_pack.hosts.mcp.tool import (
    ADDS,
    FLAG,
    OBJECT,
    OBJECTS,
    READS,
    SETS,
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

_WHICH = said(TEXTS, "Ids or names; all of the workspace unless given.")
_SYNCED = gives(cards=WHOLE, counts=OBJECT, findings=OBJECTS)


def _export(
    core: UnattendedRuntime,
    exp_ids: Sequence[str] | None = None,
    *,
    include_episodes: bool = False,
    include_confidence: bool = True,
) -> Json:
    return core.export_experiences(
        _named(core, exp_ids), include_episodes, include_confidence
    )


def _markdown(core: UnattendedRuntime, exp_ids: Sequence[str] | None = None) -> Json:
    return core.export_markdown(_named(core, exp_ids))


def _import(core: UnattendedRuntime, bundle: Mapping[str, Any], **options: Any) -> Json:
    from experience_pack.packs.source import files_of_bundle
    from experience_pack.packs.trust import check_trusted

    if core.folder is not None:
        whole = bundle.get("format") == "bundle"
        files = files_of_bundle(bundle, "bundle") if whole else {}
        check_trusted(core.folder, files)
    return core.import_bundle(bundle, **options)


def _init(directory: str) -> Json:
    from experience_pack.workspace.folder import create
    from experience_pack.workspace.mirror import sync

    folder = create(Path(directory))
    try:
        return {"workspace": str(folder.path), **sync(folder).to_dict()}
    finally:
        folder.close()


def _sync(
    core: UnattendedRuntime,
    *,
    check: bool = False,
) -> Json:
    from experience_pack.errors import UsageError
    from experience_pack.workspace.mirror import sync

    if core.folder is None:
        raise UsageError("a store of its own has no cards")
    return sync(core.folder, check=check).to_dict()


def _named(
    core: UnattendedRuntime, exp_ids: Sequence[str] | None
) -> Sequence[str] | None:
    return exp_ids and [resolve(core.store, one) for one in exp_ids]


TOOLS = (
    Tool(
        "experience_export",
        "Export a bundle",
        "Give experiences as a JSON bundle that another workspace takes in.",
        READS,
        takes(exp_ids=_WHICH, include_episodes=FLAG, include_confidence=FLAG),
        gives(format=TEXT, version={"type": "array"}, manifest=OBJECT, files=OBJECT),
        _export,
        long=True,
    ),
    Tool(
        "experience_export_markdown",
        "Export for review",
        "Give experiences as one Markdown text for a person to read.",
        READS,
        takes(exp_ids=_WHICH),
        gives(result=TEXT),
        _markdown,
        long=True,
    ),
    Tool(
        "experience_import",
        "Take in a bundle",
        "Take in a JSON bundle; what comes in waits for the person's review.",
        ADDS,
        takes(
            "bundle",
            bundle=OBJECT,
            mode=one_of("remap", "preserve"),
            on_conflict=one_of("skip", "overwrite"),
            reset_confidence=FLAG,
            dry_run=FLAG,
        ),
        gives(counts=OBJECT, ids=OBJECT, receipt={}),
        _import,
        long=True,
    ),
    Tool(
        "experience_project_init",
        "Make a workspace",
        "Make .experience/ in a project folder, or complete the one that is there.",
        SETS,
        takes("directory", directory=said(TEXT, "Absolute path of the project.")),
        gives(workspace=TEXT, cards=WHOLE, counts=OBJECT, findings=OBJECTS),
        _init,
        founds=True,
    ),
    Tool(
        "experience_project_sync",
        "Sync cards and store",
        "Take in edited cards and write waiting ones; nothing is deleted.",
        SETS,
        takes(check=said(FLAG, "Change nothing; only say what would happen.")),
        _SYNCED,
        _sync,
        long=True,
    ),
)
