"""A workspace worth a site: packs taken in, and one made here with two versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from experience_pack.model import Membership, PackInfo
from experience_pack.packs import membership, releases
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.install import apply
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder

EXAMPLES = Path(__file__).parents[1] / "examples" / "packs"
SAID = "Say it **twice**. 说两遍。"
"""Notes that the second version has and the first has not."""

INFO = PackInfo(
    name="releases",
    version="1.0.0",
    title="Releasing 发布",
    description="How we publish 怎样发布",
    license="MIT",
)


def fill(folder: Folder, notes: str = SAID) -> None:
    """Take the example packs in, and record two versions of one of our own."""
    for name in ("python-release", "office-zh", "small-service"):
        incoming = read_incoming(EXAMPLES / name)
        options = ImportOptions(mode="preserve")
        apply(folder.store, make_plan(folder.store, incoming, options))
    membership.create(folder, Membership(pack=INFO, query={"tag": "release"}))
    releases.record(folder, "releases", "First")
    edit(folder, "Announce a release", notes=notes)
    releases.record(folder, "releases", "第二版")


def edit(folder: Folder, called: str, **fields: Any) -> None:
    """Give the experience of a name other fields."""
    (identity,) = experiences.find(folder.store, called)
    before = experiences.get(folder.store, identity)
    with folder.store.transaction() as tx:
        experiences.save(tx, replace(before, **fields))
