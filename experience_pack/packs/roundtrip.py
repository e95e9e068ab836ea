"""Prove that a pack comes out as it went in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import experience_pack
from experience_pack.model import Certificate, Omission
from experience_pack.packs import census
from experience_pack.packs.bundles import bundle_in
from experience_pack.packs.census import Holdings
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.layout import MANIFEST, STANDING, Files, bound
from experience_pack.packs.manifest import read_manifest
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.store import Store

STAYS: Mapping[str, str] = {
    "versions": "older texts stay; `pack commit` keeps those that were released",
    "categories": "what an area of work may do is the receiver's to say",
    "utterances": "what was learnt from requests stays where it was asked",
    "goals": "goals are the person's",
    "decisions": "what was asked stays where it was asked",
    "proposals": "what waits for a word waits where that person is",
    "imports": "receipts say how to take an import back where it was made",
}
"""Tables that never travel, and why."""

ON_REQUEST: Mapping[str, str] = {
    "episodes": "episodes of work travel when they are asked for (--episodes)",
    "standing": "counters were left out (--no-standing)",
}
"""Tables that travel or not as the export was asked to, and why they did not."""


def round_trip(
    files: Files,
    source: Holdings | None = None,
    options: ExportOptions | None = None,
) -> Certificate:
    """Import a pack into an empty store, export it, compare every byte and field.

    Without a `source` the pack's own content is counted, and whatever is missing
    afterwards is lost. With the holdings of the workspace that it was made of, and
    the options of that export, what stays on purpose is told with its reason.
    """
    manifest = read_manifest(files)
    incoming = incoming_of(files)
    scratch = Store.in_memory()
    apply(scratch, make_plan(scratch, incoming, ImportOptions(mode="preserve")))
    again = export_pack(
        scratch,
        incoming.info,
        options=ExportOptions(
            episodes=True, standing=STANDING in files, history=bundle_in(files) or b""
        ),
    )
    listed = {path for path in files if _compared(path)}
    brought = census.of_incoming(incoming)
    kept = census.of_store(scratch)
    stayed = census.compare(source, brought).omissions if source is not None else ()
    lost = census.compare(brought, kept).omissions
    counted = census.compare(brought if source is None else source, kept).census
    return Certificate(
        content_digest=manifest.content_digest,
        pack_digest=manifest.digest,
        release=experience_pack.__version__,
        files=len(listed),
        differing=tuple(
            path
            for path in sorted(listed | set(again.files))
            if _compared(path) and files.get(path) != again.files.get(path)
        ),
        census=counted,
        omissions=(*(_explained(one, options) for one in stayed), *lost),
    )


def _compared(path: str) -> bool:
    return bound(path) or path == MANIFEST


def _explained(one: Omission, options: ExportOptions | None) -> Omission:
    """Give the reason for which something stays; a field of a row has none."""
    if one.field:
        return one
    asked = getattr(options or ExportOptions(), one.table, False)
    reasons = STAYS if asked else {**STAYS, **ON_REQUEST}
    return replace(one, reason=reasons.get(one.table, ""))
