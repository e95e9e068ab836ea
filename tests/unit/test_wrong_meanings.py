"""The guards' pairs asked of a runtime that compares meanings and is sure of them."""

from __future__ import annotations

from collections import Counter

from experience_pack.runtime.semantic import refresh
from experience_pack.text.tokens import is_ideographic
from tests.runtime_host import mature
from tests.semantic import embedder
from tests.unit.test_semantic import meaningful
from tests.unit.test_wrong_executions import LEAST_EXECUTING, ROWS

POLITE = ("please {}", "could you {}", "{} now please")
POLITE_CHINESE = ("请{}", "麻烦{}", "帮我{}")

EVERY = 4
"""Of the pairs, so that the whole takes seconds; all of them are in the words' test."""


def test_no_dangerous_request_executes_by_meaning_and_its_twins_do() -> None:
    rows = ROWS[::EVERY]
    wrong = []
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    with meaningful() as runtime:
        for exemplar in dict.fromkeys(row[2] for row in rows):
            forms = POLITE_CHINESE if is_ideographic(exemplar[0]) else POLITE
            mature(runtime, exemplar, exemplars=[one.format(exemplar) for one in forms])
        refresh(runtime.store, embedder())
        for _, language, exemplar, request, twin in rows:
            result = runtime.request(request)
            ran = [one["name"] for one in result["sources"]]
            if result["decision"] == "execute" and ran == [exemplar]:
                wrong.append((exemplar, request))
            asked[language] += 1
            right[language] += runtime.request(twin)["decision"] == "execute"

    assert wrong == []
    for language, number in asked.items():
        assert right[language] >= LEAST_EXECUTING * number
