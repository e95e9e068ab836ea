from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience_pack.formats import alignment
from experience_pack.formats.alignment import aligned, parts
from experience_pack.formats.diff import diff
from experience_pack.site.changes import pieces

SEQUENCES = st.lists(st.sampled_from("abcde一二"), max_size=12)


@given(SEQUENCES, SEQUENCES, st.booleans())
def test_an_alignment_pairs_equal_items_in_rising_order(
    before: list[str], after: list[str], long: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if long:
            patch.setattr(alignment, "_MOST_COMPARED", 0)
        found = aligned(before, after)
    places = [*found.values()]

    assert all(before[old] == after[new] for old, new in found.items())
    assert [*found] == sorted(found)
    assert places == sorted(set(places))


@given(SEQUENCES, SEQUENCES)
def test_parts_are_both_sequences_without_a_gap(
    before: list[str], after: list[str]
) -> None:
    found = [*parts(before, after)]

    assert [at for part in found for at in part.before] == [*range(len(before))]
    assert [at for part in found for at in part.after] == [*range(len(after))]
    for same, old, new in found:
        assert not same or [before[at] for at in old] == [after[at] for at in new]
    assert all(one.same != two.same for one, two in pairwise(found))


def test_a_long_text_of_few_words_is_aligned_by_the_rare_ones() -> None:
    words = [f"only {at}" for at in range(900)]
    before = [*("a", "b") * 1_000, *words]
    after = ["x", *("b", "a", "c") * 700, *words[:-1], "y"]

    found = aligned(before, after)

    assert [found[2_000 + at] for at in range(899)] == [*range(2_101, 3_000)]


def test_small_stretches_between_rare_words_are_aligned_too() -> None:
    before = [word for at in range(900) for word in (f"{at}", "的", "x")]
    after = [word for at in range(900) for word in (f"{at}", "y", "的", "z")]

    found = aligned(before, after)

    assert len(found) == 1_800


class Counted(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


LONG = 20_000
HOSTILE = {
    "few words, moved": (["a", "b"] * (LONG // 2), ["x", *["b", "a", "c"] * 6_700]),
    "one word against another": (["一"] * LONG, ["二"] * LONG),
    "one word, ends apart": (["x", *["一"] * LONG, "y"], ["z", *["一"] * LONG, "w"]),
    "all rare, backwards": (
        [f"{at}" for at in range(LONG)],
        [f"{at}" for at in reversed(range(LONG))],
    ),
    "rare ones far apart": (
        [f"{at}" if at % 20 == 0 else "一" for at in range(LONG)],
        [f"{at}" if at % 20 == 0 else "一二"[at % 2] for at in range(LONG)],
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lists_take_few_comparisons(name: str) -> None:
    before, after = ([Counted(item) for item in side] for side in HOSTILE[name])
    Counted.compared = 0

    aligned(before, after)

    assert Counted.compared < 30 * LONG


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lists_and_texts_have_a_diff(name: str) -> None:
    before, after = HOSTILE[name]

    found = diff({"steps": before}, {"steps": after})
    marked = [*pieces(" ".join(before), " ".join(after))]

    assert found
    assert "".join(one.text for one in marked if one.op != "new") == " ".join(before)
    assert "".join(one.text for one in marked if one.op != "gone") == " ".join(after)
