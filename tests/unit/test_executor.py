from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from experience_pack.runtime.encoder import encode
from experience_pack.runtime.executor import Provider, Ran, run, values_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "runtime" / "runs.json"
ROWS = json.loads(FIXTURE.read_text("utf-8"))["rows"]


def providers_of(row: Mapping[str, Any]) -> dict[str, Provider]:
    def failing(message: str) -> Provider:
        def call(_: Mapping[str, Any], __: Mapping[str, Any]) -> Any:
            raise RuntimeError(message)

        return call

    def giving(value: Any) -> Provider:
        return lambda _, __: value

    found = {name: giving(value) for name, value in row.get("providers", {}).items()}
    raising = row.get("raises", {})
    return found | {name: failing(message) for name, message in raising.items()}


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_a_run_ends_as_the_row_says(row: dict[str, Any]) -> None:
    ran = run(row["exec"], row.get("values", {}), providers_of(row))

    assert ran.output == row.get("output")
    assert ran.warnings == tuple(row.get("warnings", ()))
    assert row.get("failure", "") in ran.failure
    assert row.get("exception", "") in ran.exception
    assert bool(ran.failure) == ("failure" in row)
    assert bool(ran.exception) == ("exception" in row)


def test_a_provider_gets_its_parameters_and_what_is_known_so_far() -> None:
    seen: list[Any] = []

    def first(params: Mapping[str, Any], state: Mapping[str, Any]) -> Any:
        seen.append((params, state["month"]))
        return {"expense": 3}

    def second(_: Mapping[str, Any], state: Mapping[str, Any]) -> Any:
        seen.append((state["load"], state["expense"]))
        return {}

    execution = {
        "workflow": [
            {"name": "load", "provider": "first", "params": {"year": 2026}},
            {"name": "check", "provider": "second"},
        ]
    }
    run(execution, {"month": "五月"}, {"first": first, "second": second})

    assert seen == [({"year": 2026}, "五月"), ({"expense": 3}, 3)]


def test_a_step_that_fails_stops_the_ones_behind_it() -> None:
    called: list[str] = []

    def fails(_: Mapping[str, Any], __: Mapping[str, Any]) -> Any:
        raise KeyError("month")

    def works(_: Mapping[str, Any], __: Mapping[str, Any]) -> Any:
        called.append("works")
        return {}

    execution = {
        "workflow": [
            {"name": "a", "provider": "fails"},
            {"name": "b", "provider": "works"},
        ]
    }

    assert not run(execution, {}, {"fails": fails, "works": works}).answered
    assert called == []


def test_an_interruption_is_not_swallowed() -> None:
    def stops(_: Mapping[str, Any], __: Mapping[str, Any]) -> Any:
        raise KeyboardInterrupt

    execution = {"workflow": [{"name": "a", "provider": "stops"}]}

    with pytest.raises(KeyboardInterrupt):
        run(execution, {}, {"stops": stops})


def test_rules_see_the_request_and_its_context() -> None:
    state = encode("报销 3 笔，共 1,200.50 元", {"event": "报销", "城市": "北京"})
    found = values_of(state)

    assert found["numbers"] == [3.0, 1200.5]
    assert (found["text"], found["event"]) == (state.text, "报销")
    assert found["城市"] == "北京"


def test_code_of_an_experience_is_never_run() -> None:
    execution = {"code": "raise SystemExit", "template": {"reply": "ok"}}

    assert run(execution, {}, {}) == Ran(output="ok")
