"""Two workspaces that make one pack together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.formats.canonical import digest
from experience_pack.learning import merges
from experience_pack.model import Experience, Membership, PackInfo, Standing
from experience_pack.packs import membership, merging, releases
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply, undo
from experience_pack.packs.layout import Files
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.store import experiences, proposals, standings
from experience_pack.workspace.folder import Folder, create

NAME = "releases"
BASE: dict[str, dict[str, Any]] = {
    "exp_release": {
        "name": "发布补丁",
        "description": "From a green main to an announced version.",
        "logic": {"path": [{"action": "跑测试"}, {"action": "Publish it"}]},
    },
    "exp_yank": {"name": "Yank", "description": "Take a version back."},
    "exp_old": {"name": "Old way", "description": "As it was done before."},
}


def an(identity: str, **fields: Any) -> Experience:
    content = {**BASE.get(identity, {}), **fields}
    return Experience.from_dict({"id": identity, "kind": "process", **content})


def save(folder: Folder, *some: Experience) -> None:
    with folder.store.transaction() as tx:
        experiences.save_all(tx, some)


def members(folder: Folder) -> dict[str, Experience]:
    known = membership.load(folder, NAME)
    return experiences.get_many(folder.store, membership.members(folder.store, known))


def exported(folder: Folder, *, history: bool = True, standing: bool = True) -> Files:
    known = membership.load(folder, NAME)
    bundle = releases.bundle_of(folder, NAME) if history else b""
    options = ExportOptions(standing=standing, history=bundle)
    ids = membership.members(folder.store, known)
    return export_pack(folder.store, known.pack, ids, options).files


def merge(folder: Folder, files: Files) -> merging.MergeDone:
    plan = merging.plan_merge(folder, NAME, files, "theirs.xpack")
    return merging.carry_out(folder, NAME, plan)


def versions(folder: Folder) -> list[str]:
    return [one.subject for one in releases.history_of(folder, NAME).log()]


def pack(folder: Folder, *ids: str, version: str = "1.0.0") -> None:
    info = PackInfo(name=NAME, version=version)
    membership.create(folder, Membership(pack=info, experiences=ids or (*BASE,)))


def drop(folder: Folder, identity: str) -> None:
    known = membership.load(folder, NAME)
    kept = tuple(one for one in known.experiences if one != identity)
    membership.save(folder, replace(known, experiences=kept))


@pytest.fixture
def ann(folder: Folder) -> Folder:
    """Where the pack began."""
    save(folder, *(an(one) for one in BASE))
    pack(folder)
    releases.record(folder, NAME, "first")
    releases.tag(folder, NAME, None, None)
    return folder


@pytest.fixture
def ben(ann: Folder, tmp_path: Path) -> Iterator[Folder]:
    """Another workspace that took the pack in, and goes on making it."""
    (tmp_path / "ben").mkdir()
    made = create(tmp_path / "ben")
    incoming = incoming_of(exported(ann))
    apply(made.store, make_plan(made.store, incoming, ImportOptions(mode="preserve")))
    pack(made)
    releases.record(made, NAME, "ben begins")
    yield made
    made.close()


def _both_edit(ann: Folder, ben: Folder) -> None:
    path = [{"action": "写更新日志"}, *BASE["exp_release"]["logic"]["path"]]
    save(ann, an("exp_release", logic={"path": path}))
    releases.record(ann, NAME, "ann: a step")
    steps = [{"action": "跑测试"}, {"action": "Publish it", "tool": "uv"}]
    save(ben, an("exp_release", logic={"path": steps}), an("exp_new", name="回滚"))
    known = membership.load(ben, NAME)
    ids = (*(one for one in BASE if one != "exp_old"), "exp_new")
    membership.save(ben, replace(known, experiences=ids))
    releases.record(ben, NAME, "ben: a tool, a new one, one less")


def test_edits_of_both_sides_hold_and_members_follow(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    done = merge(ann, exported(ben))
    merged = members(ann)["exp_release"].logic.path

    assert [(one.action, one.tool) for one in merged] == [
        ("写更新日志", ""),
        ("跑测试", ""),
        ("Publish it", "uv"),
    ]
    assert set(members(ann)) == {"exp_release", "exp_yank", "exp_new"}
    assert "exp_old" in experiences.digests(ann.store)
    assert done.version == "3.0.0"


def test_the_merge_is_a_version_that_comes_from_both(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    done = merge(ann, exported(ben))
    log = releases.history_of(ann, NAME).log()

    assert log[0].id == done.commit
    assert len(log[0].parents) == 2
    assert log[0].subject == "merge releases 2.0.0"
    assert {"ann: a step", "ben begins", "first"} < set(versions(ann))


def test_both_come_to_the_same_and_are_quiet_then(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    merge(ann, exported(ben))
    merge(ben, exported(ann))
    digests = [incoming_of(exported(folder)).content_digest for folder in (ann, ben)]
    again = merging.plan_merge(ann, NAME, exported(ben), "theirs")

    assert digests[0] == digests[1]
    assert again.nothing_new
    assert merging.carry_out(ann, NAME, again).commit is None
    assert releases.history_of(ann, NAME).head() == (
        releases.history_of(ben, NAME).head()
    )
    assert membership.load(ben, NAME).pack.version == "3.0.0"


def test_ben_merging_first_comes_to_the_same_text(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    before = exported(ann)
    merge(ann, exported(ben))
    merge(ben, before)

    assert members(ann) == members(ben)


def test_what_both_worded_anew_waits_with_ours_in_force(
    ann: Folder, ben: Folder
) -> None:
    save(ann, an("exp_yank", description="Ann's words."))
    save(ben, an("exp_yank", description="本的说法。", notes="新的说明"))
    releases.record(ann, NAME, "ann")
    releases.record(ben, NAME, "ben")
    merge(ann, exported(ben))
    (proposal,) = proposals.pending(ann.store)

    assert members(ann)["exp_yank"].description == "Ann's words."
    assert [one["path"] for one in proposal.content["conflicts"]] == ["description"]
    assert versions(ann)[0] == "ann"


def test_the_history_joins_when_all_is_decided(ann: Folder, ben: Folder) -> None:
    save(ann, an("exp_yank", description="Ann's words."))
    save(ben, an("exp_yank", description="本的说法。", notes="新的说明"))
    releases.record(ann, NAME, "ann")
    releases.record(ben, NAME, "ben")
    merge(ann, exported(ben))
    history = releases.history_of(ann, NAME)
    before = history.log(1)[0].parents
    with ann.store.transaction() as tx:
        (proposal,) = proposals.pending(tx)
        merges.finish(tx, proposal, {"description": "theirs"})
    releases.record(ann, NAME, "decided")

    assert len(before) == 1
    assert len(history.log(1)[0].parents) == 2
    assert history.merging() is None
    assert members(ann)["exp_yank"].description == "本的说法。"


def test_a_merge_that_was_taken_back_does_not_join(ann: Folder, ben: Folder) -> None:
    save(ann, an("exp_yank", description="Ann's words."))
    save(ben, an("exp_yank", description="本的说法。"), an("exp_old", notes="n"))
    releases.record(ann, NAME, "ann")
    releases.record(ben, NAME, "ben")
    merge(ann, exported(ben))
    undo(ann.store)
    releases.record(ann, NAME, "as it was")
    history = releases.history_of(ann, NAME)

    assert len(history.log(1)[0].parents) == 1
    assert history.merging() is None


def test_undo_takes_the_texts_back(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    before = members(ann)
    merge(ann, exported(ben))
    undo(ann.store)

    assert members(ann)["exp_release"] == before["exp_release"]
    assert "exp_new" not in experiences.digests(ann.store)


def test_what_was_changed_here_stays_though_it_left_there(
    ann: Folder, ben: Folder
) -> None:
    save(ann, an("exp_old", notes="still needed"))
    releases.record(ann, NAME, "ann")
    drop(ben, "exp_old")
    releases.record(ben, NAME, "ben")
    plan = merging.plan_merge(ann, NAME, exported(ben), "theirs")
    merging.carry_out(ann, NAME, plan)

    assert plan.stays == ("exp_old",)
    assert "exp_old" in members(ann)


def test_what_was_deleted_here_does_not_come_again(ann: Folder, ben: Folder) -> None:
    with ann.store.transaction() as tx:
        experiences.delete(tx, "exp_old")
    releases.record(ann, NAME, "ann")
    save(ben, an("exp_yank", notes="n"))
    releases.record(ben, NAME, "ben")
    merge(ann, exported(ben))

    assert "exp_old" not in members(ann)


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("standing", [True, False])
def test_an_older_state_brings_nothing(
    ann: Folder, ben: Folder, history: bool, standing: bool
) -> None:
    old = exported(ben, history=history, standing=standing)
    save(ann, an("exp_yank", notes="n"))
    releases.record(ann, NAME, "ann")
    done = merge(ann, old)

    assert done.receipt is None
    assert done.version == "1.0.1"
    assert members(ann)["exp_yank"].notes == "n"


def test_a_pack_without_history_merges_by_what_its_texts_descend_from(
    ann: Folder, ben: Folder
) -> None:
    _both_edit(ann, ben)
    merge(ann, exported(ben, history=False))

    assert len(members(ann)["exp_release"].logic.path) == 3
    assert members(ann)["exp_release"].logic.path[2].tool == "uv"
    assert len(releases.history_of(ann, NAME).log()[0].parents) == 1


def test_a_pack_without_standing_merges_by_the_common_version(
    ann: Folder, ben: Folder
) -> None:
    _both_edit(ann, ben)
    plan = merging.plan_merge(ann, NAME, exported(ben, standing=False), "theirs")

    assert plan.base == releases.history_of(ann, NAME).resolve("1.0.0")
    assert plan.plan.counts() == {"new": 1, "same": 1, "merged": 1}


def test_counters_of_each_machine_count_once(ann: Folder, ben: Folder) -> None:
    for folder, uses in ((ann, 3), (ben, 4)):
        with folder.store.transaction() as tx:
            own = (folder.store.installation, "exp_yank")
            standings.put(tx, own, Standing(total_usage=uses))
    _both_edit(ann, ben)
    for _ in range(2):
        merge(ann, exported(ben))
        merge(ben, exported(ann))
    for folder in (ann, ben):
        counted = {
            installation: standings.own(folder.store, installation, "exp_yank")
            for installation in (ann.store.installation, ben.store.installation)
        }

        assert [one and one.total_usage for one in counted.values()] == [3, 4]


def test_a_version_of_our_own_merges_too(ann: Folder) -> None:
    save(ann, an("exp_yank", notes="n"))
    releases.record(ann, NAME, "ann")

    assert merging.plan_revision(ann, NAME, "1.0.0").nothing_new
    with pytest.raises(NotFoundError, match="no version"):
        merging.plan_revision(ann, NAME, "nothing")


def test_what_is_not_recorded_does_not_merge(ann: Folder, ben: Folder) -> None:
    save(ann, an("exp_yank", notes="n"))

    with pytest.raises(UsageError, match="not recorded"):
        merging.plan_merge(ann, NAME, exported(ben), "theirs")


def test_another_pack_does_not_merge(ann: Folder) -> None:
    info = PackInfo(name="other", version="1.0.0")
    files = export_pack(ann.store, info).files

    with pytest.raises(UsageError, match="is the pack other"):
        merging.plan_merge(ann, NAME, files, "other.xpack")


def test_a_plan_writes_nothing(ann: Folder, ben: Folder) -> None:
    _both_edit(ann, ben)
    before = digest({one: digest(two.content()) for one, two in members(ann).items()})
    head = releases.history_of(ann, NAME).head()
    merging.plan_merge(ann, NAME, exported(ben), "theirs")

    assert before == digest(
        {one: digest(two.content()) for one, two in members(ann).items()}
    )
    assert releases.history_of(ann, NAME).head() == head
