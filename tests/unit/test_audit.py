from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.errors import NotFoundError
from experience_pack.runtime import audit
from tests.runtime_host import DAY, Clock, add, host, mature


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    with host() as runtime:
        yield runtime


def test_every_request_leaves_one_row_with_the_documents_keys(
    rt: ExperienceRuntime,
) -> None:
    basis = add(rt, "认识格式", "process")
    add(
        rt, "整理文档", "process", prerequisites=[basis], category="document_processing"
    )
    result = rt.request("整理文档")
    (row,) = rt.audit_logs()

    assert row["decision_id"] == result["decision_id"]
    assert (row["input"], row["input_chars"]) == ("整理文档", 4)
    assert row["prefill_chars"] == len(result["prefill"])
    assert row["class_name"] == "document_processing"
    assert (row["tier"], row["degraded"]) == ("lexical", True)
    assert [one["relation"] for one in row["sources"]] == ["match", "prerequisite"]
    assert row["chain_injected"] == [basis]
    assert row["candidates"][0]["matched_by"] == ["rule", "bm25"]
    assert row["feedback_rating"] is None


@pytest.mark.parametrize(
    ("asked", "answer", "tokens"), [("ping the box", "pong", 7), ("测一下", "好的", 6)]
)
def test_an_executed_answer_tells_about_how_many_tokens_it_saved(
    rt: ExperienceRuntime, asked: str, answer: str, tokens: int
) -> None:
    mature(rt, asked, exec={"template": {"text": answer}})
    found = rt.request(asked)

    assert found["decision"] == "execute"
    assert rt.audit_get(found["decision_id"])["tokens_saved"] == tokens
    assert rt.audit_get(rt.request("xyzzy 龘")["decision_id"])["tokens_saved"] == 0


def test_rejections_are_kept_with_factor_detail_and_safety(
    rt: ExperienceRuntime,
) -> None:
    rt.register_class("shaky", safety_factor=0.2)
    mature(rt, "backup the database", category="shaky")
    result = rt.request("backup the database")
    (rejected,) = rt.audit_get(result["decision_id"])["rejected"]

    assert result["decision"] == "delegate"
    assert rejected == result["rejected"][0]
    assert rejected["factor"] == "safety"
    assert rejected["safety_factors"] == {"category": 0.2, "streak": 1.0, "voices": 1.0}


def test_a_request_that_matches_nothing_is_audited_too(rt: ExperienceRuntime) -> None:
    result = rt.request("xyzzy 龘")

    assert result["decision"] == "delegate"
    assert (result["candidates"], result["prefill"]) == ([], "")
    assert rt.audit_get(result["decision_id"])["decision"] == "delegate"


def test_logs_come_last_first_by_experience_and_by_decision(
    rt: ExperienceRuntime,
) -> None:
    first = mature(rt, "backup the database")
    add(rt, "整理文档", "process")
    for text in ("backup the database", "整理文档", "nothing at all"):
        rt.request(text)

    assert [row["input"] for row in rt.audit_logs(limit=2)] == [
        "nothing at all",
        "整理文档",
    ]
    assert [row["input"] for row in rt.audit_logs(exp_id=first)] == [
        "backup the database"
    ]
    assert [row["input"] for row in rt.audit_logs(decision="delegate")] == [
        "nothing at all"
    ]


def test_only_the_beginning_of_a_long_request_is_kept(rt: ExperienceRuntime) -> None:
    text = "整" * (audit.INPUT_CHARS + 1)
    rt.request(text)
    (row,) = rt.audit_logs()

    assert len(row["input"]) == audit.INPUT_CHARS
    assert row["input_chars"] == len(text)


def test_cleanup_removes_what_is_older_than_the_days_given() -> None:
    clock = Clock()
    with host(clock=clock) as rt:
        rt.request("first")
        clock.now += 10 * DAY
        rt.request("second")

        assert rt.cleanup_audit() == 0
        assert rt.cleanup_audit(11) == 0
        assert rt.cleanup_audit(9) == 1
        assert [row["input"] for row in rt.audit_logs()] == ["second"]


def test_an_unknown_decision_says_so(rt: ExperienceRuntime) -> None:
    with pytest.raises(NotFoundError, match="no decision"):
        rt.audit_get("dec_x")


def test_half_a_surrogate_in_a_request_does_not_stop_the_answer(
    rt: ExperienceRuntime,
) -> None:
    mature(rt, "backup the database")
    result = rt.request("backup the database \ud800")

    assert result["decision"] in ("assist", "execute")
    assert rt.audit_logs()[0]["decision_id"] == result["decision_id"]


def test_where_nothing_may_be_written_the_answer_comes_without_an_id(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "exp.db"
    with host(path) as rt:
        mature(rt, "backup the database")
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    request.getfixturevalue("ordinary_user")
    try:
        with host(path) as rt:
            result = rt.request("backup the database")
            rt.feedback(result, user_rating=1)

        assert (result["decision"], result["decision_id"]) == ("execute", "")
    finally:
        tmp_path.chmod(0o755)


def statements_of(rt: ExperienceRuntime, act: Callable[[], object]) -> list[str]:
    found: list[str] = []
    rt.store.connection.set_trace_callback(found.append)
    act()
    rt.store.connection.set_trace_callback(None)
    return found


def test_a_request_waits_for_no_disk(tmp_path: Path) -> None:
    with host(tmp_path / "exp.db") as rt:
        mature(rt, "backup the database")
        found = statements_of(rt, lambda: rt.request("backup the database"))

    assert "PRAGMA synchronous=NORMAL" in found
    assert "PRAGMA synchronous=FULL" not in found
    assert found.count("COMMIT") == 1


def test_feedback_waits_for_the_disk_and_touches_no_index(tmp_path: Path) -> None:
    with host(tmp_path / "exp.db") as rt:
        mature(rt, "backup the database")
        result = rt.request("backup the database")
        found = statements_of(rt, lambda: rt.feedback(result, user_rating=1))

    assert "PRAGMA synchronous=FULL" in found
    assert [one for one in found if "search_" in one] == []


def test_a_match_by_meaning_of_the_wording_is_named(rt: ExperienceRuntime) -> None:
    mature(rt, "print 2 copies")
    result = rt.request("hi, could you print two copies")

    assert result["decision"] == "execute"
    assert "exemplar" in result["candidates"][0]["matched_by"]
