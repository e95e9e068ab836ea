from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.workspace import Workspace
from experience_pack.learning.served import is_served
from experience_pack.store import Store, served
from tests.mcp_host import call, fill
from tests.runtime_host import Clock, host, mature

FIXTURES = Path(__file__).parents[1] / "fixtures/served"
ROWS: list[dict[str, Any]] = json.loads(
    (FIXTURES / "quotations.json").read_text("utf-8")
)


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_a_quotation_is_told_from_own_words(row: dict[str, Any]) -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        served.note(tx, row["served"])

    assert is_served(store, row["text"]) is row["ours"]


def test_what_was_written_before_it_was_served_is_its_own() -> None:
    clock = Clock()
    store = Store.in_memory(clock=clock)
    with store.transaction() as tx:
        served.note(tx, ROWS[0]["served"])

    assert not is_served(store, ROWS[0]["text"], "2020-01-01T00:00:00Z")


def test_no_more_fingerprints_are_kept_than_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(served, "MOST", 40)
    store = Store.in_memory()
    for number in range(30):
        with store.transaction() as tx:
            served.note(tx, f"text {number}: {ROWS[0]['served']} number {number}")
    (kept,) = store.row("SELECT count(*) FROM served") or (0,)

    assert kept == 40
    assert is_served(store, "report to finance number 29")


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("close the books", "Export the ledger, then reconcile the bank account."),
        ("月末结账", "先导出总账，再核对银行流水，最后把报表发给财务部。"),
    ],
)
def test_an_answer_that_comes_back_as_an_episode_is_no_evidence(
    name: str, reply: str
) -> None:
    with host() as rt:
        rt.save_episode("close", reply, user_validated=True)
        mature(rt, name, exec={"template": {"reply": reply}})
        assert rt.request(name)["output"] == reply
        for _ in range(3):
            rt.save_episode("close", reply, user_validated=True)

        assert rt.suggest_compilations() == []
        marks = [row[0].count('"served":true') for row in rt.store.rows(_SAVED_TEXTS)]
        assert marks == [0, 1, 1, 1]


_SAVED_TEXTS = "SELECT data FROM episodes ORDER BY seq"


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("archive the mail", "move what is older than a year into the archive folder"),
        ("归档邮件", "把一年以前的邮件移动到归档文件夹，然后更新索引"),
    ],
)
def test_an_injected_method_that_comes_back_is_no_evidence(
    name: str, step: str
) -> None:
    with host() as rt:
        rt.create_experience(
            {"name": name, "kind": "process", "logic": {"path": [{"action": step}]}}
        )
        assert step in rt.request(name)["prefill"]
        for _ in range(3):
            rt.save_episode("mail", f"1. {step}", user_validated=True)

        assert rt.suggest_compilations() == []


def test_own_work_after_an_injected_method_is_evidence() -> None:
    with host() as rt:
        rt.create_experience({"name": "archive the mail", "kind": "process"})
        rt.request("archive the mail")
        for number in range(3):
            text = f"moved all letters of spring to the shelf, box {number}"
            rt.save_episode("mail", text, user_validated=True)

        assert len(rt.suggest_compilations()) == 1


def test_what_a_model_reads_over_mcp_is_no_evidence(tmp_path: Path) -> None:
    project = tmp_path / "project"
    fill(project)
    text = "Copy every file of the week to the blue disk."
    with Workspace(project).runtime() as core:
        made = core.create_experience(
            {"name": "x", "kind": "process", "logic": {"path": [{"action": text}]}}
        )
        assert not is_served(core.store, text)
    call(project, "experience_get", {"exp_id": made})

    with Workspace(project).runtime() as core:
        assert is_served(core.store, text)
