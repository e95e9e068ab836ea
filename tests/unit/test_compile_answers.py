"""What models may answer, and what becomes of it; the rows are a fixture file."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from tests.runtime_host import host

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/compile/answers.json").read_text("utf-8")
)
SOURCE = {"total": 5000}


def answer_of(row: dict[str, Any]) -> Any:
    answer = row["answer"]
    if not isinstance(answer, str):
        return answer
    nested = '{"name": ' + "[" * 100_000 + "]" * 100_000 + "}"
    return answer.replace("$LONG", "x" * 1_000_000).replace("$NESTED", nested)


def compiled(rt: ExperienceRuntime, **options: Any) -> dict[str, Any]:
    found = rt.compile_experience(SOURCE, "report", dry_run=True, **options)
    assert isinstance(found, dict)
    return {**found, "id": ""}


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_an_answer_improves_or_the_rules_result_stands(row: dict[str, Any]) -> None:
    with host() as rt:
        plain = compiled(rt)
        found = compiled(rt, llm=lambda _, __: answer_of(row))

    assert found == ({**plain, "name": row["name"]} if row["name"] else plain)


@pytest.mark.parametrize("error", [TimeoutError, OSError, ValueError, RecursionError])
def test_a_model_that_fails_leaves_the_rules_result(error: type[Exception]) -> None:
    def failing(_: str, __: str) -> str:
        raise error

    with host() as rt:
        assert compiled(rt, llm=failing) == compiled(rt)


def test_a_slow_answer_is_waited_for() -> None:
    def slow(_: str, __: str) -> str:
        time.sleep(0.05)
        return '{"name": "late"}'

    with host() as rt:
        assert compiled(rt, llm=slow)["name"] == "late"


def test_an_address_of_the_source_may_be_named() -> None:
    told = '{"description": "See https://docs.corp-site.io/a for more."}'
    with host() as rt:
        found = rt.compile_experience(
            "Read https://docs.corp-site.io/a first.",
            dry_run=True,
            llm=lambda _, __: told,
        )

    assert isinstance(found, dict)
    assert found["description"].startswith("See")


def test_nothing_is_sent_where_there_is_no_model() -> None:
    with host() as rt:
        rt.compile_experience(SOURCE)

        assert rt.stats()["llm_compile_count"] == 0
        assert rt.stats()["compile_count"] == 1
