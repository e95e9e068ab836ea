from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from experience_pack.text.templates import (
    MAX_RESULT,
    TemplateError,
    fill_template,
    placeholders,
)

FIXTURES = Path(__file__).parents[1] / "fixtures" / "templates"
VALUES: dict[str, Any] = {
    "expense": 5000,
    "essential": 3000.5,
    "share": 0.256,
    "day": "2026-08-10",
    "moment": "2026-08-10T09:05:00",
    "名称": "月报",
    "trap": "{expense}",
    "yes": True,
    "tags": ["a"],
    "huge": 10**400,
}


def rows(name: str) -> list[tuple[str, ...]]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("template", "text"), rows("filled.tsv"))
def test_a_template_is_filled(template: str, text: str) -> None:
    assert fill_template(template, VALUES) == text


@pytest.mark.parametrize(("template", "word"), rows("refused.tsv"))
def test_a_template_that_cannot_be_filled_says_why(template: str, word: str) -> None:
    with pytest.raises(TemplateError) as caught:
        fill_template(template, VALUES)

    assert word in str(caught.value)
    assert caught.value.exit_code == 4


def test_all_missing_values_are_named_at_once() -> None:
    with pytest.raises(TemplateError) as caught:
        fill_template("{甲} {expense} {b} {甲} {c}", {**VALUES, "c": None})

    assert caught.value.missing == ("甲", "b", "c")


def test_dates_and_decimals_are_values_too() -> None:
    moment = datetime(2026, 8, 10, 7, tzinfo=UTC)
    values = {"d": date(2026, 8, 10), "t": moment, "m": Decimal("1.5")}

    assert fill_template("{d:%d.%m.%Y} {t:%H} {m:.2f}", values) == "10.08.2026 07 1.50"


def test_a_result_without_end_is_refused() -> None:
    with pytest.raises(TemplateError, match="longer"):
        fill_template("{x}{x}", {"x": "a" * MAX_RESULT})


def test_placeholders_are_named_in_order() -> None:
    assert placeholders("{b:.2f} {{x}} {a} {b}") == ("b", "a")
