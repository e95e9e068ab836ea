from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.workspace import Workspace
from experience_pack.cli.run import run
from experience_pack.errors import NotFoundError
from experience_pack.hosts.mcp.tool import UnattendedRuntime
from experience_pack.learning import additions
from experience_pack.store import proposals
from tests.runtime_host import Clock


@pytest.fixture
def rt() -> Iterator[UnattendedRuntime]:
    with UnattendedRuntime(":memory:", clock=Clock(), chance=lambda: 1.0) as core:
        save(core, signature="写摘要")
        yield core


def save(rt: UnattendedRuntime, **meta: Any) -> None:
    for _ in range(3):
        rt.save_episode("summary", "先读\n再写", user_validated=True, meta=meta)


def test_an_unattended_call_proposes_and_makes_nothing(rt: UnattendedRuntime) -> None:
    (identity,) = rt.auto_compile()
    (waiting,) = proposals.pending(rt.store)

    assert waiting.id == identity
    assert (waiting.action, waiting.content["name"]) == ("add", "写摘要")
    assert rt.list_experiences() == []
    assert rt.request("写摘要")["decision"] == "delegate"
    assert rt.auto_compile() == []


def test_an_accepted_proposal_becomes_an_approved_experience(
    rt: UnattendedRuntime,
) -> None:
    rt.auto_compile()
    with rt.store.transaction() as tx:
        one = additions.accept(rt.store, tx, additions.find(tx, "写摘要"))

    assert rt.request("写摘要")["sources"][0]["id"] == one.id
    assert rt.why_score(one.id)["score"] == pytest.approx(0.25)
    assert rt.suggest_compilations() == []


def test_what_was_turned_down_is_not_suggested_again(rt: UnattendedRuntime) -> None:
    rt.auto_compile()
    with rt.store.transaction() as tx:
        additions.reject(tx, additions.find(tx, "写摘要"))
    save(rt, signature="写摘要")

    assert rt.suggest_compilations() == []
    assert rt.auto_compile() == []
    with pytest.raises(NotFoundError):
        additions.find(rt.store, "写摘要")


def test_what_a_person_makes_meanwhile_waits_no_more(rt: UnattendedRuntime) -> None:
    rt.auto_compile()
    rt.answers = True
    rt.auto_compile()

    assert [*proposals.pending(rt.store)] == []
    assert len(rt.list_experiences()) == 1


def test_no_more_is_proposed_than_the_limit(rt: UnattendedRuntime) -> None:
    for number in range(7):
        save(rt, signature=f"task {number}")

    assert len(rt.auto_compile(limit=2)) == 2
    assert len(rt.auto_compile()) == 5
    assert len(rt.auto_compile()) == 1


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a workspace in which a model proposed two experiences."""
    Workspace(tmp_path).init()
    with UnattendedRuntime(tmp_path / ".experience/exp.db") as core:
        save(core, signature="写摘要")
        save(core, signature="monthly close")
        core.auto_compile()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXPERIENCE_PACK_REVIEW_NON_INTERACTIVE", "true")
    return tmp_path


def test_a_person_sees_and_settles_what_is_proposed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["review", "list"]) == 0
    assert run(["review", "show", "写摘要"]) == 0
    shown = capsys.readouterr().out
    assert run(["review", "approve", "写摘要"]) == 0
    assert run(["review", "reject", "monthly close"]) == 0
    settled = capsys.readouterr().out
    assert run(["list", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)

    assert "came up 3 times" in shown
    assert "1. 先读" in shown
    assert "approved 写摘要" in settled
    assert "rejected monthly close" in settled
    assert [one["name"] for one in made] == ["写摘要"]
    assert len([*(project / ".experience/experiences").rglob("*.md")]) == 1


def test_a_person_who_is_not_there_settles_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ = project
    monkeypatch.delenv("EXPERIENCE_PACK_REVIEW_NON_INTERACTIVE")

    assert run(["review", "approve", "写摘要"]) == 4
    assert run(["review", "reject", "写摘要"]) == 4
    assert run(["review", "merge", "写摘要"]) == 2
