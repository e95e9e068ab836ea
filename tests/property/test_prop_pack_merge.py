"""Two workspaces edit, record and merge one pack in any order."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.learning import merges
from experience_pack.model import Experience, Logic, Membership, PackInfo, Step
from experience_pack.packs import membership, merging, releases
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.layout import Files
from experience_pack.store import experiences, proposals
from experience_pack.workspace.folder import Folder, create

pytestmark = pytest.mark.property

EXAMPLES = int(os.environ.get("MERGE_EXAMPLES", "6"))
"""Each takes seconds; `make soak` tries more."""

NAME = "shared"
IDS = ("exp_a", "exp_b")
TEXTS = ("先分类再归档。", "Sort, then file.", "Zip it up.", "拔掉电源。", "")
STEPS = ("mow the lawn", "提交补丁", "wax skis", "复核预算", "knead dough", "晾干颜料")

Move = tuple[str, int, str, str]


@st.composite
def moves(draw: st.DrawFn) -> list[Move]:
    """Give moves: what is done, by whom, to which experience, with which words."""
    one = st.tuples(
        st.sampled_from(["notes", "tag", "add step", "drop step", "merge", "merge"]),
        st.integers(0, 1),
        st.sampled_from(IDS),
        st.sampled_from(TEXTS[:4] + STEPS),
    )
    return draw(st.lists(one, min_size=2, max_size=8))


@contextmanager
def two() -> Iterator[tuple[Folder, Folder]]:
    """Give two workspaces with the same pack, each recorded once."""
    with tempfile.TemporaryDirectory() as root:
        folders = [_begun(Path(root, name)) for name in ("ann", "ben")]
        try:
            yield folders[0], folders[1]
        finally:
            for folder in folders:
                folder.close()


def _begun(path: Path) -> Folder:
    path.mkdir()
    folder = create(path)
    with folder.store.transaction() as tx:
        experiences.save_all(tx, [_one(one) for one in IDS])
    info = PackInfo(name=NAME, version="1.0.0")
    membership.create(folder, Membership(pack=info, experiences=IDS))
    releases.record(folder, NAME, "begin")
    return folder


def _one(identity: str) -> Experience:
    path = tuple(Step(action=text) for text in ("begin", "结束"))
    return Experience(
        id=identity, kind="process", name=identity, logic=Logic(path=path)
    )


def edited(one: Experience, what: str, words: str) -> Experience:
    path = one.logic.path
    if what == "notes":
        return replace(one, notes=words)
    if what == "tag":
        tags = {*one.match.tags} ^ {words}
        return replace(one, match=replace(one.match, tags=tuple(sorted(tags))))
    if what == "add step":
        path = (*path[:1], Step(action=words), *path[1:])
    else:
        path = path[:-1]
    return replace(one, logic=replace(one.logic, path=path))


def exported(folder: Folder, *, standing: bool) -> Files:
    info = membership.load(folder, NAME).pack
    bundle = releases.bundle_of(folder, NAME)
    options = ExportOptions(standing=standing, history=bundle)
    return export_pack(folder.store, info, IDS, options).files


def merge(here: Folder, there: Folder, *, standing: bool) -> None:
    plan = merging.plan_merge(here, NAME, exported(there, standing=standing), "there")
    merging.carry_out(here, NAME, plan)
    settle(here)


def settle(folder: Folder) -> None:
    """Decide for what the other side says wherever somebody has to."""
    with folder.store.transaction() as tx:
        for proposal in [*proposals.pending(tx)]:
            paths = [one["path"] for one in proposal.content["conflicts"]]
            merges.finish(tx, proposal, dict.fromkeys(paths, "theirs"))
    releases.record(folder, NAME, "")


def content(folder: Folder) -> dict[str, Experience]:
    return experiences.get_many(folder.store, IDS)


@pytest.mark.parametrize("standing", [True, False])
@settings(max_examples=EXAMPLES, deadline=None)
@given(moves())
def test_whoever_merges_when_all_come_to_the_same(
    standing: bool, done: Sequence[Move]
) -> None:
    with two() as folders:
        for what, who, identity, words in done:
            here, there = folders[who], folders[1 - who]
            if what == "merge":
                merge(here, there, standing=standing)
                continue
            one = edited(content(here)[identity], what, words)
            with here.store.transaction() as tx:
                experiences.save(tx, one)
            releases.record(here, NAME, "")
        ann, ben = folders
        for here, there in ((ann, ben), (ben, ann)):
            merge(here, there, standing=standing)

        assert content(ann) == content(ben)
        files = exported(ann, standing=standing)
        assert merging.plan_merge(ben, NAME, files, "ann").nothing_new
