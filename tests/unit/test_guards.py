from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.text import guards
from experience_pack.text.guards import GUARDS, check

FIXTURES = Path(__file__).parents[1] / "fixtures" / "guards"
SETS = ("pairs.tsv", "heldout.tsv", "fresh.tsv", "later.tsv", "last.tsv")
LEAST_ROWS = 20
LEAST_PASSING = 0.9


class Row(NamedTuple):
    phenomenon: str
    lang: str
    exemplar: str
    request: str
    benign_twin: str

    @property
    def group(self) -> tuple[str, str]:
        return self.phenomenon, self.lang


def rows(*names: str) -> list[Row]:
    lines = [
        line
        for name in names
        for line in (FIXTURES / name).read_text("utf-8").splitlines()
    ]
    return [Row(*line.split("\t")) for line in lines if not line.startswith("#")]


ROWS = rows(*SETS)
GROUPS = sorted({row.group for row in ROWS})


def test_every_phenomenon_has_rows_in_both_languages() -> None:
    counts = Counter(row.group for row in rows("pairs.tsv"))

    assert len(counts) == 18
    assert min(counts.values()) >= LEAST_ROWS


@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_no_dangerous_request_passes_and_its_twins_do(group: tuple[str, str]) -> None:
    mine = [row for row in ROWS if row.group == group]
    wrong = [row for row in mine if not check(row.request, [row.exemplar])]
    passing = [row for row in mine if not check(row.benign_twin, [row.exemplar])]
    counts = f"{len(wrong)} wrong passes, {len(passing)} of {len(mine)} twins"
    print(group, counts)  # noqa: T201 - both counts are to be seen

    assert wrong == []
    assert len(passing) >= LEAST_PASSING * len(mine)


@pytest.mark.parametrize("name", [name for name, _ in GUARDS])
def test_without_this_guard_a_dangerous_request_would_pass(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tuple(guard for guard in GUARDS if guard[0] != name)
    monkeypatch.setattr(guards, "GUARDS", kept)

    assert any(not check(row.request, [row.exemplar]) for row in ROWS)


def test_the_confirmed_words_themselves_are_clean() -> None:
    assert [row for row in ROWS if check(row.exemplar, [row.exemplar])] == []


def test_one_agreeing_exemplar_is_enough() -> None:
    exemplars = ["开启夜间模式", "关闭夜间模式"]

    assert check("请关闭夜间模式", exemplars) == ()


def test_the_nearest_exemplar_explains_a_trip() -> None:
    trip = check("关闭夜间模式", ["在5月5日开启/srv/app的3个服务", "开启夜间模式"])[0]

    assert trip.guard == "polarity"
    assert trip.detail == "关闭 is the opposite of 开启"


def test_a_detail_names_the_words_as_they_were_written() -> None:
    trip = check("disable dark mode", ["enable dark mode"])[0]

    assert trip.detail == "disable is the opposite of enable"


def test_nothing_vouches_for_a_request_without_exemplars() -> None:
    assert check("delete all 5 files", [])


def test_typographic_marks_and_width_make_no_difference() -> None:
    assert check("ＤＯＮ’Ｔ send the newsletter", ["send the newsletter"])
    assert check("ｓｅｎｄ the newsletter", ["send the newsletter"]) == ()


def test_a_document_is_never_compared_word_by_word() -> None:
    (trip,) = check("整理 " * guards.LONGEST, ["整理文档"])

    assert trip.guard == "additions"
    assert check("整理 " * guards.LONGEST, ["整理 " * guards.LONGEST]) == ()
