from __future__ import annotations

import json
import lzma
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from experience_pack.text.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_PARTS,
    ExpressionError,
    SafeEvaluator,
    evaluate,
)
from tests.shared_data import shared

FIXTURES = Path(__file__).parents[1] / "fixtures" / "expressions"

NAMES: dict[str, Any] = {
    "支出": 1200,
    "城市": "北京",
    "expense": 800.5,
    "tags": ["月度", "vip"],
    "box": {"甲": {"k": 5}},
    "done": True,
    "nothing": None,
    "text": "Hello World",
}


def rows(name: str) -> list[tuple[str, ...]]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


class Treacherous:
    def __eq__(self, other: object) -> bool:
        raise AssertionError("code of a value ran")

    __hash__ = object.__hash__


@pytest.mark.parametrize(("expression", "expected"), rows("values.tsv"))
def test_an_expression_has_its_value(expression: str, expected: str) -> None:
    assert evaluate(expression, NAMES) == json.loads(expected)


@pytest.mark.parametrize(("expression", "word"), rows("refused.tsv"))
def test_what_is_not_allowed_is_refused_by_name(expression: str, word: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression, NAMES)

    assert word in str(caught.value)
    assert caught.value.hint
    assert caught.value.exit_code == 4


def test_an_error_tells_the_place_in_characters() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(" 支出 > 收入", NAMES)

    assert caught.value.position == 6
    assert "character 7" in str(caught.value)


def test_an_error_on_a_later_line_tells_the_place() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate("(支出 >\n 收入)", NAMES)

    assert caught.value.position == 7


def test_full_width_operators_get_a_hint_of_their_own() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate("支出 ＞ 1000", NAMES)

    assert "half-width" in caught.value.hint


def test_full_width_names_are_found() -> None:
    assert evaluate("ＡＢ + 1", {"ＡＢ": 1}) == 2


def test_what_decides_early_leaves_the_rest_alone() -> None:
    assert evaluate("支出 > 0 or missing > 1", NAMES) is True
    assert evaluate("支出 < 0 and missing > 1", NAMES) is False


@pytest.mark.parametrize("held", [Treacherous(), [Treacherous()], {"a": Treacherous()}])
def test_a_value_that_could_run_code_is_refused(held: object) -> None:
    with pytest.raises(ExpressionError, match="not allowed"):
        evaluate("it == 1", {"it": held})


def test_a_value_with_too_many_parts_is_refused() -> None:
    with pytest.raises(ExpressionError, match="too much"):
        evaluate("it == 1", {"it": [0] * (MAX_PARTS + 1)})


def test_a_value_that_holds_itself_is_refused() -> None:
    ring: list[Any] = []
    ring.append(ring)

    with pytest.raises(ExpressionError, match="too much"):
        evaluate("it == 1", {"it": ring})


@pytest.mark.parametrize(
    "expression",
    [
        "1" + "+1" * MAX_LENGTH,
        "not " * 200 + "1",
        "-" * (MAX_DEPTH + 2) + "1",
        "(" * 900,
        "[" * 400 + "]" * 400,
        "x" * 300 + "(" * 90 + "\x00",
        "\ud800",
    ],
)
def test_long_and_deep_expressions_are_refused(expression: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(expression, NAMES)


def test_evaluating_changes_no_value() -> None:
    before = json.dumps(NAMES)
    SafeEvaluator(NAMES).evaluate("sum([1, 2]) + len(tags)")

    assert json.dumps(NAMES) == before


def test_no_known_escape_gets_out() -> None:
    escapes = shared("expression_escapes.jsonl.xz")
    with lzma.open(escapes, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    harmless = 0
    for text in texts:
        harmless += _is_harmless_and_cheap(text)

    assert len(texts) == 170
    assert harmless < 20


def _is_harmless_and_cheap(text: str) -> bool:
    """Tell whether it has a plain value; assert that the try cost little."""
    tracemalloc.start()
    start = time.process_time()
    try:
        value = evaluate(text, {"foo": 1, "s": "x", "path": "/", **NAMES})
    except ExpressionError:
        value = evaluate
    spent = time.process_time() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert spent <= 0.05, text
    assert peak <= 16 * 2**20, text
    assert value is evaluate or type(value) in (bool, int, float, str, list), text
    return value is not evaluate
