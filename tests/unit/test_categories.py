from __future__ import annotations

import pytest

from experience_pack.model.categories import CATEGORIES, FAMILY_HINTS, category_of


def test_the_documents_six_categories_are_built_in() -> None:
    assert list(CATEGORIES) == [
        "document_processing",
        "financial_analysis",
        "planning",
        "development",
        "quantitative",
        "general",
    ]


def test_every_category_but_general_has_hints_in_both_languages() -> None:
    assert set(FAMILY_HINTS) == set(CATEGORIES) - {"general"}
    assert all(english and chinese for english, chinese in FAMILY_HINTS.values())


def test_no_built_in_safety_factor_is_skipped_by_the_gate() -> None:
    assert all(category.safety_factor > 0.3 for category in CATEGORIES.values())


@pytest.mark.parametrize(
    ("category", "family", "expected"),
    [
        ("planning", "finance_review", "planning"),
        ("my_own_area", "", "my_own_area"),
        ("", "finance_review", "financial_analysis"),
        ("", "Finance Review", "financial_analysis"),
        ("", "monthly_review", "financial_analysis"),
        ("", "pdf-summaries", "document_processing"),
        ("", "travel_planning", "planning"),
        ("", "code_plan", "development"),
        ("", "backtest/alpha", "quantitative"),
        ("", "财务复盘", "financial_analysis"),
        ("", "整理文档", "document_processing"),
        ("", "每周计划", "planning"),
        ("", "代码部署", "development"),
        ("", "因子回测", "quantitative"),
        ("", "profile", "general"),
        ("", "latest_news", "general"),
        ("", "问候", "general"),
        ("", "", "general"),
    ],
)
def test_a_category_is_stated_or_follows_from_the_family(
    category: str, family: str, expected: str
) -> None:
    assert category_of(category, family) == expected
