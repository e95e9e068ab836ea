from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.formats.prepared import prepare
from experience_pack.model import Experience, Standing
from experience_pack.packs.incoming import read_incoming
from experience_pack.runtime import gate
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trials import EXPECTATIONS, retry, try_out
from experience_pack.store import Store, experiences, standings
from tests.runtime_host import add, host, mature

CASES = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "trials" / "cases.json").read_text(
        "utf-8"
    )
)["rows"]


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["case"])
def test_a_pack_is_tried_beside_what_the_receiver_has(row: dict[str, Any]) -> None:
    rt = host()
    for one in row.get("here", ()):
        more = {key: value for key, value in one.items() if key != "mature"}
        (mature if one.get("mature") else add)(rt, more.pop("name"), **more)
    before = "\n".join(rt.store.connection.iterdump())
    incoming = prepare(Experience.from_dict({"id": "exp_new", **row["pack"]}))

    trials = try_out(rt.store, policy_of(), [incoming])

    found = [[one.expected, one.request, one.outcome, one.rule] for one in trials]
    assert found == row["expected"]
    assert [one.request for one in trials if not one.passed] == row["fails"]
    assert "\n".join(rt.store.connection.iterdump()) == before


def bundle(tests: dict[str, list[str]], name: str = "备份数据库") -> dict[str, Any]:
    author = host()
    add(author, name, exec={"template": {"reply": "done"}}, tests=tests)
    return author.export_experiences()


def taken_in(tests: dict[str, list[str]]) -> tuple[Any, str]:
    rt = host()
    (identity,) = rt.import_bundle(bundle(tests))["ids"].values()
    rt.authorize_experience(identity)
    return rt, identity


@pytest.mark.parametrize(
    ("tests", "decision"),
    [
        ({"must_match": ["备份数据库"]}, "execute"),
        ({"must_not_match": ["恢复数据库"]}, "execute"),
        ({"must_match": ["留个副本"]}, "assist"),
        ({"must_match": ["hello"], "must_not_match": ["hello"]}, "assist"),
        ({}, "execute"),
    ],
)
def test_what_came_with_a_pack_executes_where_its_tests_pass(
    tests: dict[str, list[str]], decision: str
) -> None:
    rt, _ = taken_in(tests)

    assert rt.request("备份数据库")["decision"] == decision


def test_a_failing_test_is_why_it_only_assists() -> None:
    rt, identity = taken_in({"must_match": ["hello"], "must_not_match": ["hello"]})
    decision = rt.request("备份数据库")["decision_id"]
    (one,) = rt.why(decision)["candidates"]

    assert "tests" in [finding["factor"] for finding in one["findings"]]
    assert "its tests fail here: must_match “hello”" in "".join(one["reasons"])
    assert one["changes"][0]["action"] == "test"
    assert "test_failure" in rt.authorize_experience(identity)


def test_without_the_rule_of_the_gate_it_would_execute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rt, _ = taken_in({"must_match": ["hello"], "must_not_match": ["hello"]})
    kept = tuple(rule for rule in gate.EXECUTION if rule.name != "tests")
    monkeypatch.setattr(gate, "EXECUTION", kept)

    assert rt.request("备份数据库")["decision"] == "execute"


def test_an_edit_asks_for_another_run() -> None:
    rt, identity = taken_in({"must_match": ["备份数据库"]})
    rt.update_experience(identity, notes="nightly")
    (entry,) = experiences.entries(rt.store)
    standing = standings.own(rt.store, rt.store.installation, identity)
    assert standing is not None
    assert standing.tested is not None
    assert standing.tested.digest != entry.digest

    retry(rt.store, policy_of(), [identity])
    standing = standings.own(rt.store, rt.store.installation, identity)

    assert standing is not None
    assert standing.tested is not None
    assert standing.tested.digest == entry.digest


def test_results_of_tests_do_not_travel_as_a_right() -> None:
    rt, _ = taken_in({"must_match": ["备份数据库"]})
    store = Store.in_memory()
    other = host()
    other.import_bundle(rt.export_experiences(), mode="preserve")
    rows = standings.texts(other.store)
    mine = [
        text for installation, _, text in rows if installation == store.installation
    ]

    assert mine == []
    assert all(
        json.loads(text)["tested"]["digest"]
        for installation, _, text in rows
        if installation == rt.store.installation
    )


def test_tests_of_what_was_written_here_leave_no_trace() -> None:
    rt = host()
    identity = add(rt, "整理合同", "process", tests={"must_match": ["整理合同"]})
    before = standings.own(rt.store, rt.store.installation, identity)

    (trial,) = retry(rt.store, policy_of(), [identity])

    assert trial.passed
    assert standings.own(rt.store, rt.store.installation, identity) == before
    assert before == Standing.from_dict(before.to_dict()) if before else True


def test_every_list_of_tests_is_one_that_an_experience_has() -> None:
    fields = set(Experience(id="e", kind="process", name="n").tests.__slots__)

    assert set(EXPECTATIONS) == fields - {"extra"}


EXAMPLES = Path(__file__).parents[2] / "examples" / "packs"


@pytest.mark.parametrize("pack", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_our_own_packs_pass_their_tests(pack: Path) -> None:
    given = read_incoming(pack).prepared
    trials = try_out(Store.in_memory(), policy_of(), given)
    assert [one.request for one in trials if not one.passed] == []
    assert len(trials) > len(given)
