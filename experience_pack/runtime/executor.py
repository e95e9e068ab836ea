"""Run an experience without a model: workflow, rules, template.

Everything that can go wrong is an outcome with a reason: a step that fails, a
value that is missing, an exception that applies. Nothing is given by halves.
Expressions and templates are loaded when there are some, for a hook waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from experience_pack.model.values import Json
from experience_pack.runtime.types import State

Provider = Callable[[Mapping[str, Json], Mapping[str, Any]], Any]
"""A host's data provider: takes parameters and the state, gives named values.

Whatever else it gives, or raises, is a failed step."""

REPLY = "reply"
"""Template whose text is the answer (document)."""

WARNING = "warning:"
"""What begins an outcome that is a warning (document)."""

DELEGATE = "delegate"
"""Outcome that leaves the request to the model (document)."""

MOST_NUMBERS = 1_000
"""Numbers of a request that rules see; a longer list is a document."""


class Ran(NamedTuple):
    """What came of running an experience."""

    output: Any = None
    """The answer: a text, or named values; None where it did not run to its end."""
    warnings: tuple[str, ...] = ()
    """What its decision rules say."""
    failure: str = ""
    """Which step failed, and why."""
    exception: str = ""
    """Which of its exceptions applied: the model has to do it."""

    @property
    def answered(self) -> bool:
        """Tell whether it ran to its end."""
        return not (self.failure or self.exception)


def run(
    execution: Mapping[str, Any],
    values: Mapping[str, Any],
    providers: Mapping[str, Provider],
) -> Ran:
    """Run the workflow, then exceptions and decision rules, then fill the template."""
    try:
        known = _worked(execution.get("workflow", ()), values, providers)
        if exception := _applying(execution.get("exception_rules", ()), known):
            return Ran(exception=exception)
        outcomes = [*_outcomes(execution.get("decision_rules", ()), known)]
        if DELEGATE in outcomes:
            return Ran(exception="a decision rule leaves it to the model")
        warnings = tuple(one.removeprefix(WARNING).strip() for one in outcomes)
        return Ran(_answer(execution, known, warnings), warnings)
    except _StepError as error:
        return Ran(failure=str(error))


def values_of(state: State) -> dict[str, Any]:
    """Give the names that conditions, rules and templates see of a request.

    What the host's context says stands over `text`, `event`, `tags` and `numbers`.
    """
    numbers = [float(one) for one in state.numbers[:MOST_NUMBERS] if _is_number(one)]
    return {
        "text": state.text,
        "event": state.event,
        "tags": sorted(state.tags),
        "numbers": numbers,
        **state.context,
    }


class _StepError(Exception):
    """A step failed; the message says which and why."""


def _is_number(text: str) -> bool:
    return text.count(".") <= 1


def _worked(
    workflow: Any, values: Mapping[str, Any], providers: Mapping[str, Provider]
) -> dict[str, Any]:
    """Call every step's provider; give all names with what the steps gave."""
    known = dict(values)
    for step in workflow:
        result = _called(step, known, providers)
        known.update(result)
        known[step["name"]] = result
    return known


def _called(
    step: Mapping[str, Any], known: Mapping[str, Any], providers: Mapping[str, Provider]
) -> dict[str, Any]:
    name = f"step {step['name']} ({step['provider']})"
    provider = providers.get(step["provider"])
    if provider is None:
        raise _StepError(f"{name}: this host has no such provider")
    try:
        result = provider(dict(step.get("params", {})), dict(known))
    except Exception as error:  # a host's code may raise anything
        raise _StepError(f"{name}: {type(error).__name__}: {error}") from error
    if not isinstance(result, Mapping):
        kind = type(result).__name__
        raise _StepError(f"{name}: gave a {kind}, not named values")
    if odd := [key for key in result if not isinstance(key, str)]:
        raise _StepError(f"{name}: {odd[0]!r} is no name")
    return dict(result)


def _applying(rules: Any, known: Mapping[str, Any]) -> str:
    """Give the first exception that applies, or that cannot be ruled out."""
    for rule in rules:
        if _holds(rule, known):
            return f"{rule['if']} → {rule['then']}"
    return ""


def _outcomes(rules: Any, known: Mapping[str, Any]) -> Iterator[str]:
    return (rule["then"] for rule in rules if _holds(rule, known))


def _holds(rule: Mapping[str, str], known: Mapping[str, Any]) -> bool:
    from experience_pack.text.expressions import ExpressionError, SafeEvaluator

    try:
        return bool(SafeEvaluator(known).evaluate(rule["if"]))
    except ExpressionError as error:
        raise _StepError(f"rule {rule['if']}: {error}") from error


def _answer(
    execution: Mapping[str, Any], known: Mapping[str, Any], warnings: tuple[str, ...]
) -> Any:
    """Give the reply with its warnings below, or the named texts, or the results."""
    template = execution.get("template", {})
    if not template:
        steps = [step["name"] for step in execution.get("workflow", ())]
        return {name: known[name] for name in steps}
    if REPLY not in template:
        return {name: _filled(name, text, known) for name, text in template.items()}
    reply = _filled(REPLY, template[REPLY], known)
    return "\n".join([reply, *warnings]) if isinstance(reply, str) else reply


def _filled(name: str, text: Json, known: Mapping[str, Any]) -> Any:
    if not isinstance(text, str):
        return text
    from experience_pack.text.templates import TemplateError, fill_template

    try:
        return fill_template(text, known)
    except TemplateError as error:
        raise _StepError(f"template {name}: {error}") from error
