from __future__ import annotations

import pytest

from experience_pack.matching import alike
from experience_pack.matching.alike import Sides
from experience_pack.matching.packed import asked
from experience_pack.matching.views import Asked
from tests.semantic import embedder


def seen(text: str) -> Asked:
    return asked(text, embedder().vectors([text])[0])


def sides(condition: str, behaviour: str, polarity: str = "do") -> Sides:
    return Sides(seen(condition), seen(behaviour), polarity)


NUMBERS = alike.shipped(semantic=True)
HABIT = sides("when a release is tagged", "write the changelog first")


@pytest.mark.parametrize(
    ("condition", "behaviour"),
    [
        ("when tagging a release", "first write the changelog"),
        ("when I tag a release", "write the changelog before anything else"),
    ],
)
def test_the_same_in_other_words_is_more_probably_a_duplicate_than_not(
    condition: str, behaviour: str
) -> None:
    found = alike.twins(HABIT, sides(condition, behaviour), NUMBERS)

    assert found > alike.REVIEW


@pytest.mark.parametrize(
    ("condition", "behaviour"),
    [
        ("when a release is tagged", "order a pizza for the team"),
        ("每天早上", "先写更新日志"),
    ],
)
def test_one_field_that_differs_is_enough_to_be_no_duplicate(
    condition: str, behaviour: str
) -> None:
    found = alike.twins(HABIT, sides(condition, behaviour), NUMBERS)

    assert found < alike.REVIEW


def test_a_translation_is_more_probable_than_anything_else_in_that_language() -> None:
    same = alike.twins(HABIT, sides("发布打标签的时候", "先写更新日志"), NUMBERS)
    other = alike.twins(HABIT, sides("发布打标签的时候", "给团队订披萨"), NUMBERS)

    assert same > 2 * other


def test_the_opposite_sense_is_never_a_duplicate() -> None:
    opposite = sides("when a release is tagged", "write the changelog first", "avoid")

    assert alike.twins(HABIT, HABIT, NUMBERS) > alike.STRONG
    assert alike.twins(HABIT, opposite, NUMBERS) == 0
