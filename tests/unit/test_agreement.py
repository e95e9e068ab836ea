from __future__ import annotations

import pytest

from experience_pack.text.agreement import agreement
from experience_pack.text.guards import LONGEST


@pytest.mark.parametrize(
    ("request_text", "exemplar", "expected"),
    [
        ("print two copies", "print 2 copies", 1.0),
        ("请显示前十名", "显示前10名", 1.0),
        ("发货40千克", "发货40公斤", 1.0),
        ("hi, could you scan the passport", "scan the passport", 1.0),
        ("purchase shares of the fund", "buy shares of the fund", 2 / 3),
        ("order paper", "整理文档", 0.0),
        ("", "整理文档", 0.0),
        ("", "", 0.0),
    ],
)
def test_texts_agree_in_their_normal_form(
    request_text: str, exemplar: str, expected: float
) -> None:
    assert agreement(request_text, [exemplar]) == pytest.approx(expected)


def test_the_nearest_exemplar_counts() -> None:
    assert agreement("整理文档", ["order paper", "整理文档"]) == 1.0
    assert agreement("整理文档", []) == 0.0


def test_a_document_agrees_with_nothing() -> None:
    assert agreement("整" * (LONGEST + 1), ["整理"]) == 0.0
    assert agreement("整理", ["整理" * LONGEST]) == 0.0
