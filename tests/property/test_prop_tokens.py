from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience_pack.text.tokens import derive_keywords, search_terms, task_tokens

pytestmark = pytest.mark.property

texts = st.text() | st.text(alphabet="整理文档的把给我海豹aB1_-./ 🎉ＡTest")


@given(texts)
def test_terms_are_never_empty_nor_hold_blanks(text: str) -> None:
    for term in [*search_terms(text), *task_tokens(text)]:
        assert term
        assert term.split() == [term]


@given(texts, texts)
def test_a_line_break_joins_the_terms_of_both_lines(first: str, second: str) -> None:
    together = search_terms(f"{first}\n{second}")

    assert sorted(together) == sorted(search_terms(first) + search_terms(second))


@given(texts)
def test_keywords_come_from_the_task_words(text: str) -> None:
    assert set(derive_keywords(text)) <= set(task_tokens(text))
