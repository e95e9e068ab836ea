"""Conditions of experiences, evaluated over plain values without `eval`.

An allow-list over the syntax tree: what is not in a table here is refused.
Every size is bounded before the work is done, so that no expression, whoever
wrote it, takes noticeable time or memory.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any
from unicodedata import normalize

from experience_pack.errors import RefusedError

MAX_LENGTH = 1_000  # characters; a rule is one line
MAX_DEPTH = 30  # nested parts; people lose count long before
MAX_PARTS = 10_000  # values inside one name; a big table is no condition
MAX_TEXT = 100_000  # characters of one text, given or made
MAX_NUMBER = 10**100  # beyond any amount, small enough to multiply at once
MAX_EXPONENT = 64  # 10**100 to that power is still made in microseconds
MAX_PLACES = 12  # decimal places; floats hold no more that mean anything

Value = Any
"""A plain value: None, bool, int, float, str, and lists and dicts of them."""

_Names = Mapping[str, Value]


class ExpressionError(RefusedError):
    """An expression may not or cannot be evaluated; `position` counts from 0."""

    def __init__(self, message: str, *, position: int = 0, hint: str = "") -> None:
        self.position = position
        at = f" (at character {position + 1})" if position else ""
        super().__init__(message + at, hint=hint or _HINT)


_HINT = (
    "Use names, numbers, quoted texts, + - * / // % **, comparisons, in, "
    "and, or, not, [constant] and the listed functions."
)
_FULL_WIDTH_HINT = "Write operators, brackets and quotes in half-width: > < = ( )."
_FULL_WIDTH = frozenset("＞＜＝！（）［］“”‘’，＋－＊／％")


def evaluate(expression: str, names: Mapping[str, Value]) -> Value:
    """Give the value of an expression such as `支出 > 1000 and city in ["北京"]`.

    Names may be in any script. Everything that fails is an `ExpressionError`.
    """
    return SafeEvaluator(names).evaluate(expression)


class SafeEvaluator:
    """Evaluates expressions over one set of names, of which it changes nothing."""

    def __init__(self, names: Mapping[str, Value]) -> None:
        self._names = names

    def evaluate(self, expression: str) -> Value:
        """Give the value of an expression, or raise `ExpressionError`."""
        if len(expression) > MAX_LENGTH:
            raise ExpressionError(f"longer than {MAX_LENGTH} characters")
        try:
            return _value(self._names, _parsed(expression), 0)
        except _Refusal as fault:
            place = _characters(expression, fault.node)
            raise ExpressionError(fault.text, position=place) from None
        except (ArithmeticError, TypeError, ValueError) as fault:
            raise ExpressionError(f"cannot be worked out: {fault}") from None


class _Refusal(Exception):  # noqa: N818 - becomes an ExpressionError with its place
    def __init__(self, node: ast.expr, text: str) -> None:
        self.node = node
        self.text = text
        super().__init__(text)


def _value(names: _Names, node: ast.expr, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise _Refusal(node, f"nested more than {MAX_DEPTH} deep")
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise _Refusal(node, f"{_kind(node)} is not allowed")
    return _checked(node, handler(names, node, depth + 1))


def _constant(_names: _Names, node: ast.Constant, _depth: int) -> Value:
    return node.value


def _name(names: _Names, node: ast.Name, _depth: int) -> Value:
    # Python folds names by NFKC, the caller's keys may not be folded
    if node.id in names:
        return _plain(node, names[node.id])
    for name, value in names.items():
        if normalize("NFKC", name) == node.id:
            return _plain(node, value)
    raise _Refusal(node, f"nothing is called {node.id!r}")


def _sequence(names: _Names, node: ast.List | ast.Tuple, depth: int) -> Value:
    return [_value(names, item, depth) for item in node.elts]


def _both(names: _Names, node: ast.BoolOp, depth: int) -> Value:
    stop = isinstance(node.op, ast.Or)
    value: Value = None
    for item in node.values:
        value = _value(names, item, depth)
        if bool(value) is stop:
            break
    return value


def _unary(names: _Names, node: ast.UnaryOp, depth: int) -> Value:
    value = _value(names, node.operand, depth)
    if isinstance(node.op, ast.Not):
        return not value
    sign = _SIGNS.get(type(node.op))
    if sign is None:
        raise _Refusal(node, f"{_kind(node.op)} is not allowed")
    return sign(_number(node, value))


def _binary(names: _Names, node: ast.BinOp, depth: int) -> Value:
    apply = _ARITHMETIC.get(type(node.op))
    if apply is None:
        raise _Refusal(node, f"{_kind(node.op)} is not allowed")
    left = _value(names, node.left, depth)
    right = _value(names, node.right, depth)
    if isinstance(node.op, ast.Add) and type(left) is type(right) is str:
        return left + right
    if isinstance(node.op, ast.Pow) and abs(_number(node, right)) > MAX_EXPONENT:
        raise _Refusal(node, f"powers above {MAX_EXPONENT} are not allowed")
    return apply(_number(node, left), _number(node, right))


def _compare(names: _Names, node: ast.Compare, depth: int) -> Value:
    left = _value(names, node.left, depth)
    for kind, item in zip(node.ops, node.comparators, strict=True):
        test = _COMPARISONS.get(type(kind))
        if test is None:
            raise _Refusal(node, f"{_kind(kind)} is not allowed")
        right = _value(names, item, depth)
        if not test(node, left, right):
            return False
        left = right
    return True


def _item(names: _Names, node: ast.Subscript, depth: int) -> Value:
    key = _constant_key(node.slice)
    value = _value(names, node.value, depth)
    if type(value) not in (list, tuple, dict, str):
        raise _Refusal(node, f"{_named(value)} has no parts")
    try:
        return value[key]
    except (LookupError, TypeError):
        raise _Refusal(node, f"there is no part {key!r}") from None


def _call(names: _Names, node: ast.Call, depth: int) -> Value:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in FUNCTIONS:
        listed = ", ".join(FUNCTIONS)
        raise _Refusal(node, f"only these functions can be called: {listed}")
    apply, least, most = FUNCTIONS[name]
    if node.keywords or not least <= len(node.args) <= most:
        raise _Refusal(node, f"{name} is called with the wrong values")
    return apply(node, *(_value(names, item, depth) for item in node.args))


def _parsed(expression: str) -> ast.expr:
    if "\\" in expression:
        at = expression.index("\\")
        raise ExpressionError("a backslash is not allowed", position=at)
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        position = max((getattr(fault, "offset", 0) or 1) - 1, 0)
        hint = _FULL_WIDTH_HINT if _FULL_WIDTH.intersection(expression) else ""
        reason = getattr(fault, "msg", str(fault))
        message = f"cannot be read as an expression: {reason}"
        raise ExpressionError(message, position=position, hint=hint) from None


def _characters(expression: str, node: ast.expr) -> int:
    """Turn the tree's byte offset into a place in the text as it was given."""
    lines = expression.strip().split("\n")
    above = sum(len(line) + 1 for line in lines[: node.lineno - 1])
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    before = line.encode("utf-8", "surrogatepass")[: node.col_offset]
    blank = len(expression) - len(expression.lstrip())
    return blank + above + len(before.decode("utf-8", "replace"))


def _kind(node: ast.AST) -> str:
    return _WORDS.get(type(node), type(node).__name__)


def _named(value: Value) -> str:
    return f"a value of type {type(value).__name__}"


def _checked(node: ast.expr, value: Value) -> Value:
    """Refuse a number or text that is too large, and what is not plain."""
    kind = type(value)
    if kind is str and len(value) > MAX_TEXT:
        raise _Refusal(node, f"a text of more than {MAX_TEXT} characters")
    if kind is int and not -MAX_NUMBER < value < MAX_NUMBER:
        raise _Refusal(node, "a number of more than 100 digits")
    if kind is float and not isfinite(value):
        raise _Refusal(node, "a number without bounds")
    if kind not in _PLAIN:
        raise _Refusal(node, f"{_named(value)} is not allowed")
    return value


def _plain(node: ast.Name, value: Value) -> Value:
    """Refuse what could run code when it is compared, at any depth."""
    left = [(value, 0)]
    for _ in range(MAX_PARTS):
        if not left:
            return value
        item, depth = left.pop()
        _checked(node, item)
        if isinstance(item, (list, tuple, dict)):
            if depth >= MAX_DEPTH or len(item) + len(left) > MAX_PARTS:
                break
            parts: Iterable[Value] = item
            if isinstance(item, dict):
                parts = [*item, *item.values()]
            left += [(part, depth + 1) for part in parts]
    raise _Refusal(node, f"{node.id!r} holds too much to be compared")


def _number(node: ast.expr, value: Value) -> Value:
    if type(value) not in (int, float):
        raise _Refusal(node, f"a number is needed, not {_named(value)}")
    return value


def _text(node: ast.expr, value: Value) -> str:
    if type(value) is not str:
        raise _Refusal(node, f"a text is needed, not {_named(value)}")
    return value


def _several(node: ast.expr, values: tuple[Value, ...]) -> list[Value]:
    """Give numbers, or texts, from one list or from the arguments themselves."""
    listed = type(values[0]) in (list, tuple) and len(values) == 1
    items = list(values[0] if listed else values)
    if not items or not (_all(items, (int, float)) or _all(items, (str,))):
        raise _Refusal(node, "numbers are needed, or texts, not both")
    return items


def _all(items: list[Value], kinds: tuple[type, ...]) -> bool:
    return all(type(item) in kinds for item in items)


def _constant_key(node: ast.expr) -> Value:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        key = _constant_key(node.operand)
        return -key if type(key) is int else key
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, str):
        raise _Refusal(node, "only a constant may stand in brackets")
    return node.value


def _ordered(test: Callable[[Value, Value], bool]) -> Callable[..., bool]:
    def compare(node: ast.expr, left: Value, right: Value) -> bool:
        return test(*_several(node, (left, right)))

    return compare


def _inside(node: ast.expr, part: Value, whole: Value) -> bool:
    if type(whole) is str:
        return _text(node, part) in whole
    if type(whole) not in (list, tuple, dict):
        raise _Refusal(node, f"{_named(whole)} holds nothing")
    if type(part) in (list, tuple, dict):
        raise _Refusal(node, "only a single value can be looked for")
    return part in whole


def _length(node: ast.expr, value: Value) -> int:
    if type(value) not in (str, list, tuple, dict):
        raise _Refusal(node, f"{_named(value)} has no length")
    return len(value)


def _sum(node: ast.expr, value: Value) -> Value:
    if type(value) not in (list, tuple):
        raise _Refusal(node, f"a list is needed, not {_named(value)}")
    return sum(_number(node, item) for item in value)


def _round(node: ast.expr, value: Value, places: Value = 0) -> Value:
    if type(places) is not int or abs(places) > MAX_PLACES:
        raise _Refusal(node, f"at most {MAX_PLACES} decimal places")
    return round(_number(node, value), places or None)


FUNCTIONS: dict[str, tuple[Callable[..., Value], int, int]] = {
    "len": (_length, 1, 1),
    "min": (lambda node, *values: min(_several(node, values)), 1, 20),
    "max": (lambda node, *values: max(_several(node, values)), 1, 20),
    "sum": (_sum, 1, 1),
    "abs": (lambda node, value: abs(_number(node, value)), 1, 1),
    "round": (_round, 1, 2),
    "lower": (lambda node, value: _text(node, value).lower(), 1, 1),
    "upper": (lambda node, value: _text(node, value).upper(), 1, 1),
    "contains": (lambda node, whole, part: _inside(node, part, whole), 2, 2),
    "starts_with": (
        lambda n, text, part: _text(n, text).startswith(_text(n, part)),
        2,
        2,
    ),
    "ends_with": (lambda n, text, part: _text(n, text).endswith(_text(n, part)), 2, 2),
}
"""What an expression may call: function, fewest and most arguments."""

_PLAIN = frozenset({type(None), bool, int, float, str, list, tuple, dict})
_SIGNS: dict[type, Callable[[Value], Value]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARISONS: dict[type, Callable[..., bool]] = {
    ast.Eq: lambda _node, left, right: left == right,
    ast.NotEq: lambda _node, left, right: left != right,
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
    ast.In: _inside,
    ast.NotIn: lambda node, part, whole: not _inside(node, part, whole),
}
_HANDLERS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.BoolOp: _both,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.Subscript: _item,
    ast.Call: _call,
}
_WORDS = {
    ast.Attribute: "an attribute (a.b)",
    ast.Lambda: "a function",
    ast.ListComp: "a loop",
    ast.GeneratorExp: "a loop",
    ast.JoinedStr: "a formatted text",
    ast.IfExp: "a choice (a if b else c)",
    ast.NamedExpr: "an assignment",
    ast.Starred: "a star",
    ast.Is: "`is` (write ==)",
    ast.IsNot: "`is not` (write !=)",
}
