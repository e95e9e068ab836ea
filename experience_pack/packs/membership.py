"""`packs/<name>.json`: which experiences of a workspace make up a pack."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.formats.names import slug
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Json, Membership, PackInfo, read_record
from experience_pack.packs import export
from experience_pack.packs.export import Exported, ExportOptions
from experience_pack.packs.manifest import check_info
from experience_pack.store import Store, experiences, tombstones, versions
from experience_pack.workspace.files import file_errors, write_file
from experience_pack.workspace.folder import PACKS, Folder

QUERY_KEYS = ("kind", "category", "family", "tag")
"""What a saved query can ask for; all that are given have to hold."""


def path_of(folder: Folder, name: str) -> Path:
    """Give where a pack's membership stands."""
    return folder.path / PACKS / f"{name}.json"


def create(folder: Folder, membership: Membership) -> Path:
    """Write a new membership; a pack of that name already there is a `UsageError`."""
    check_info(membership.pack)
    _check_query(membership.query)
    path = path_of(folder, membership.pack.name)
    if path.exists():
        raise UsageError(
            f"there is a pack {membership.pack.name} already",
            hint=f"Edit {path.name} in {path.parent}, or choose another name.",
        )
    save(folder, membership)
    return path


def save(folder: Folder, membership: Membership) -> None:
    """Write a membership in place of the old one."""
    document = {**header("membership"), **membership.to_dict()}
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_file(path_of(folder, membership.pack.name), text.encode("utf-8"))


def load(folder: Folder, name: str) -> Membership:
    """Read the membership of a pack; an unknown name is a `NotFoundError`."""
    path = path_of(folder, name)
    if "/" in name or not path.exists():
        raise NotFoundError(
            f"there is no pack {name!r} in this workspace",
            hint="`experience-pack pack list` shows them, `pack new` makes one.",
        )
    with file_errors(path):
        value = loads(path.read_bytes(), str(path))
    document = dict(upgraded(value, "membership", str(path)))
    for key in ("format", "version"):
        document.pop(key, None)
    membership = read_record(Membership, document, str(path))
    check_info(membership.pack)
    if membership.pack.name != name:
        membership = replace(membership, pack=replace(membership.pack, name=name))
    _check_query(membership.query)
    return membership


def names(folder: Folder) -> list[str]:
    """Give the names of the packs that this workspace makes."""
    return sorted(path.stem for path in (folder.path / PACKS).glob("*.json"))


def members(store: Store, membership: Membership) -> list[str]:
    """Give the ids of a pack's members that exist, in order."""
    present = experiences.digests(store)
    found = {one for one in membership.experiences if one in present}
    if membership.query:
        for stored in experiences.stored_all(store):
            content = loads(stored.content, stored.id)
            if _answers(content, membership.query):
                found.add(stored.id)
    return sorted(found)


def withdrawn(store: Store, membership: Membership) -> list[str]:
    """Give the ids of former members that were deleted here, in order.

    One was a member if it is named, or if its last text answers the query.
    """
    found = []
    for identity in tombstones.all_of(store):
        named = identity in membership.experiences
        if named or (membership.query and _answered(store, membership, identity)):
            found.append(identity)
    return found


def exported(
    store: Store, membership: Membership, options: ExportOptions | None = None
) -> Exported:
    """Give the files of a pack that is made here, with what was withdrawn from it."""
    with exporting(store, membership, options) as found:
        return found.held()


@contextmanager
def exporting(
    store: Store, membership: Membership, options: ExportOptions | None = None
) -> Iterator[Exported]:
    """Give the files that `exported` gives, each read when it is reached."""
    gone = withdrawn(store, membership)
    options = replace(options or ExportOptions(), withdrawn=gone)
    ids = members(store, membership)
    with export.exporting(store, membership.pack, ids, options) as found:
        yield found


def whole_workspace(folder: Folder) -> PackInfo:
    """Give the description of a pack that holds the whole workspace."""
    ascii_name = slug(folder.name).encode("ascii", "ignore").decode().strip("-")
    return PackInfo(name=ascii_name or "workspace", version="0.1.0", title=folder.name)


def _answered(store: Store, membership: Membership, identity: str) -> bool:
    """Tell whether the last text of something deleted answered a query."""
    kept = versions.of(store, identity)
    if not kept:
        return False
    content = versions.get(store, identity, kept[0].id).content()
    return _answers(content, membership.query)


def _check_query(query: Mapping[str, Json]) -> None:
    unknown = [key for key in query if key not in QUERY_KEYS]
    if unknown:
        known = ", ".join(QUERY_KEYS)
        raise UsageError(f"a query has {known}; not {', '.join(unknown)}")


def _answers(content: Mapping[str, Json], query: Mapping[str, Json]) -> bool:
    tags = content.get("match", {}).get("tags", ())
    return all(
        wanted in tags if key == "tag" else content.get(key, "") == wanted
        for key, wanted in query.items()
    )
