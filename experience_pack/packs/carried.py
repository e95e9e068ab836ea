"""The history that an imported pack carries: it comes along where the pack is made."""

from __future__ import annotations

from typing import NamedTuple

from experience_pack.errors import IntegrityError, StorageError
from experience_pack.packs import membership
from experience_pack.packs.bundles import bundle_in, take_in, told
from experience_pack.packs.layout import Files
from experience_pack.packs.releases import writing
from experience_pack.workspace.folder import Folder


class Carried(NamedTuple):
    """What became of the history in a pack."""

    newest: str = ""
    """The newest version, to be merged by; empty if the history stayed in the file."""
    versions: int = 0
    fault: str = ""
    """Why git could not take it; the pack itself comes in all the same."""


def bring_history(
    folder: Folder, name: str, files: Files, *, dry_run: bool = False
) -> Carried | None:
    """Take the objects of a carried history into ours; None if the pack has none.

    Nothing is named, moved or merged by that. Where the pack is not made here it stays
    in the file, unread. One that is not sound is a `DigestError`.
    """
    bundle = bundle_in(files)
    if bundle is None:
        return None
    if not membership.path_of(folder, name).exists():
        return Carried()
    try:
        found = told(files)
        if not dry_run:
            with writing(folder, name) as (history, _):
                history.prepare()
                take_in(history, bundle)
    except (IntegrityError, StorageError) as error:
        return Carried(fault=str(error))
    return Carried(found.commits[0].id, len(found.commits)) if found else None
