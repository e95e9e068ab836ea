"""Fourteen skills that others wrote, as a pack through three versions and a merge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.model import Experience, Membership, PackInfo
from experience_pack.packs import bundles, membership, merging, releases
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.interchange.install import plan_of_skills
from experience_pack.packs.interchange.skill import read_skills
from experience_pack.packs.layout import Files
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder, create
from tests.shared_data import shared

NAME = "superpowers"
SKILL = "Test-Driven Development (TDD)"
OTHER = "Systematic Debugging"


def everything(folder: Folder) -> dict[str, Experience]:
    ids = [*experiences.digests(folder.store)]
    return experiences.get_many(folder.store, ids)


def named(folder: Folder, name: str) -> Experience:
    (found,) = (one for one in everything(folder).values() if one.name == name)
    return found


def change_notes(folder: Folder, name: str, old: str, new: str) -> None:
    one = named(folder, name)
    assert old in one.notes
    with folder.store.transaction() as tx:
        experiences.save(tx, replace(one, notes=one.notes.replace(old, new, 1)))


def exported(folder: Folder) -> Files:
    info = membership.load(folder, NAME).pack
    ids = membership.members(folder.store, membership.load(folder, NAME))
    options = ExportOptions(history=releases.bundle_of(folder, NAME))
    return export_pack(folder.store, info, ids, options).files


def begin(folder: Folder) -> None:
    info = PackInfo(name=NAME, version="1.0.0")
    ids = tuple(everything(folder))
    membership.create(folder, Membership(pack=info, experiences=ids))


@pytest.fixture
def ann(folder: Folder) -> Folder:
    source = shared("real", "skills-superpowers", "skills")
    conversion = read_skills(source, source="skills")
    apply(folder.store, plan_of_skills(folder.store, conversion, "skills"))
    begin(folder)
    releases.record(folder, NAME, "as they were published")
    releases.tag(folder, NAME, None, None)
    return folder


@pytest.fixture
def ben(ann: Folder, tmp_path: Path) -> Iterator[Folder]:
    (tmp_path / "ben").mkdir()
    made = create(tmp_path / "ben")
    incoming = incoming_of(exported(ann))
    apply(made.store, make_plan(made.store, incoming, ImportOptions(mode="preserve")))
    begin(made)
    releases.record(made, NAME, "as ann published them")
    yield made
    made.close()


def test_versions_are_advised_by_what_changed(ann: Folder) -> None:
    skill = named(ann, SKILL)
    with ann.store.transaction() as tx:
        experiences.save(tx, replace(skill, description="先写测试，再写代码。"))
    reworded = releases.record(ann, NAME, "")
    with ann.store.transaction() as tx:
        experiences.save(tx, replace(skill, exemplars=("red, green",), family="tests"))
        experiences.save(tx, Experience(id="exp_new", kind="lesson", name="新教训"))
    known = membership.load(ann, NAME)
    ids = (*known.experiences, "exp_new")
    membership.save(ann, replace(known, experiences=ids))
    grown = releases.record(ann, NAME, "")

    assert len(everything(ann)) == 15
    assert (reworded.version, reworded.advice.level) == ("1.0.1", "patch")
    assert (grown.version, grown.advice.level) == ("1.1.0", "minor")
    assert [one.subject for one in releases.history_of(ann, NAME).log()] == [
        "新教训 is new",
        f"{SKILL}: description changed",
        "as they were published",
    ]


def test_edits_on_both_sides_of_a_long_text_hold(ann: Folder, ben: Folder) -> None:
    notes = named(ann, SKILL).notes
    first, last = _sentence(notes, 0), _sentence(notes, -1)
    change_notes(ann, SKILL, first, f"{first}\n\nAnn adds a line.")
    change_notes(ann, OTHER, _sentence(named(ann, OTHER).notes, 0), "本来的话。")
    releases.record(ann, NAME, "ann")
    change_notes(ben, SKILL, last, f"{last}\n\n本补充一行。")
    releases.record(ben, NAME, "ben")
    plan = merging.plan_merge(ann, NAME, exported(ben), "ben.xpack")
    done = merging.carry_out(ann, NAME, plan)
    merged = named(ann, SKILL).notes
    log = releases.history_of(ann, NAME).log()

    assert plan.plan.counts() == {"same": 12, "merged": 1, "kept": 1}
    assert merged == notes.replace(first, f"{first}\n\nAnn adds a line.", 1).replace(
        last, f"{last}\n\n本补充一行。", 1
    )
    assert done.version == "1.0.2"
    assert log[0].subject == f"merge {NAME} 1.0.1"
    assert len(log[0].parents) == 2
    assert {"ann", "ben"} <= {one.subject for one in log}


def test_the_history_of_real_skills_travels_and_is_verified(ann: Folder) -> None:
    change_notes(ann, SKILL, _sentence(named(ann, SKILL).notes, 0), "一。")
    releases.record(ann, NAME, "second")
    told = bundles.told(exported(ann))

    assert told is not None
    assert [one.subject for one in told.commits] == ["second", "as they were published"]
    assert [*told.tags] == ["1.0.0"]


def _sentence(notes: str, at: int) -> str:
    """Give a line of plain prose that stands only once."""
    lines = [
        line
        for line in notes.split("\n")
        if len(line) > 20 and line[0].isalpha() and notes.count(line) == 1
    ]
    return lines[at]
