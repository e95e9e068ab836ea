"""The guards' pairs once more, asked of a whole runtime whose exemplar is mature."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.runtime_host import host, mature

FIXTURES = Path(__file__).parents[1] / "fixtures" / "guards"
LEAST_ROWS = 400
LEAST_EXECUTING = 0.9

ROWS = [
    line.split("\t")
    for path in sorted(FIXTURES.glob("*.tsv"))
    for line in path.read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def executes(exemplar: str, request: str) -> bool:
    with host() as rt:
        mature(rt, exemplar)
        return bool(rt.request(request)["decision"] == "execute")


def test_no_dangerous_request_executes_and_its_twins_do() -> None:
    wrong = []
    right: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for _, language, exemplar, request, twin in ROWS:
        rows[language] += 1
        right[language] += executes(exemplar, twin)
        if executes(exemplar, request):
            wrong.append((exemplar, request))
    print(len(wrong), "wrong;", dict(right), "of", dict(rows))  # noqa: T201 - to be seen

    assert len(ROWS) >= LEAST_ROWS
    assert wrong == []
    for language, number in rows.items():
        assert right[language] >= LEAST_EXECUTING * number


def test_among_all_exemplars_the_right_one_executes() -> None:
    with host() as rt:
        for exemplar in dict.fromkeys(row[2] for row in ROWS):
            mature(rt, exemplar)
        wrong = []
        right = 0
        for _, _, exemplar, request, twin in ROWS:
            result = rt.request(request)
            acted = result["decision"] == "execute"
            if acted and result["sources"][0]["name"] == exemplar:
                wrong.append((exemplar, request))
            right += rt.request(twin)["decision"] == "execute"

    assert wrong == []
    assert right >= LEAST_EXECUTING * len(ROWS)
