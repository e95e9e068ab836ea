"""Prove that a pack comes out as it went in."""

from __future__ import annotations

from typing import NamedTuple

from experience_pack.packs.bundles import bundle_in
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.layout import STANDING, Files, bound
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.store import Store


class RoundTrip(NamedTuple):
    """The files that differ after importing and exporting again; none is right."""

    differing: tuple[str, ...]
    files: int


def round_trip(files: Files) -> RoundTrip:
    """Import a pack into an empty store, export it, compare every byte."""
    store = Store.in_memory()
    incoming = incoming_of(files)
    apply(store, make_plan(store, incoming, ImportOptions(mode="preserve")))
    options = ExportOptions(
        episodes=True, standing=STANDING in files, history=bundle_in(files) or b""
    )
    again = export_pack(store, incoming.info, options=options)
    listed = {path for path in files if bound(path)}
    differing = [
        path
        for path in sorted(listed | set(again.files))
        if files.get(path) != again.files.get(path)
    ]
    return RoundTrip(tuple(differing), len(listed))
