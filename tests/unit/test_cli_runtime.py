from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.shell import Shell


@pytest.fixture
def xp(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """A shell in a project with a process and a result."""
    monkeypatch.chdir(tmp_path)
    shell = Shell(capsys)
    shell("init")
    shell("add", "--name", "整理文档", "--step", "先分类", "--tag", "文档")
    card = {
        "name": "say hello",
        "kind": "result",
        "origin": {"type": "user_confirmed"},
        "exec": {"template": {"reply": "hello {who}"}},
        "requires": ["who"],
    }
    Path("hello.json").write_text(json.dumps(card), "utf-8")
    shell("add", "hello.json")
    return shell


def test_a_request_prints_what_goes_to_the_model(xp: Shell) -> None:
    out = xp("request", "整理文档")

    assert out.startswith("assist")
    assert "1. 先分类" in out
    assert "experience-pack why dec_" in xp.err


def test_a_request_that_executes_prints_the_answer(xp: Shell) -> None:
    xp("config", "set", "review.non_interactive", "true")
    xp("authorize", "say hello", "--note", "tried it")
    result = xp.json("request", "say hello", "--context", "who=艾达")

    assert (result["decision"], result["output"]) == ("execute", "hello 艾达")
    assert "hello 3" in xp("request", "say hello", "--context", "who=3")


def test_an_approval_wants_a_person(xp: Shell) -> None:
    xp("authorize", "say hello", code=4)

    assert "a person at a terminal" in xp.err
    assert xp.json("request", "say hello", "--context", "who=x")["decision"] == "assist"


def test_a_decision_is_explained_and_fed_back(xp: Shell) -> None:
    decision = xp.json("request", "整理文档")["decision_id"]

    assert "went into the model's input" in xp("why", decision)
    assert "整理文档: learning" in xp("feedback", decision, "--good")
    assert xp.json("audit", "show", decision)["feedback_rating"] == 1
    assert "used      整理文档 (match)" in xp("audit", "show", decision)
    xp("feedback", decision, code=2)
    xp("why", "dec_none", code=10)


def test_feedback_on_a_delegated_request_is_noted(xp: Shell) -> None:
    decision = xp.json("request", "xyzzy")["decision_id"]

    assert "no experience had been used" in xp("feedback", decision, "--bad")


def test_a_score_is_shown_by_its_terms(xp: Shell) -> None:
    out = xp("why-score", "整理文档")

    assert out.startswith("整理文档: raw, 0.30")
    assert "PA: how often it worked" in out
    assert xp.json("why-score", "say hello")["score"] == pytest.approx(0.30)


def test_what_is_related_is_listed_with_its_reason(xp: Shell) -> None:
    xp("add", "--name", "归档文档", "--tag", "文档")

    assert [one["name"] for one in xp.json("related", "整理文档")] == ["归档文档"]
    assert "words" in xp("related", "文档")
    xp("related", "xyzzy")
    assert "Nothing is related" in xp.err


def test_decisions_are_listed_filtered_and_cleaned(xp: Shell) -> None:
    xp("audit", "list")
    assert "Nothing was asked yet" in xp.err
    decision = xp.json("request", "整理文档")["decision_id"]
    xp("request", "xyzzy")

    assert decision in xp("audit", "list")
    assert len(xp.json("audit", "list")) == 2
    assert len(xp.json("audit", "list", "--decision", "delegate")) == 1
    assert len(xp.json("audit", "list", "--experience", "整理文档")) == 1
    assert "removed 0 decisions" in xp("audit", "cleanup", "--days", "1")


def test_numbers_and_a_tick_are_printed(xp: Shell) -> None:
    xp("request", "整理文档")

    assert "experiences" in xp("stats")
    assert xp.json("stats")["decisions"] == {"assist": 1}
    assert "faded" in xp("tick")


def test_goals_are_set_changed_and_deleted(xp: Shell) -> None:
    goal = xp.json("goal", "add", "发布 1.0", "--keyword", "发布")["id"]
    xp("goal", "update", goal, "--progress", "文档未完")

    assert "发布 1.0" in xp("goal", "list")
    assert "文档未完" in xp("goal", "state")
    assert "done" in xp("goal", "update", goal, "--status", "done")
    xp("goal", "delete", goal)
    assert xp.json("goal", "list") == []
    xp("goal", "delete", goal, code=10)


def test_episodes_are_kept_listed_and_shown(xp: Shell) -> None:
    added = xp.json("episode", "add", "report", "本月支出 5000 元", "--validated")

    assert "本月支出" in xp("episode", "list")
    assert xp("episode", "show", added["id"]).strip() == "本月支出 5000 元"
    assert xp.json("episode", "show", added["id"])["user_validated"] is True
    xp("episode", "show", "epi_none", code=10)


def test_a_context_that_is_no_pair_is_refused(xp: Shell) -> None:
    xp("request", "x", "--context", "novalue", code=2)

    assert "KEY=VALUE" in xp.err
