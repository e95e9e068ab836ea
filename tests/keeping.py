"""Workspaces that keep to packs, as their tests handle them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from experience_pack.model import Experience
from experience_pack.packs import keep
from experience_pack.packs.lock import path_of
from experience_pack.packs.shelf import place_of
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder
from tests.packs_at import experience

ONE = experience("exp_one", "发布 release", description="Old words.")
TWO = experience("exp_two", "撤回", prerequisites=["exp_one"])


def add(folder: Folder, source: Path, path: str = "", rev: str = "") -> list[str]:
    place = place_of(str(source), folder.path.parent, rev, path)
    return [one.name for one in keep.add(folder, place, rev=rev)]


def names(folder: Folder) -> list[str]:
    return sorted(one.name for one in experiences.entries(folder.store))


def find(folder: Folder, name: str) -> Experience:
    (identity,) = experiences.find(folder.store, name)
    return experiences.get(folder.store, identity)


def edit(folder: Folder, name: str, **fields: str) -> None:
    with folder.store.transaction() as tx:
        experiences.save(tx, replace(find(folder, name), **fields))  # type: ignore[arg-type]


def lock_of(folder: Folder) -> dict[str, object]:
    found: dict[str, object] = json.loads(path_of(folder).read_text("utf-8"))
    return found
