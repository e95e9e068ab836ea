"""Experiences that travel: bundles out and in, and a text for review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experience_pack.api.core import Core
from experience_pack.model import PackInfo
from experience_pack.packs.export import Exported, ExportOptions, export_pack
from experience_pack.packs.incoming import (
    Incoming,
    incoming_of,
    incoming_v2,
    read_incoming,
)
from experience_pack.packs.install import apply
from experience_pack.packs.judge import Known
from experience_pack.packs.lock import known_of, settled_lock
from experience_pack.packs.markdown import review_text
from experience_pack.packs.membership import whole_workspace
from experience_pack.packs.plan import ImportOptions, make_plan, tried
from experience_pack.packs.source import Source, bundle_of, files_of_bundle
from experience_pack.runtime.feedback import settle_counts
from experience_pack.store import experiences

_NAME = "experiences"
"""Name of a bundle that no workspace gives its own."""


def export_experiences(
    core: Core,
    exp_ids: Sequence[str] | None = None,
    include_episodes: bool = False,  # noqa: FBT001, FBT002 - the document's signature
    include_confidence: bool = True,  # noqa: FBT001, FBT002 - likewise
) -> dict[str, Any]:
    """Give some experiences, or all, as a JSON bundle."""
    settle_counts(core.store)
    options = ExportOptions(episodes=include_episodes, standing=include_confidence)
    return bundle_of(_exported(core, exp_ids, options).files)


def export_experience(core: Core, exp_id: str, **options: bool) -> dict[str, Any]:
    """Give one experience as a JSON bundle; options as for several."""
    experiences.get(core.store, exp_id)
    return export_experiences(core, [exp_id], **options)


def export_markdown(core: Core, exp_ids: Sequence[str] | None = None) -> str:
    """Give some experiences, or all, as one text for review."""
    return review_text(_exported(core, exp_ids, ExportOptions(standing=False)).files)


def import_bundle(
    core: Core,
    bundle: Mapping[str, Any] | str | Path,
    *,
    mode: str = "remap",
    on_conflict: str = "skip",
    reset_confidence: bool = False,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Take in a bundle, a document of the v2 format, or a pack at a path.

    Gives `counts` by action, `ids` (old to new), and the `receipt` by which it can
    be taken back. What comes in waits for review and is not served before; its own
    tests are run here, and where one fails it assists at most.
    """
    incoming = _incoming(bundle)
    lock = settled_lock(core.folder) if core.folder else None
    options = ImportOptions(
        mode=mode,
        on_conflict=on_conflict,
        reset_confidence=reset_confidence,
        known=known_of(lock, incoming.info.name) if lock else Known(),
    )
    plan = make_plan(core.store, incoming, options)
    plan = tried(core.store, plan, core.host.policy)
    receipt = None
    if not dry_run:
        receipt = apply(core.store, plan)
        core.mirror()
    return {
        "counts": plan.counts(),
        "ids": {item.source_id: item.experience.id for item in plan.items},
        "receipt": receipt,
    }


def _exported(
    core: Core, exp_ids: Sequence[str] | None, options: ExportOptions
) -> Exported:
    known = whole_workspace(core.folder) if core.folder else None
    info = known or PackInfo(name=_NAME, version="0.1.0")
    return export_pack(core.store, info, exp_ids, options)


def _incoming(bundle: Mapping[str, Any] | str | Path) -> Incoming:
    if isinstance(bundle, str | Path):
        return read_incoming(Path(bundle))
    if bundle.get("format") == "bundle":
        return incoming_of(files_of_bundle(bundle, "bundle"), "bundle")
    return incoming_v2(Source({}, bundle), "bundle")
