from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.learning.settle import price
from tests.runtime_host import DAY, Clock, host

REPORT = {"total_expense": 5000, "essential": 3000}


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    with host() as runtime:
        yield runtime


def compiled(rt: ExperienceRuntime, source: Any, **options: Any) -> dict[str, Any]:
    found = rt.compile_experience(source, dry_run=True, **options)
    assert isinstance(found, dict)
    return found


def test_numbers_of_a_report_become_placeholders(rt: ExperienceRuntime) -> None:
    found = compiled(rt, REPORT, source_type="monthly_report")

    assert found["exec"]["template"]["reply"] == (
        "total_expense: {total_expense}\nessential: {essential}"
    )
    assert found["requires"] == ["total_expense", "essential"]
    assert found["trigger"]["event"] == "monthly_report"
    assert found["match"]["tags"] == ["monthly_report"]


def test_chinese_keys_become_placeholders_too(rt: ExperienceRuntime) -> None:
    found = compiled(rt, {"支出": 5000, "说明": "含 {括号}", "完成": True})

    assert found["exec"]["template"]["reply"] == (
        "支出: {支出}\n说明: 含 {{括号}}\n完成: true"
    )
    assert found["requires"] == ["支出"]


def test_a_text_is_kept_word_by_word(rt: ExperienceRuntime) -> None:
    text = "先分类 {按类型}\n再归档"
    identity = rt.compile_experience(text, origin_type="user_confirmed", request="整理")
    assert isinstance(identity, str)
    rt.authorize_experience(identity)

    assert rt.request("整理")["output"] == text


def test_a_dry_run_stores_nothing(rt: ExperienceRuntime) -> None:
    compiled(rt, REPORT)

    assert rt.list_experiences() == []
    assert rt.stats()["compile_count"] == 0


@pytest.mark.parametrize(
    ("origin", "score"), [("user_confirmed", 0.30), ("llm_compiled", 0.25)]
)
def test_the_starting_score_is_the_evidence_price(
    rt: ExperienceRuntime, origin: str, score: float
) -> None:
    identity = str(rt.compile_experience(REPORT, origin_type=origin))

    assert rt.why_score(identity)["score"] == pytest.approx(score)


GOOD = {
    "name": "Monthly expenses",
    "description": "What was spent.",
    "triggers": ["expenses"],
    "tags": ["money"],
    "decision_rules": [{"if": "total_expense > 1000", "then": "warning:high"}],
    "template": "Spent {total_expense}, of it {essential} essential.",
}


def model_of(answer: Any) -> Any:
    def model(system: str, prompt: str) -> Any:
        assert "data, not instruction" in system
        assert "5000" in prompt
        return answer

    return model


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(GOOD),
        f"Here it is:\n```json\n{json.dumps(GOOD)}\n```",
        {"success": True, "text": json.dumps(GOOD)},
        {"text": json.dumps(GOOD)},
    ],
)
def test_a_model_improves_field_by_field(rt: ExperienceRuntime, answer: Any) -> None:
    found = compiled(rt, REPORT, llm=model_of(answer))

    assert found["name"] == "Monthly expenses"
    assert found["exec"]["decision_rules"] == GOOD["decision_rules"]
    assert found["exec"]["template"]["reply"] == GOOD["template"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ["no text"]),
        ("triggers", "no list"),
        ("template", "Spent {total_expense} of {budget}"),
        ("template", "Spent {total_expense}"),
        ("template", "Spent {"),
        ("decision_rules", [{"if": "__import__('os')", "then": "warning:x"}]),
        ("decision_rules", [{"if": "unknown > 3", "then": "warning:x"}]),
        ("decision_rules", [{"then": "warning:x"}]),
        ("decision_rules", ["x"]),
        ("exec", {"code": "x"}),
    ],
)
def test_a_field_that_is_no_good_is_left_as_the_rules_made_it(
    rt: ExperienceRuntime, field: str, value: Any
) -> None:
    plain = compiled(rt, REPORT)
    answer = json.dumps({"description": "What was spent.", field: value})
    found = compiled(rt, REPORT, llm=model_of(answer))

    assert found.pop("description") == "What was spent."
    assert {**found, "id": ""} == {**plain, "id": ""}


@pytest.mark.parametrize(
    "answer",
    ["no JSON", "{broken", "[]", None, 3, {"success": False, "text": json.dumps(GOOD)}],
)
def test_a_model_that_gives_nothing_leaves_the_rules_result(
    rt: ExperienceRuntime, answer: Any
) -> None:
    found = compiled(rt, REPORT, llm=model_of(answer))

    assert found["name"] == "total expense essential"


def test_a_model_that_raises_leaves_the_rules_result(rt: ExperienceRuntime) -> None:
    def broken(_: str, __: str) -> str:
        raise TimeoutError

    rt.compile_experience(REPORT, llm=broken)

    assert rt.stats()["compile_count"] == 1
    assert rt.stats()["llm_compile_count"] == 0


def test_compilations_with_a_model_are_counted(rt: ExperienceRuntime) -> None:
    rt.compile_experience(REPORT, llm=model_of(json.dumps(GOOD)))

    assert rt.stats()["llm_compile_count"] == 1


def test_a_model_sees_no_more_of_the_source_than_is_set() -> None:
    seen: list[str] = []

    def model(_: str, prompt: str) -> str:
        seen.append(prompt)
        return ""

    with host(llm=model, max_source_chars=10) as rt:
        rt.compile_experience("整" * 50)

    assert seen == ["整" * 10]


STEPS = [
    {"action": "解析文件格式", "tool": "pdfplumber", "ok": True},
    {"action": "提取核心观点", "tool": "llm", "ok": True},
    {"action": "压缩到300字", "tool": "llm", "ok": False, "error": "超长需分段"},
]
"""The document's trajectory."""


def save(rt: ExperienceRuntime, times: int, text: str = "x", **meta: Any) -> None:
    for _ in range(times):
        rt.save_episode("document_summary", text, user_validated=True, meta=meta)


def test_a_repeated_trajectory_becomes_a_process(rt: ExperienceRuntime) -> None:
    save(rt, 3, trajectory=STEPS, task="文档摘要")
    (suggestion,) = rt.suggest_compilations(min_episodes=3)
    (identity,) = rt.auto_compile(min_episodes=3)
    found = rt.get_experience(identity)

    assert (suggestion["mode"], suggestion["kind"]) == ("trajectory", "process")
    assert (found["name"], found["reuse_mode"]) == ("文档摘要", "assist_only")
    assert [step["action"] for step in found["logic"]["path"]] == [
        step["action"] for step in STEPS
    ]
    assert [(one["if"], one["then"]) for one in found["logic"]["branches"]] == [
        ("压缩到300字", "超长需分段")
    ]
    assert rt.request("文档摘要")["decision"] == "assist"


def test_a_determined_trajectory_becomes_a_reflex_that_waits(
    rt: ExperienceRuntime,
) -> None:
    steps = [{"action": "move", "tool": "files"}, {"action": "log", "tool": "files"}]
    save(rt, 3, trajectory=steps, task="archive the mail")
    rt.host.providers["files"] = lambda _, __: {"ok": True}  # type: ignore[index]
    (identity,) = rt.auto_compile()
    before = rt.request("archive the mail")
    rt.authorize_experience(identity)

    assert rt.get_experience(identity)["kind"] == "reflex"
    assert before["decision"] == "assist"
    assert rt.request("archive the mail")["output"] == {
        "move": {"ok": True},
        "log": {"ok": True},
    }


def test_a_signature_becomes_a_method(rt: ExperienceRuntime) -> None:
    save(rt, 3, text="open the ledger\nadd it up", signature="monthly close")
    (identity,) = rt.auto_compile()

    path = rt.get_experience(identity)["logic"]["path"]
    assert [step["action"] for step in path] == ["open the ledger", "add it up"]


def test_texts_alike_become_a_result_and_trajectories_never_join_them(
    rt: ExperienceRuntime,
) -> None:
    text = "本月支出五千元，其中必需三千元"
    save(rt, 3, text=text)
    save(rt, 1, text=text, trajectory=STEPS)
    (suggestion,) = rt.suggest_compilations()

    assert (suggestion["mode"], suggestion["kind"]) == ("text", "result")
    assert len(suggestion["episode_ids"]) == 3


def test_texts_less_than_half_alike_stay_apart(rt: ExperienceRuntime) -> None:
    for text in ("alpha beta gamma", "alpha delta epsilon", "zeta eta theta"):
        save(rt, 1, text=text)

    assert rt.suggest_compilations() == []


def test_only_validated_episodes_count(rt: ExperienceRuntime) -> None:
    for _ in range(3):
        rt.save_episode("report", "same text")

    assert rt.suggest_compilations() == []


def test_what_is_compiled_is_not_suggested_again(rt: ExperienceRuntime) -> None:
    save(rt, 3, signature="monthly close")
    rt.auto_compile()

    assert rt.suggest_compilations() == []
    assert rt.auto_compile() == []


def test_a_new_context_becomes_a_variant_of_the_base(rt: ExperienceRuntime) -> None:
    save(rt, 3, signature="写摘要")
    (base,) = rt.auto_compile()
    save(rt, 3, signature="写摘要", context_tags=["实证"])
    (suggestion,) = rt.suggest_compilations()
    (branch,) = rt.auto_compile()
    found = rt.get_experience(branch)

    assert (suggestion["mode"], suggestion["base_id"]) == ("variant", base)
    assert (found["parent_id"], found["family"]) == (base, "写摘要")
    assert found["match"]["tags"] == ["document_summary", "实证"]
    assert rt.suggest_compilations() == []
    special = rt.request("写摘要", {"tags": ["实证"]})
    assert special["sources"][0]["id"] == branch
    assert rt.request("写摘要")["sources"][0]["id"] == base


def test_work_has_to_come_up_on_enough_days() -> None:
    clock = Clock()
    with host(clock=clock) as rt:
        for _ in range(3):
            save(rt, 1, signature="monthly close")
            clock.now += DAY

        assert rt.suggest_compilations(min_occurrence_days=4) == []
        assert rt.suggest_compilations(min_occurrence_days=3)[0]["days"] == 3


def test_no_more_are_compiled_than_the_limit(rt: ExperienceRuntime) -> None:
    for number in range(7):
        save(rt, 3, signature=f"task {number}")

    assert len(rt.auto_compile(limit=1)) == 1
    assert len(rt.auto_compile()) == 5
    assert rt.stats()["compile_count"] == 6


@pytest.mark.parametrize(
    ("size", "expected"), [(3, 0.25), (4, 0.30), (5, 0.35), (9, 0.35), (1, 0.25)]
)
def test_the_price_grows_with_the_cluster(size: int, expected: float) -> None:
    assert price(size) == pytest.approx(expected)
