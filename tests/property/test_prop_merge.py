from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.model import Experience, Logic, Match, Step
from experience_pack.packs.compare import advise, compare
from experience_pack.packs.merge import Side, merge
from tests.strategies import experiences

pytestmark = pytest.mark.property


@st.composite
def descendants(draw: st.DrawFn) -> tuple[Side, Side, Side]:
    """Give a set of experiences and two sets that came of it."""
    base: list[Experience] = draw(st.lists(experiences(), max_size=3))
    sides = []
    for _ in range(2):
        side = {}
        for one in base:
            if draw(st.booleans()) or draw(st.booleans()):
                side[one.id] = draw(st.sampled_from(_edits(one)))
        for new in draw(st.lists(experiences(), max_size=1)):
            side[new.id] = new
        sides.append(side)
    return {one.id: one for one in base}, sides[0], sides[1]


def _edits(one: Experience) -> list[Experience]:
    logic = replace(one.logic, path=(*one.logic.path, Step(action="one more")))
    return [
        one,
        replace(one, description="other words"),
        replace(one, description="yet other words", notes="n"),
        replace(one, exemplars=(*one.exemplars, "so sagt man")),
        replace(one, exemplars=one.exemplars[1:]),
        replace(one, match=Match(tags=("a", "b"), keywords=one.match.keywords)),
        replace(one, logic=logic),
        replace(one, extra={**one.extra, "x-team": 1}),
    ]


@settings(max_examples=200, deadline=None)
@given(descendants())
def test_a_merge_is_the_same_from_both_sides_but_for_conflicts(
    sides: tuple[Side, Side, Side],
) -> None:
    base, ours, theirs = sides
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    decided = {conflict.id for conflict in one.conflicts}

    assert {(c.id, c.path) for c in one.conflicts} == {
        (c.id, c.path) for c in other.conflicts
    }
    for identity in set(one.experiences) - decided:
        assert one.experiences[identity] == other.experiences[identity]


@settings(max_examples=200, deadline=None)
@given(descendants())
def test_merging_with_an_ancestor_changes_nothing(
    sides: tuple[Side, Side, Side],
) -> None:
    base, ours, _ = sides

    assert merge(base, ours, base).experiences == dict(sorted(ours.items()))
    assert merge(base, base, ours).experiences == dict(sorted(ours.items()))
    assert merge(base, ours, ours).conflicts == ()


@settings(max_examples=200, deadline=None)
@given(descendants())
def test_what_either_side_added_is_in_the_merge(
    sides: tuple[Side, Side, Side],
) -> None:
    base, ours, theirs = sides
    merged = merge(base, ours, theirs).experiences

    for side in (ours, theirs):
        assert set(side) - set(base) <= set(merged)
        for identity in set(side) & set(base) & set(merged):
            added = set(side[identity].exemplars) - set(base[identity].exemplars)
            assert added <= set(merged[identity].exemplars)


WORDS = (
    "mow the lawn", "提交补丁", "zip archives", "拔掉电源", "fetch quinces",
    "给海豹称重", "jot it down", "复核预算", "knead dough", "晾干颜料",
    "wax skis", "校准望远镜",
)  # fmt: skip
"""Actions of which no two are alike."""

Edited = list[Step]


@st.composite
def step_edits(draw: st.DrawFn) -> tuple[Edited, Edited, Edited]:
    """Give steps and two edited versions of them; new steps have new words."""
    words = iter(draw(st.permutations(WORDS)))
    base = [Step(action=next(words)) for _ in range(draw(st.integers(0, 4)))]
    return base, _edited(draw, base, words, "saw"), _edited(draw, base, words, "锯")


def _edited(draw: st.DrawFn, base: Edited, words: Iterator[str], tool: str) -> Edited:
    found = []
    for one in base:
        found += [Step(action=next(words)) for _ in range(draw(st.integers(0, 4)) // 4)]
        what = draw(st.sampled_from(["leave", "leave", "drop", "edit"]))
        if what != "drop":
            found.append(replace(one, tool=tool) if what == "edit" else one)
    found += [Step(action=next(words)) for _ in range(draw(st.integers(0, 3)) // 3)]
    return found


def _sides(*versions: Edited) -> list[Side]:
    return [
        {
            "e": Experience(
                id="e", kind="process", name="n", logic=Logic(path=tuple(one))
            )
        }
        for one in versions
    ]


def _actions(steps: Iterable[Step]) -> list[str]:
    return [one.action for one in steps]


@settings(max_examples=500, deadline=None)
@given(step_edits())
def test_merged_steps_have_what_was_added_and_not_what_was_removed_in_both_orders(
    versions: tuple[Edited, Edited, Edited],
) -> None:
    base, ours, theirs = versions
    found = merge(*_sides(base, ours, theirs))
    if found.conflicts:
        return
    merged = _actions(found.experiences["e"].logic.path)
    removed = {*_actions(base)} - ({*_actions(ours)} & {*_actions(theirs)})

    assert {*merged} == {*_actions(ours), *_actions(theirs)} - removed
    for side in (ours, theirs):
        kept = [one for one in _actions(side) if one not in removed]
        assert [one for one in merged if one in kept] == kept


@settings(max_examples=500, deadline=None)
@given(step_edits())
def test_merged_steps_are_the_same_from_both_sides_and_merging_again_adds_nothing(
    versions: tuple[Edited, Edited, Edited],
) -> None:
    base, ours, theirs = _sides(*versions)
    found, other = merge(base, ours, theirs), merge(base, theirs, ours)
    again = merge(theirs, found.experiences, theirs)

    assert [one.path for one in found.conflicts] == [
        one.path for one in other.conflicts
    ]
    if not found.conflicts:
        assert found.experiences == other.experiences
    assert again.experiences == found.experiences
    assert again.conflicts == ()


@settings(max_examples=500, deadline=None)
@given(step_edits())
def test_a_conflict_of_steps_offers_what_either_side_makes_of_the_whole(
    versions: tuple[Edited, Edited, Edited],
) -> None:
    base, ours, theirs = _sides(*versions)
    for one in merge(base, ours, theirs).conflicts:
        swapped = merge(base, theirs, ours).experiences["e"].logic.path
        if one.path == "logic.path":
            assert one.theirs == [step.to_dict() for step in swapped]


@settings(max_examples=100, deadline=None)
@given(descendants())
def test_a_comparison_accounts_for_every_difference(
    sides: tuple[Side, Side, Side],
) -> None:
    base, ours, _ = sides
    found = {one.id for one in compare(base, ours)}
    expected = {one for one in {*base, *ours} if base.get(one) != ours.get(one)}

    assert found == expected
    assert (advise(compare(base, ours)).level == "none") == (not expected)
