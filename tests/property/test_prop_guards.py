from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience_pack.text.guards import check
from experience_pack.text.quantities import chinese_number

pytestmark = pytest.mark.property

words = st.sampled_from(
    [
        "send",
        "the",
        "report",
        "to",
        "Bob",
        "5",
        "five",
        "10%",
        "不要",
        "整理",
        "文档",
        "把",
        "给",
        "三月",
        "五号",
        "/tmp/a",
        "--x",
        "if",
        "“",
        "”",
        "'",
        "百",
        "千",
        "万",
    ]
)
texts = st.text(max_size=80) | st.lists(words, max_size=12).map(" ".join)


@given(texts)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert check(text, [text]) == ()


@given(texts, texts)
def test_any_two_texts_can_be_compared(request: str, exemplar: str) -> None:
    for trip in check(request, [exemplar]):
        assert trip.guard
        assert trip.detail


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_two_amounts_agree_only_when_they_are_equal(first: int, second: int) -> None:
    trips = check(f"pay {first} euros", [f"pay {second} euros"])

    assert bool(trips) is (first != second)


@given(st.text(alphabet="零一二三四五六七八九十百千万亿", min_size=1, max_size=12))
def test_any_run_of_numerals_is_a_number(text: str) -> None:
    assert chinese_number(text) >= 0
