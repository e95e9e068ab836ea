from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.runtime.executor import run
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
