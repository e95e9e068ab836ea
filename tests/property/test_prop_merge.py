from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.model import Experience, Match, Step
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
        mine, yours = one.experiences[identity], other.experiences[identity]
        assert sorted(mine.exemplars) == sorted(yours.exemplars)
        assert replace(mine, exemplars=()) == replace(yours, exemplars=())


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
