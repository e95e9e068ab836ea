from __future__ import annotations

from pathlib import Path

import pytest

from experience_pack.text.quantities import (
    chinese_number,
    dates,
    identifiers,
    numbers,
)

FACTS = Path(__file__).parents[1] / "fixtures" / "quantities" / "facts.tsv"


def rows() -> list[tuple[str, ...]]:
    lines = FACTS.read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "names", "days", "amounts"), rows())
def test_a_text_yields_its_facts_in_one_form(
    text: str, names: str, days: str, amounts: str
) -> None:
    found, rest = identifiers(text)
    dated, rest = dates(rest.lower())
    counted, _ = numbers(rest)

    assert " ".join(sorted(found)) == names
    assert " ".join(sorted(dated)) == days
    assert " ".join(sorted(f"{n}:{u}" for n, u in counted.items())) == amounts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三十", 30),
        ("十二", 12),
        ("一百二十", 120),
        ("三千零五", 3005),
        ("两万", 20_000),
        ("一亿零三百", 100_000_300),
        ("二〇二六", 2026),
        ("17", 17),
    ],
)
def test_chinese_numerals_are_read(text: str, value: int) -> None:
    assert chinese_number(text) == value
