from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from experience_pack.model import Experience, Standing
from experience_pack.runtime import gate
from experience_pack.runtime.branches import arranged
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trust import Judge, Trust
from experience_pack.runtime.types import Candidate
from experience_pack.runtime.why import REMEDIES
from tests.runtime_cases import NOW, ROWS, candidate, case_of


def outcome(row: dict[str, Any]) -> tuple[str, str]:
    verdict = gate.judge(case_of(row))
    factor = verdict.findings[0].factor if verdict.findings else ""
    return verdict.use, factor


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_the_gate_allows_what_the_row_says(row: dict[str, Any]) -> None:
    assert outcome(row) == (row["use"], row["factor"])


TABLES = [
    (table, at)
    for table in ("ADMISSION", "EXECUTION", "TIERS", "SAFETY")
    for at in range(len(getattr(gate, table)))
]


@pytest.mark.parametrize(("table", "at"), TABLES)
def test_without_this_row_of_the_tables_a_case_would_go_wrong(
    table: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = getattr(gate, table)
    kept = (*rows[:at], *rows[at + 1 :])
    if table == "EXECUTION" and at == len(rows) - 1:
        # the last one is asked apart; something that is silent takes its place
        kept = (*kept, gate.Rule("silent", lambda _: ""))
    monkeypatch.setattr(gate, table, kept)

    assert any(outcome(row) != (row["use"], row["factor"]) for row in ROWS)


def test_every_rule_has_a_case_and_a_remedy() -> None:
    names = {rule.name for rule in (*gate.ADMISSION, *gate.EXECUTION)}
    factors = {row["factor"] for row in ROWS}

    assert names <= factors
    assert names <= REMEDIES.keys()


def test_a_safety_rejection_keeps_its_factors() -> None:
    (row,) = [one for one in ROWS if one["case"].startswith("an unsafe category")]
    (finding,) = gate.judge(case_of(row)).findings

    assert finding.safety_factors == {"category": 0.3, "streak": 1.0, "voices": 1.0}


def test_the_guards_are_not_loaded_for_the_very_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "experience_pack.text.guards", None)

    assert outcome(ROWS[0]) == ("execute", "")


def weighed(
    identity: str, similarity: float, family: str = "", parent: str = "", **counts: Any
) -> tuple[Candidate, Trust]:
    one = Experience(
        id=identity, kind="process", name=identity, family=family, parent_id=parent
    )
    found = candidate(one, Standing(**counts), similarity)
    judge = Judge(now=NOW, weights=policy_of().weights, registered={}, imported=set())
    return found, judge.trust(found.id, one.content(), found.digest, found.standing)


def order(found: Iterable[tuple[Candidate, Trust]]) -> str:
    return " ".join(candidate.id for candidate, _ in found)


def test_confidence_never_orders_candidates() -> None:
    weak = weighed("near", 0.6)
    strong = weighed("trusted", 0.5, success_count=60, frequency=10, positive_fb=9)

    assert order(arranged([strong, weak])) == "near trusted"


def test_the_better_of_two_near_branches_leads() -> None:
    plain = weighed("plain", 0.6, "reviews")
    praised = weighed("praised", 0.55, "reviews", positive_fb=3)

    assert order(arranged([plain, praised])) == "praised plain"


def test_a_branch_that_is_not_near_stays_behind() -> None:
    plain = weighed("plain", 0.6, "reviews")
    praised = weighed("praised", 0.5499, "reviews", positive_fb=3)

    assert order(arranged([plain, praised])) == "plain praised"


def test_the_more_special_of_two_equal_branches_leads() -> None:
    parent = weighed("parent", 0.6, "复盘")
    child = weighed("child", 0.6, "复盘", parent="parent")

    assert order(arranged([parent, child])) == "child parent"


def test_a_family_keeps_its_places_among_the_others() -> None:
    first = weighed("first", 0.6, "reviews")
    other = weighed("other", 0.58)
    praised = weighed("praised", 0.57, "reviews", positive_fb=3)

    assert order(arranged([first, other, praised])) == "praised other first"
