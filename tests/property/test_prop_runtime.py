from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.model.experience import KINDS, REUSE_MODES
from experience_pack.runtime import gate
from experience_pack.runtime.executor import run
from tests.runtime_cases import case_of
from tests.runtime_host import add, host, mature

pytestmark = pytest.mark.property

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def rt() -> ExperienceRuntime:
    runtime = host()
    mature(runtime, "enable dark mode")
    mature(
        runtime, "备份数据库", exec={"template": {"reply": "{库} ok"}}, requires=["库"]
    )
    add(runtime, "整理文档", "process", trigger={"condition": "深度 > 3"})
    return runtime


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(max_size=60), context=st.dictionaries(st.text(), values, max_size=4)
)
def test_whatever_is_asked_is_answered_and_audited(
    rt: ExperienceRuntime, text: str, context: dict[str, Any]
) -> None:
    result = rt.request(text, context)

    assert result["decision"] in ("execute", "assist", "hint", "delegate")
    assert (result["output"] is not None) == (result["decision"] == "execute")
    json.dumps(rt.audit_get(result["decision_id"]))
    assert rt.why(result["decision_id"])["text"]


@settings(max_examples=200, deadline=None)
@given(
    template=st.text(max_size=30),
    condition=st.text(max_size=30),
    given_values=st.dictionaries(st.text(max_size=5), values, max_size=3),
    gives=values,
)
def test_a_run_answers_whole_or_says_why_not(
    template: str, condition: str, given_values: dict[str, Any], gives: Any
) -> None:
    execution = {
        "workflow": [{"name": "load", "provider": "p"}],
        "template": {"reply": template},
        "decision_rules": [{"if": condition, "then": "warning:x"}],
    }
    ran = run(execution, given_values, {"p": lambda _, __: gives})

    assert ran.answered == (ran.output is not None)
    assert bool(ran.failure) + bool(ran.exception) + ran.answered == 1


rows = st.fixed_dictionaries(
    {
        "experience": st.builds(
            lambda kind, name, family, mode: {
                "kind": kind,
                "name": name,
                "family": family,
                "reuse_mode": mode,
                "exec": {"template": {"reply": "ok"}},
            },
            st.sampled_from(KINDS),
            st.sampled_from(["enable dark mode", "开启夜间模式"]),
            st.sampled_from(["", "settings"]),
            st.sampled_from(REUSE_MODES),
        ),
        "request": st.sampled_from(
            ["enable dark mode", "disable dark mode", "开启夜间模式", "关闭夜间模式"]
        ),
        "similarity": st.floats(0, 1),
        "confidence": st.sampled_from([0, 0.5, 0.75, 1.0]),
        "approved": st.booleans(),
        "imported": st.booleans(),
        "context": st.just({}),
        "providers": st.just([]),
        "standing": st.fixed_dictionaries(
            {
                "status": st.sampled_from(["active", "sleeping", "disabled"]),
                "success_count": st.integers(0, 100),
                "failure_count": st.integers(0, 100),
                "positive_fb": st.integers(0, 20),
                "negative_fb": st.integers(0, 20),
                "frequency": st.floats(0, 20),
                "streak": st.builds(lambda n: {"failure": n}, st.integers(0, 9)),
            }
        ),
    }
)


@settings(max_examples=600, deadline=None)
@given(row=rows)
def test_nothing_executes_or_is_served_without_the_right_to(
    row: dict[str, Any],
) -> None:
    case = case_of(row)
    verdict = gate.judge(case)
    trust = case.trust

    assert (verdict.use == "execute") <= (
        case.candidate.kind in ("result", "reflex")
        and case.candidate.similarity >= 0.5
        and trust.confidence >= 0.75
        and (trust.authorised or (trust.approved and not trust.imported))
        and row["request"] == row["experience"]["name"]
    )
    if not trust.served or case.candidate.kind in ("habit", "lesson"):
        assert verdict.use == "reject"
    assert (verdict.use == "reject") <= bool(verdict.findings)
