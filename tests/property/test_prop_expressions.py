from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experience_pack.text.expressions import FUNCTIONS, ExpressionError, evaluate
from experience_pack.text.templates import TemplateError, fill_template

pytestmark = pytest.mark.property

EXAMPLES = int(os.environ.get("EXPRESSION_EXAMPLES", "2000"))
"""Generated expressions a run; the full sweep is 100,000."""

NAMES: dict[str, Any] = {
    "支出": 1200,
    "a": -2.5,
    "s": "text",
    "l": [1, "x", [2, None]],
    "d": {"k": {"k": 1}},
    "t": True,
}

atoms = st.sampled_from(
    [*NAMES, *FUNCTIONS, "0", "1", "9" * 30, "1e308", '"k"', "None", "...", "nope"]
)
operators = st.sampled_from(
    [
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "**",
        "<<",
        "&",
        "|",
        "@",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "and",
        "or",
        "is",
        "if",
        "else",
        "for",
        ".",
        ",",
        ":=",
    ]
)


def grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(parts, operators, parts).map(" ".join),
        parts.map("({})".format),
        parts.map("-{}".format),
        parts.map("not {}".format),
        parts.map("[{}]".format),
        parts.map('{}["k"]'.format),
        parts.map("{}.__class__".format),
        parts.map("lambda: {}".format),
        st.tuples(st.sampled_from([*FUNCTIONS, "open", "s.join"]), parts).map(
            lambda call: f"{call[0]}({call[1]})"
        ),
        st.tuples(parts, parts).map(", ".join),
    )


expressions = st.recursive(atoms, grown, max_leaves=12)
noise = st.text(alphabet="()[]{}\"'.,:+-*/%<>=!~ \n\\#@019aelnrs_支出＞", max_size=60)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(expressions | noise | st.text(max_size=40))
def test_an_expression_gives_a_plain_value_or_its_own_error(expression: str) -> None:
    with suppress(ExpressionError):
        value = evaluate(expression, NAMES)
        assert type(value) in (type(None), bool, int, float, str, list, dict)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_arithmetic_agrees_with_python(left: int, right: int) -> None:
    names = {"左": left, "右": right}

    assert evaluate("左 * 右 + 左 - 右", names) == left * right + left - right
    assert evaluate("左 <= 右", names) is (left <= right)


@given(st.text(alphabet="{}:%.,[]!0123fdYm x名", max_size=40))
def test_a_template_gives_a_text_or_its_own_error(text: str) -> None:
    with suppress(TemplateError):
        assert isinstance(fill_template(text, {"x": 1.5, "名": "值", "f": 3}), str)


@given(st.text())
def test_a_value_is_put_in_as_it_is(value: str) -> None:
    assert fill_template("<{x}>", {"x": value}) == f"<{value}>"


@given(st.text())
def test_doubled_braces_give_the_text_back(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")

    assert fill_template(doubled, {}) == text
