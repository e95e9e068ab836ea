from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.errors import NotFoundError, UsageError
from experience_pack.store import standings
from tests.runtime_host import DAY, Clock, add, host, mature


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    with host() as runtime:
        yield runtime


def counters(rt: ExperienceRuntime, identity: str) -> dict[str, Any]:
    found: dict[str, Any] = rt.get_experience(identity)["confidence"]
    return found


def test_a_good_rating_is_a_success_and_a_voice(rt: ExperienceRuntime) -> None:
    identity = add(rt, "整理文档", "process")
    result = rt.request("整理文档")
    changed = rt.feedback(result, user_rating=1)

    found = counters(rt, identity)
    assert (found["success_count"], found["positive_fb"]) == (1, 1)
    assert changed["experiences"][0]["level"] == "learning"
    assert rt.audit_get(result["decision_id"])["feedback_rating"] == 1


def test_a_bad_rating_is_a_failure_and_a_voice(rt: ExperienceRuntime) -> None:
    identity = add(rt, "sort documents", "process")
    rt.feedback(rt.request("sort documents")["decision_id"], user_rating=-1)

    found = counters(rt, identity)
    assert (found["failure_count"], found["negative_fb"]) == (1, 1)
    assert found["streak"] == {"success": 0, "failure": 1}


@pytest.mark.parametrize(
    ("output", "worked"),
    [
        ("I tagged the commit, then uploaded the archive.", True),
        ("First tag the commit and upload the archive.", True),
        ("Bananas are yellow.", None),
        ("I'm unable to do that with this method.", False),
        ("I’m unable to upload the archive.", False),
        ("", None),
    ],
)
def test_an_output_shows_whether_the_method_was_followed(
    rt: ExperienceRuntime, output: str, worked: bool | None
) -> None:
    path = [{"action": "tag the commit"}, {"action": "upload the archive"}]
    add(rt, "publish a release", "process", logic={"path": path})
    found = rt.feedback(rt.request("publish a release"), llm_output=output)

    assert found["worked"] is worked


@pytest.mark.parametrize(
    ("output", "worked"),
    [
        ("先把文档按类型分类，再归档。", True),
        ("这个方法不适用。", False),
        ("今天天晴", None),
    ],
)
def test_a_chinese_output_shows_it_too(
    rt: ExperienceRuntime, output: str, worked: bool | None
) -> None:
    add(
        rt,
        "整理文档",
        "process",
        logic={"path": [{"action": "分类"}, {"action": "归档"}]},
    )
    found = rt.feedback(rt.request("整理文档"), llm_output=output)

    assert found["worked"] is worked


def test_what_executed_without_complaint_worked(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    rt.feedback(rt.request("backup the database"))

    assert counters(rt, identity)["success_count"] == 1


def test_a_use_counts_once_however_often_it_is_reported(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    result = rt.request("backup the database")
    for _ in range(3):
        rt.feedback(result, user_rating=1)

    found = counters(rt, identity)
    assert (found["success_count"], found["positive_fb"]) == (1, 1)


def test_a_rating_that_contradicts_what_was_seen_counts(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    result = rt.request("backup the database")
    rt.feedback(result)
    rt.feedback(result, user_rating=-1)

    found = counters(rt, identity)
    assert (found["success_count"], found["failure_count"]) == (1, 1)


def test_outputs_are_compared_for_stability(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "say hello")
    for output in ("Hello there", "hello   THERE", "hello you"):
        rt.feedback(rt.request("say hello"), llm_output=output)

    first, second, third = counters(rt, identity)["consistency_window"]
    assert first == second != third


def test_prerequisites_get_no_feedback_of_their_own(rt: ExperienceRuntime) -> None:
    basis = add(rt, "认识格式", "process")
    add(rt, "整理文档", "process", prerequisites=[basis])
    rt.feedback(rt.request("整理文档"), user_rating=1)

    assert counters(rt, basis)["total_usage"] == 0


def test_all_parts_of_a_composite_get_the_feedback(rt: ExperienceRuntime) -> None:
    parts = [add(rt, "整理文档", "process"), add(rt, "海豹文件夹", "reference")]
    result = rt.request("整理海豹文件夹的文档")
    rt.feedback(result, user_rating=1)

    assert result["composite"]
    assert [counters(rt, one)["positive_fb"] for one in parts] == [1, 1]


def test_a_delegated_decision_only_keeps_the_rating(rt: ExperienceRuntime) -> None:
    result = rt.request("nobody knows")

    assert rt.feedback(result, "an answer", 1)["experiences"] == []
    assert rt.audit_get(result["decision_id"])["feedback_rating"] == 1


def test_feedback_to_no_decision_says_so(rt: ExperienceRuntime) -> None:
    with pytest.raises(NotFoundError, match="dec_nothing"):
        rt.feedback("dec_nothing", user_rating=1)
    with pytest.raises(UsageError, match="whole number"):
        rt.feedback(rt.request("x"), user_rating=0.5)  # type: ignore[arg-type]


def test_a_person_may_say_that_a_rejected_candidate_was_right(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "消费复盘", "process", family="财务复盘")
    other = add(rt, "another thing", "process")
    for _ in range(2):
        rt.feedback(rt.request("消费复盘"), user_rating=-1)
    result = rt.request("消费复盘")
    rt.feedback(result, user_rating=1, about=identity)

    assert counters(rt, identity)["streak"] == {"success": 1, "failure": 0}
    assert rt.audit_get(result["decision_id"])["feedback_rating"] is None
    with pytest.raises(UsageError, match="no candidate"):
        rt.feedback(result, user_rating=1, about=other)
    with pytest.raises(UsageError, match="above or below zero"):
        rt.feedback(result, about=identity)


def test_a_failed_step_assists_and_feeds_back(rt: ExperienceRuntime) -> None:
    def broken(_: Any, __: Any) -> Any:
        raise RuntimeError("no network")

    rt.host.providers["finance"] = broken  # type: ignore[index]
    workflow = [{"name": "load", "provider": "finance"}]
    identity = mature(rt, "月度汇总", exec={"workflow": workflow})
    result = rt.request("月度汇总")

    assert (result["decision"], result["output"]) == ("assist", None)
    (finding,) = result["candidates"][0]["findings"]
    assert finding["factor"] == "failed_step"
    assert "no network" in finding["detail"]
    assert counters(rt, identity)["failure_count"] == 1


def test_asking_changes_no_score(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    before = counters(rt, identity)
    for _ in range(5):
        rt.request("backup the database")
    after = counters(rt, identity)

    assert after.pop("decision_counts")["executed"] == 5
    before.pop("decision_counts")
    assert after == before


def test_decisions_are_counted_by_what_came_of_them(rt: ExperienceRuntime) -> None:
    held = mature(rt, "enable dark mode")
    off = add(rt, "disable dark theme", tests={"must_not_match": ["disable dark mode"]})
    rt.request("disable dark mode")

    assert counters(rt, held)["decision_counts"]["assisted"] == 1
    assert counters(rt, off)["decision_counts"]["rejected"] == 1


def test_counts_join_the_standing_with_the_next_tick(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    rt.request("backup the database")
    rt.tick()
    stored = standings.own(rt.store, rt.store.installation, identity)

    assert stored is not None
    assert stored.decision_counts.executed == 1
    assert counters(rt, identity)["decision_counts"]["executed"] == 1


def test_a_tick_fades_frequency_and_removes_old_decisions() -> None:
    clock = Clock()
    with host(clock=clock, audit_retention_days=30) as rt:
        identity = mature(rt, "backup the database")
        rt.feedback(rt.request("backup the database"))
        clock.now += 31 * DAY
        found = rt.tick()

        assert found["decisions_removed"] == 1
        assert counters(rt, identity)["frequency"] == pytest.approx(0.7)


def test_an_authorised_floor_outlives_failures(rt: ExperienceRuntime) -> None:
    identity = add(rt, "move files", "reflex")
    given = rt.authorize_experience(identity)
    for _ in range(3):
        rt.feedback(rt.request("move files"), user_rating=-1)

    assert given["score"] == 0.75
    assert rt.get_experience(identity)["confidence"]["score"] == 0.75


def test_a_new_item_that_failed_twice_is_offered_no_more(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "整理文档", "process")
    for _ in range(2):
        rt.feedback(rt.request("整理文档"), user_rating=-1)

    assert rt.get_experience(identity)["status"] == "active"
    assert rt.request("整理文档")["rejected"][0]["factor"] == "too_weak"


def work(path: Path, times: int) -> None:
    with ExperienceRuntime(path) as rt:
        for _ in range(times):
            rt.feedback(rt.request("backup the database"), user_rating=1)


def test_two_processes_that_feed_back_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "exp.db"
    with host(path) as rt:
        identity = mature(rt, "backup the database")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(path, 25)) for _ in range(2)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()

    with host(path) as rt:
        found = counters(rt, identity)
        assert (found["success_count"], found["positive_fb"]) == (50, 50)
        assert found["decision_counts"]["executed"] == 50
        assert len(rt.audit_logs(limit=100)) == 50
