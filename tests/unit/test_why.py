from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.learning import review
from experience_pack.store import experiences, standings
from tests.runtime_host import add, host, mature

OTHERS = (
    "disable an account", "close the old project", "order paper for the office",
    "关闭旧项目", "归档海豹照片", "翻译合同文件夹",
)  # fmt: skip

Apply = Callable[[ExperienceRuntime, str, Any], None]


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    """A runtime that knows other things too, so that no word is rare by chance."""
    with host() as runtime:
        for name in OTHERS:
            add(runtime, name, "process")
        yield runtime


def wake(rt: ExperienceRuntime, identity: str, _: Any) -> None:
    known = standings.own(rt.store, rt.store.installation, identity)
    assert known is not None
    with rt.store.transaction() as tx:
        changed = type(known).from_dict({**known.to_dict(), "status": "active"})
        standings.put(tx, (rt.store.installation, identity), changed)


def approve(rt: ExperienceRuntime, identity: str, _: Any) -> None:
    with rt.store.transaction() as tx:
        review.confirm(rt.store, tx, experiences.get(rt.store, identity))


def clear(rt: ExperienceRuntime, identity: str, field: str) -> None:
    empty: Any = {"reuse_mode": "", "tests.must_not_match": {}}[field]
    rt.update_experience(identity, **{field.partition(".")[0]: empty})
    if rt.get_experience(identity)["kind"] == "result":
        rt.authorize_experience(identity, score=0.9)


def praise(rt: ExperienceRuntime, identity: str, _: Any) -> None:
    result = rt.request(rt.get_experience(identity)["name"])
    for _time in range(3):
        rt.feedback(result, user_rating=1, about=identity)


APPLY: dict[str, Apply] = {
    "authorize": lambda rt, identity, _: void(rt.authorize_experience(identity)),
    "approve": approve,
    "activate": wake,
    "edit": clear,
    "feedback": praise,
    "category": lambda rt, identity, name: rt.set_category(identity, name),
}
"""How a test does what `why` says; a changed request or context is asked with."""


def void(_: object) -> None:
    return None


def turned(
    rt: ExperienceRuntime,
    identity: str,
    request: str,
    context: dict[str, Any] | None = None,
    better: dict[str, Any] | None = None,
) -> tuple[str, str]:
    """Ask, do all that `why` says would change it, ask again; give both uses."""

    def use(result: dict[str, Any]) -> str:
        found = {one["id"]: one["use"] for one in result["candidates"]}
        return str(found.get(identity, "none"))

    first = rt.request(request, context)
    explained = rt.why(first["decision_id"])["candidates"]
    (seen,) = [one for one in explained if one["id"] == identity]
    assert seen["changes"], seen
    for change in seen["changes"]:
        if change["action"] == "request":
            request = change["value"]
        elif change["action"] == "context":
            context = better
        else:
            APPLY[change["action"]](rt, identity, change["value"])
    return use(first), use(rt.request(request, context))


def test_the_words_of_the_exemplar_get_past_the_guards(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "enable dark mode")

    assert turned(rt, identity, "disable dark mode") == ("assist", "execute")


def test_the_words_of_the_exemplar_get_past_the_guards_in_chinese(
    rt: ExperienceRuntime,
) -> None:
    identity = mature(rt, "开启夜间模式")

    assert turned(rt, identity, "关闭夜间模式") == ("assist", "execute")


def test_authorising_makes_a_reflex_execute(rt: ExperienceRuntime) -> None:
    identity = add(rt, "迁移文件", "reflex")

    assert turned(rt, identity, "请迁移文件吧") == ("assist", "execute")


def test_a_nearer_request_turns_a_hint_into_an_assist(rt: ExperienceRuntime) -> None:
    identity = add(rt, "整理文档", "process")

    assert turned(rt, identity, "整理文档柜里的照片") == ("hint", "assist")


def test_a_context_in_which_the_condition_holds_lets_it_act(
    rt: ExperienceRuntime,
) -> None:
    trigger = {"condition": "stage == 'night'"}
    identity = mature(rt, "backup the database", trigger=trigger)
    night = {"stage": "night"}

    found = turned(rt, identity, "backup the database", {"stage": "day"}, night)
    assert found == ("reject", "execute")


def test_a_context_without_the_exception_lets_it_act(rt: ExperienceRuntime) -> None:
    rules = [{"if": "支出 > 100", "then": "delegate"}]
    run = {"template": {"reply": "好"}, "exception_rules": rules}
    identity = mature(rt, "月度汇总", exec=run)

    found = turned(rt, identity, "月度汇总", {"支出": 101}, {"支出": 100})
    assert found == ("reject", "execute")


def test_values_that_were_missing_let_it_act(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "月度汇总", requires=["支出"])

    assert turned(rt, identity, "月度汇总", {}, {"支出": 1}) == ("assist", "execute")


def test_a_category_that_may_execute_lets_it_act(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "plan the week", category="planning")
    first, _ = turned(rt, identity, "plan the week")
    # an edit takes the right away, which `why` says next
    second = turned(rt, identity, "plan the week")

    assert (first, second) == ("assist", ("assist", "execute"))


def test_clearing_the_reuse_mode_lets_it_act(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database", reuse_mode="assist_only")

    assert turned(rt, identity, "backup the database") == ("assist", "execute")


def test_taking_the_request_off_its_tests_lets_it_act(rt: ExperienceRuntime) -> None:
    tests = {"must_not_match": ["backup the database"]}
    identity = mature(rt, "backup the database", tests=tests)

    assert turned(rt, identity, "backup the database") == ("reject", "execute")


def test_a_review_lets_an_import_be_served(rt: ExperienceRuntime) -> None:
    with host() as other:
        add(other, "整理文档", "process")
        (identity,) = rt.import_bundle(other.export_experiences())["ids"].values()

    assert turned(rt, identity, "整理文档") == ("reject", "assist")


def test_success_brings_a_demoted_branch_back(rt: ExperienceRuntime) -> None:
    identity = add(rt, "消费复盘", "process", family="财务复盘")
    for _ in range(2):
        rt.feedback(rt.request("消费复盘"), user_rating=-1)

    assert turned(rt, identity, "消费复盘")[1] in ("hint", "assist")


def test_a_decision_is_told_in_words_with_its_near_misses(
    rt: ExperienceRuntime,
) -> None:
    mature(rt, "enable dark mode on all office screens")
    result = rt.request("disable dark mode on all office screens")
    text = rt.why(result["decision_id"])["text"]

    assert "office screens” went into the model's input." in text
    assert "because polarity: disable is the opposite of enable" in text
    assert "would change: ask for it in its own words: “enable dark" in text


def test_nothing_found_is_told_too(rt: ExperienceRuntime) -> None:
    text = rt.why(rt.request("xyzzy")["decision_id"])["text"]

    assert "Nothing in the store has anything to do with the request." in text


def test_a_candidate_that_was_deleted_since_is_still_told_of(
    rt: ExperienceRuntime,
) -> None:
    identity = mature(rt, "enable dark mode")
    result = rt.request("disable dark mode")
    rt.delete_experience(identity)

    assert "enable dark mode" in rt.why(result["decision_id"])["text"]


def test_why_score_gives_every_term_that_makes_the_score(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "整理文档", "process")
    found = rt.why_score(identity)

    assert found["score"] == pytest.approx(0.30)
    assert found["prior"] == pytest.approx(0.30 / 0.725)
    assert found["weights"] == {
        "base": 0.5,
        "uf": 0.2,
        "ua": 0.15,
        "freshness": 0.15,
    }
