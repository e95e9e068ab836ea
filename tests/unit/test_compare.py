from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.model import Experience
from experience_pack.packs.compare import Advice, advise, compare
from experience_pack.packs.merge import merge

FIXTURES = Path(__file__).parents[1] / "fixtures"

BASE = {
    "kind": "process",
    "name": "Release",
    "requires": ["version"],
    "match": {"tags": ["a", "b"]},
    "logic": {"goal": "g", "path": [{"action": "one"}, {"action": "two"}]},
}


def an(identity: str = "exp_a", **fields: object) -> Experience:
    return Experience.from_dict({"id": identity, **BASE, **fields})


def side(*some: Experience) -> dict[str, Experience]:
    return {one.id: one for one in some}


@pytest.mark.parametrize(
    ("after", "level", "reason"),
    [
        (side(an()), "none", "nothing differs"),
        (side(an(description="better words")), "patch", "Release: description changed"),
        (side(an(name="发布")), "patch", "发布: name changed"),
        (side(an(logic={"goal": "g"})), "minor", "Release: logic.path changed"),
        (side(an(), an("exp_b", name="New")), "minor", "New is new"),
        (side(an(requires=[])), "major", "Release: requires changed"),
        (side(an(kind="reflex")), "major", "Release: kind changed"),
        (side(), "major", "Release was removed"),
    ],
)
def test_the_version_moves_as_far_as_the_weightiest_difference(
    after: dict[str, Experience], level: str, reason: str
) -> None:
    assert advise(compare(side(an()), after)) == Advice(level, reason)


@pytest.mark.parametrize(
    ("level", "version", "following"),
    [
        ("none", "1.2.3", "1.2.3"),
        ("patch", "1.2.3", "1.2.4"),
        ("minor", "1.2.3", "1.3.0"),
        ("major", "1.2.3", "2.0.0"),
        ("major", "0.2.3", "0.3.0"),
    ],
)
def test_the_next_version_follows_semver(
    level: str, version: str, following: str
) -> None:
    assert Advice(level, "").next_version(version) == following


def test_changes_to_different_fields_merge() -> None:
    ours = an(description="ours")
    theirs = an(notes="theirs")
    merged = merge(side(an()), side(ours), side(theirs))

    assert merged.conflicts == ()
    assert merged.experiences["exp_a"] == an(description="ours", notes="theirs")


def test_sets_take_the_additions_and_removals_of_both() -> None:
    ours = an(match={"tags": ["b", "ours"]})
    theirs = an(match={"tags": ["a", "b", "theirs"]})
    merged = merge(side(an()), side(ours), side(theirs))

    assert merged.experiences["exp_a"].match.tags == ("b", "ours", "theirs")
    assert merged.conflicts == ()


def test_steps_of_equal_number_merge_by_place() -> None:
    def steps(*actions: str) -> Experience:
        return an(logic={"goal": "g", "path": [{"action": one} for one in actions]})

    merged = merge(side(an()), side(steps("uno", "two")), side(steps("one", "dos")))

    assert merged.experiences["exp_a"] == steps("uno", "dos")


def test_two_wordings_of_one_field_are_a_conflict_and_ours_stands() -> None:
    merged = merge(
        side(an()), side(an(description="ours")), side(an(description="theirs"))
    )
    (conflict,) = merged.conflicts

    assert merged.experiences["exp_a"].description == "ours"
    assert conflict.to_dict() == {
        "id": "exp_a",
        "path": "description",
        "base": None,
        "ours": "ours",
        "theirs": "theirs",
    }


def test_what_one_side_removed_stays_removed_unless_the_other_changed_it() -> None:
    assert merge(side(an()), side(), side(an())).experiences == {}
    merged = merge(side(an()), side(), side(an(description="kept")))

    assert merged.experiences["exp_a"].description == "kept"
    assert [conflict.path for conflict in merged.conflicts] == [""]


CASES = json.loads((FIXTURES / "merge" / "sequences.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_lists_and_texts_merge_as_their_meaning_demands(case: dict[str, Any]) -> None:
    def version(value: object) -> dict[str, Experience]:
        *outer, key = case["field"].split(".")
        return side(an(**({outer[0]: {key: value}} if outer else {key: value})))

    found = merge(*(version(case[one]) for one in ("base", "ours", "theirs")))
    value: Any = found.experiences["exp_a"].content()
    for key in case["field"].split("."):
        value = value[key]

    assert value == case["merged"]
    assert [one.path for one in found.conflicts] == case.get("conflicts", [])
    offered = [one.theirs for one in found.conflicts]
    assert offered == case.get("offered", offered)
