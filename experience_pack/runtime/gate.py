"""The gate: ordered tables of named rules that say what a candidate may do.

`ADMISSION` decides whether it is served at all, `EXECUTION` what keeps it from
running by itself, and `TIERS` how far it reaches otherwise. The audit, `why`, the
documentation and the tests walk the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any, NamedTuple

from experience_pack.model.formula import accepted_share
from experience_pack.runtime import branches
from experience_pack.runtime import policy as limits
from experience_pack.runtime.policy import EXECUTING_KINDS, METHOD_KINDS, Policy
from experience_pack.runtime.trust import Trust
from experience_pack.runtime.types import Candidate, State

EXECUTE, ASSIST, HINT, RECALL, REJECT = "execute", "assist", "hint", "recall", "reject"

TOO_WEAK = "too_weak"
"""Factor of a candidate that no rule turned down and that reaches no tier."""


class Case(NamedTuple):
    """One candidate for one request, with all that the rules look at."""

    state: State
    candidate: Candidate
    trust: Trust
    policy: Policy
    content: Mapping[str, Any]
    """What the candidate says."""
    values: Mapping[str, Any]
    """Names that conditions and rules can use."""
    providers: frozenset[str] = frozenset()
    """Names of the data providers that the host gave."""
    lifted: bool = False
    """An exemplar in its normal form made it nearer than its terms."""
    bar: float = 1.0
    """Least probability at which it executes, where meaning was compared."""

    @property
    def exact(self) -> bool:
        """Tell whether an utterance says the same in the same words."""
        said = _said(self.state, exemplars(self.content))
        return said or self.candidate.similarity >= limits.SAME

    @property
    def sure(self) -> bool:
        """Tell whether enough utterances vouch for it, and it is meant surely."""
        one = self.candidate
        return (one.probability or 0.0) >= self.bar and one.vouchers >= limits.VOUCHERS

    def part(self, *path: str) -> Any:
        """Give a part of the content, None where there is none."""
        found: Any = self.content
        for key in path:
            found = found.get(key) if found else None
        return found


class Finding(NamedTuple):
    """A rule that spoke against a candidate."""

    factor: str
    """Name of the rule."""
    detail: str
    """A sentence with the words or figures that decided."""
    safety_factors: Mapping[str, float] = {}
    """The factors of the safety score, where that decided."""


class Verdict(NamedTuple):
    """What a candidate may do at most, and what kept it from more."""

    case: Case
    use: str
    """`execute`, `assist`, `hint`, `recall` or `reject`."""
    findings: tuple[Finding, ...] = ()


class Rule(NamedTuple):
    """A row of the tables: its name, its test and what a failure leaves."""

    name: str
    test: Callable[[Case], str]
    """Gives a sentence if it speaks against the candidate, else nothing."""
    reference_use: str = REJECT
    """What is left for a reference; any other kind is turned down."""


class Tier(NamedTuple):
    """What a candidate reaches from a confidence and a similarity on."""

    use: str
    confidence: Callable[[Policy], float]
    similarity: Callable[[Policy], float]
    probability: float
    """What stands for the similarity where meaning was compared."""
    kinds: tuple[str, ...] = (*METHOD_KINDS, *EXECUTING_KINDS)


def judge(case: Case) -> Verdict:
    """Give what a candidate may do: admission, execution, then the best tier.

    A rule of admission that speaks is the only finding; what keeps a candidate of
    an executing kind from running stands beside the tier that it reaches.
    """
    for rule in ADMISSION:
        if detail := rule.test(case):
            return _turned_down(case, rule, detail)
    bars: tuple[Finding, ...] = ()
    if case.candidate.kind in EXECUTING_KINDS:
        bars = execution_bars(case)
        if not bars:
            return Verdict(case, EXECUTE)
    for tier in TIERS:
        if reaches(case, tier):
            return Verdict(case, tier.use, bars)
    return Verdict(case, REJECT, (Finding(TOO_WEAK, _weakness(case)),))


def reaches(case: Case, tier: Tier) -> bool:
    """Tell whether a candidate is near enough and trusted enough for a tier."""
    candidate = case.candidate
    near = candidate.similarity >= tier.similarity(case.policy)
    return (
        candidate.kind in tier.kinds
        and case.trust.confidence >= tier.confidence(case.policy)
        and (near or (candidate.probability or 0.0) >= tier.probability)
    )


def execution_bars(case: Case) -> tuple[Finding, ...]:
    """Give everything that keeps a candidate from running.

    The last row compares the request word by word, which costs more than all the
    others, so it is asked only where they are silent.
    """
    *cheap, last = EXECUTION
    found = [(rule.name, rule.test(case)) for rule in cheap]
    bars = tuple(Finding(name, detail) for name, detail in found if detail)
    if bars or not (detail := last.test(case)):
        return bars
    return (Finding(last.name, detail),)


def safety_factors(case: Case) -> dict[str, float]:
    """Give each factor of the safety score; their product decides."""
    return {name: factor(case) for name, factor in SAFETY}


def _turned_down(case: Case, rule: Rule, detail: str) -> Verdict:
    factors = safety_factors(case) if rule.test is _unsafe else {}
    use = rule.reference_use if case.candidate.kind == "reference" else REJECT
    if use == HINT and not reaches(case, TIERS[-1]):
        use = REJECT
    finding = Finding(rule.name, detail, factors)
    return Verdict(case, use, (finding,))


def _weakness(case: Case) -> str:
    return (
        f"similarity {case.candidate.similarity:.2f} and confidence "
        f"{case.trust.confidence:.2f} reach no tier"
    )


def _unserved_kind(case: Case) -> str:
    kind = case.candidate.kind
    served = (*METHOD_KINDS, *EXECUTING_KINDS)
    return "" if kind in served else f"a {kind} never answers a request"


def _inactive(case: Case) -> str:
    status = case.trust.status
    return "" if status == "active" else f"it is {status}"


def _unreviewed(case: Case) -> str:
    if case.trust.imported and not case.trust.approved:
        return "it came with a pack, and nobody here has reviewed this content"
    return ""


def _excluded(case: Case) -> str:
    texts = case.part("tests", "must_not_match") or ()
    return "its tests exclude this request" if _said(case.state, texts) else ""


def _delegated(case: Case) -> str:
    if case.part("reuse_mode") == "delegate_only":
        return "it is kept for the model to recall (delegate_only)"
    return ""


def _condition(case: Case) -> str:
    condition = case.part("trigger", "condition")
    if not condition:
        return ""
    holds, fault = _evaluated(condition, case.values)
    return "" if holds else f"its condition does not hold: {condition}{fault}"


def _exception(case: Case) -> str:
    for rule in case.part("exec", "exception_rules") or ():
        holds, _ = _evaluated(rule["if"], case.values)
        if holds:
            return f"its exception applies: {rule['if']} → {rule['then']}"
    return ""


def _unsafe(case: Case) -> str:
    safety = prod(safety_factors(case).values())
    if safety > limits.LEAST_SAFETY:
        return ""
    return f"safety {safety:.2f} is not above {limits.LEAST_SAFETY}"


def _demoted(case: Case) -> str:
    return branches.demotion(case.candidate, case.trust)


ADMISSION: tuple[Rule, ...] = (
    Rule("kind", _unserved_kind),
    Rule("status", _inactive),
    Rule("unreviewed", _unreviewed),
    Rule("must_not_match", _excluded),
    Rule("delegate_only", _delegated, RECALL),
    Rule("condition", _condition, HINT),
    Rule("exception", _exception),
    Rule("safety", _unsafe, HINT),
    Rule("branch_demoted", _demoted),
)
"""What has to hold before a candidate is served, in this order."""

TIERS: tuple[Tier, ...] = (
    Tier(
        ASSIST,
        lambda policy: policy.assist_threshold,
        lambda _: limits.ASSIST_SIMILARITY,
        limits.ASSIST_PROBABILITY,
    ),
    Tier(
        ASSIST,
        lambda _: limits.STRONG_CONFIDENCE,
        lambda _: limits.STRONG_SIMILARITY,
        limits.ASSIST_PROBABILITY,
    ),
    Tier(
        HINT,
        lambda _: limits.HINT_CONFIDENCE,
        lambda policy: policy.min_similarity,
        limits.HINT_PROBABILITY,
        METHOD_KINDS,
    ),
)
"""What helps a model from which confidence and similarity on, the best first."""


def _too_far(case: Case) -> str:
    if case.candidate.probability is not None:
        return _too_unsure(case)
    similarity = case.candidate.similarity
    if similarity >= limits.EXECUTE_SIMILARITY:
        return ""
    return f"similarity {similarity:.2f} is below {limits.EXECUTE_SIMILARITY}"


def _too_unsure(case: Case) -> str:
    one = case.candidate
    if case.exact:
        return ""
    if one.refused:
        return "a request that is nearer to this one was turned down for it"
    if one.vouchers < limits.VOUCHERS:
        return (
            f"{one.vouchers} confirmed utterances vouch for it; below "
            f"{limits.VOUCHERS} only the same words execute"
        )
    likely = one.probability or 0.0
    return (
        ""
        if likely >= case.bar
        else (f"probability {likely:.2f} is below {case.bar:.2f}")
    )


def _immature(case: Case) -> str:
    confidence, wanted = case.trust.confidence, case.policy.automatic_threshold
    return (
        "" if confidence >= wanted else f"confidence {confidence:.2f} is below {wanted}"
    )


def _assist_only(case: Case) -> str:
    mode = case.part("reuse_mode")
    return f"its reuse mode is {mode}" if mode else ""


def _category_assists(case: Case) -> str:
    area = case.trust.area
    return f"nothing in {area.name} executes" if area.assist_only else ""


def _nothing_to_run(case: Case) -> str:
    workflow = case.part("exec", "workflow") or ()
    missing = {step["provider"] for step in workflow} - case.providers
    if missing:
        return f"this host has no provider {', '.join(sorted(missing))}"
    if not workflow and not case.part("exec", "template"):
        return "it has neither a template nor a workflow"
    return ""


def _not_allowed(case: Case) -> str:
    trust = case.trust
    if trust.authorised:
        return ""
    if case.candidate.kind == "reflex":
        return "a reflex executes once it is authorised here"
    if trust.imported:
        return "what came with a pack executes once it is authorised here"
    return "" if trust.approved else "nobody here has confirmed this content"


def _untested(case: Case) -> str:
    """Hold what came with a pack against the tests that it brought."""
    if not (case.trust.imported and any((case.part("tests") or {}).values())):
        return ""
    failure = case.trust.test_failure
    if failure is None:
        return "it has tests, and they were not run here on this content"
    return f"its tests fail here: {failure}" if failure else ""


def _missing_values(case: Case) -> str:
    if case.part("exec", "workflow"):
        return ""
    wanted = case.part("requires") or ()
    missing = [name for name in wanted if case.values.get(name) is None]
    return f"no value for {', '.join(missing)}" if missing else ""


def _unclear_exception(case: Case) -> str:
    """Find an exception that cannot be ruled out, before or after the workflow."""
    if case.part("exec", "workflow"):
        return ""
    for rule in case.part("exec", "exception_rules") or ():
        _, fault = _evaluated(rule["if"], case.values)
        if fault:
            return f"its exception cannot be ruled out: {rule['if']}{fault}"
    return ""


def _forbidden(case: Case) -> str:
    texts = case.part("tests", "must_not_execute") or ()
    return "its tests forbid to execute this" if _said(case.state, texts) else ""


def _guarded(case: Case) -> str:
    """Compare the request with what was confirmed; the very words pass at once."""
    texts = exemplars(case.content)
    if _said(case.state, texts):
        return ""
    from experience_pack.text.guards import check

    forbidden = case.part("tests", "must_not_execute") or ()
    if any(not check(case.state.text, [text]) for text in forbidden):
        return "it says what its tests forbid to execute"
    sure = case.sure and not case.part("exec", "workflow")
    trips = check(case.state.text, texts, told=sure)
    return "; ".join(f"{trip.guard}: {trip.detail}" for trip in trips)


EXECUTION: tuple[Rule, ...] = (
    Rule("similarity", _too_far),
    Rule("confidence", _immature),
    Rule("assist_only", _assist_only),
    Rule("category", _category_assists),
    Rule("nothing_to_run", _nothing_to_run),
    Rule("not_allowed", _not_allowed),
    Rule("tests", _untested),
    Rule("requires", _missing_values),
    Rule("unclear_exception", _unclear_exception),
    Rule("must_not_execute", _forbidden),
    Rule("guards", _guarded),
)
"""What keeps a candidate that reaches execution from it; it may still assist."""


def _of_category(case: Case) -> float:
    return case.trust.area.safety_factor


def _of_streak(case: Case) -> float:
    # five failures in a row are 0.24: enough by themselves, four are not
    return float(0.75**case.trust.counters.failures_in_a_row)


def _of_voices(case: Case) -> float:
    # five negative voices against none are 0.29: enough by themselves
    counters = case.trust.counters
    return min(1.0, 2 * accepted_share(counters.positive_fb, counters.negative_fb))


SAFETY: tuple[tuple[str, Callable[[Case], float]], ...] = (
    ("category", _of_category),
    ("streak", _of_streak),
    ("voices", _of_voices),
)
"""Factors of the safety score, each from 0 to 1; the document leaves them open."""


def exemplars(content: Mapping[str, Any]) -> list[str]:
    """Give the utterances that vouch for a request: name, exemplars, must match."""
    texts = [content["name"], *content.get("exemplars", ())]
    return [*texts, *content.get("tests", {}).get("must_match", ())]


def _said(state: State, texts: Iterable[str]) -> bool:
    return state.text.strip() in texts


def _evaluated(expression: str, values: Mapping[str, Any]) -> tuple[bool, str]:
    """Give whether an expression holds, and why it cannot be worked out."""
    from experience_pack.text.expressions import ExpressionError, evaluate

    try:
        return bool(evaluate(expression, values)), ""
    except ExpressionError as error:
        return False, f" ({error})"
