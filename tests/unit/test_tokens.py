from __future__ import annotations

from pathlib import Path

import pytest

from experience_pack.text.lexicon import (
    CHINESE_FUNCTION_WORDS,
    CHINESE_KEPT,
    CHINESE_VERBS,
)
from experience_pack.text.tokens import (
    KEYWORD_LIMIT,
    derive_keywords,
    search_terms,
    task_tokens,
)

FIXTURES = Path(__file__).parents[1] / "fixtures" / "tokens"


def rows(name: str) -> list[tuple[str, ...]]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "words"), rows("task_tokens.tsv"))
def test_a_task_is_cut_into_its_verbs_and_objects(text: str, words: str) -> None:
    assert "|".join(task_tokens(text)) == words


@pytest.mark.parametrize(("text", "terms"), rows("search_terms.tsv"))
def test_search_terms_are_words_and_pairs(text: str, terms: str) -> None:
    assert " ".join(search_terms(text)) == terms


def test_two_phrases_of_one_task_share_their_words() -> None:
    shared = set(task_tokens("帮我整理海豹文件夹的文档")) & set(task_tokens("整理文档"))

    assert shared == {"整理", "文档"}


def test_keywords_are_distinct_and_few() -> None:
    text = "整理文档 整理文档 " + " ".join(f"word{number}" for number in range(30))
    found = derive_keywords(text)

    assert found[:3] == ("整理", "文档", "word0")
    assert len(found) == KEYWORD_LIMIT


def test_keywords_leave_single_characters_out() -> None:
    assert derive_keywords("发邮件给张三 a b") == ("邮件", "张三")


def test_no_kept_word_is_itself_a_word_to_cut_at() -> None:
    assert not CHINESE_KEPT & (CHINESE_VERBS | CHINESE_FUNCTION_WORDS)
