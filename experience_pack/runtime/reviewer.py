"""Review the candidates of a request: encode, match, gate, run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.runtime import gate
from experience_pack.runtime.branches import arranged
from experience_pack.runtime.budget import Spent, bar_of, spent_of
from experience_pack.runtime.encoder import encode
from experience_pack.runtime.executor import Provider, Ran, run, values_of
from experience_pack.runtime.gate import ASSIST, EXECUTE, REJECT
from experience_pack.runtime.matcher import match
from experience_pack.runtime.policy import (
    ACTING_SHARE,
    AUDIT_SHARE,
    CALIBRATED,
    EXECUTE_SIMILARITY,
    EXECUTING_KINDS,
    Policy,
)
from experience_pack.runtime.semantic import Semantic
from experience_pack.runtime.trust import Judge, Trust
from experience_pack.runtime.types import Candidate, Meant, State
from experience_pack.store import Store, basis
from experience_pack.store.basis import Basis
from experience_pack.store.estimates import Estimate

FAILED_STEP = "failed_step"
"""Factor of an experience that might have executed, but a step of it failed."""

AUDIT = "audit"
"""Factor of an experience that might have executed, and is compared instead."""

CANDIDATES = 10
"""Candidates that are reviewed; a decision comes from the first five, and each
costs the reading of its content."""

Encoder = Callable[[str, Mapping[str, Any]], State]
"""How a host may replace the encoding."""


class Host(NamedTuple):
    """What a host gives to requests beside the store."""

    policy: Policy
    providers: Mapping[str, Provider] = {}
    encoder: Encoder = encode
    chance: Callable[[], float] = lambda: 1.0
    """Random numbers from 0 to 1, for reminders of goals."""
    session: str = ""
    """Task of requests that name none."""
    values: Mapping[str, Any] = {}
    """Names that rules and templates know of every request; its own stand over them."""
    semantic: Semantic | None = None
    """What compares meanings; None leaves it to words."""


class Review(NamedTuple):
    """All candidates of a request with their verdicts, and what was run."""

    verdicts: list[gate.Verdict]
    chosen: gate.Verdict | None = None
    """The first that may execute or assist."""
    ran: Ran | None = None
    """What running the chosen one gave, or the last that was tried."""
    semantic: bool = False
    """Whether meanings were compared."""
    estimate: Estimate | None = None
    """How surely it was meant, to be kept with the decision."""


class Reviewer:
    """Reviews the candidates of one request under one clock."""

    def __init__(self, store: Store, host: Host, state: State) -> None:
        self._host = host
        self._state = state
        self._values = {**host.values, **values_of(state)}
        self.meant = _meant(store, host, state)
        self.found = match(
            store,
            state,
            limit=CANDIDATES,
            min_similarity=host.policy.min_similarity,
            meant=self.meant,
        )
        self._spent = spent_of(store) if self.meant else Spent()
        self._judge = judge_of(store, host.policy, [one.id for one in self.found])
        self._lifted: set[str] = set()
        self._contents = {one.id: one.content for one in self.found}

    def review(self) -> Review:
        """Review from the best match down; what executes ends the review."""
        verdicts: list[gate.Verdict] = []
        chosen, ran = None, None
        weighed = self._arranged()
        for candidate, trust in weighed:
            verdict = gate.judge(self._case(candidate, trust))
            if chosen is None and self._is_audited(verdict):
                finding = gate.Finding(AUDIT, "the model is asked too, to compare")
                verdict = verdict._replace(use=ASSIST, findings=(finding,))
            if chosen is None and verdict.use == EXECUTE:
                ran = self._run(candidate)
                verdict = _after_run(verdict, ran)
            if chosen is None and verdict.use in (EXECUTE, ASSIST):
                chosen = verdict
            verdicts.append(verdict)
            if chosen is not None and chosen.use == EXECUTE:
                break
        ran_surely = chosen is not None and chosen.use == EXECUTE and _surely(chosen)
        estimate = self._estimate(weighed, ran=ran_surely)
        return Review(verdicts, chosen, ran, self.meant is not None, estimate)

    def _estimate(
        self, weighed: Sequence[tuple[Candidate, Trust]], *, ran: bool
    ) -> Estimate | None:
        """Give how surely the first is meant: 0 where it may not execute anyway."""
        if self.meant is None or not self.meant.features:
            return None
        for one, trust in weighed:
            if one.seq == self.meant.first:
                able = may_be_meant(one, trust, self._host.policy)
                sure = (one.probability or 0.0) if able else 0.0
                return Estimate(one.id, sure, ran, self.meant.features)
        return Estimate("", 0.0, ran, self.meant.features)

    def case(self, identity: str) -> gate.Case | None:
        """Give one candidate as the gate sees it, None if it does not match."""
        for candidate, trust in self._arranged():
            if candidate.id == identity:
                return self._case(candidate, trust)
        return None

    def _is_audited(self, verdict: gate.Verdict) -> bool:
        """Tell whether an execution is left to the model, to see what it would say."""
        return (
            verdict.use == EXECUTE
            and _surely(verdict)
            and self._host.chance() < AUDIT_SHARE
        )

    def _bar(self, one: Candidate, trust: Trust) -> float:
        """Give how surely a candidate has to be meant to run."""
        if one.probability is None:
            return 1.0
        allowed = trust.area.budget or self._host.policy.error_budget
        workflow = self._contents[one.id].get("exec", {}).get("workflow")
        return bar_of(allowed * (ACTING_SHARE if workflow else 1.0), self._spent)

    def _arranged(self) -> list[tuple[Candidate, Trust]]:
        trust = self._judge.trust
        weighed = [
            (one, trust(one.id, self._contents[one.id], one.digest, one.standing))
            for one in self.found
        ]
        for one, known in weighed:
            if may_be_meant(one, known, self._host.policy):
                self._lift(one)
        return arranged(weighed)

    def _lift(self, one: Candidate) -> None:
        """Let a candidate be as near as the exemplar that is nearest in meaning."""
        # the tables of words load slower than an answer takes
        from experience_pack.text.agreement import agreement

        exemplars = gate.exemplars(self._contents[one.id])
        found = agreement(self._state.text, exemplars)
        if found > one.similarity:
            one.similarity = found
            self._lifted.add(one.id)

    def _case(self, candidate: Candidate, trust: Trust) -> gate.Case:
        return gate.Case(
            self._state,
            candidate,
            trust,
            self._host.policy,
            self._contents[candidate.id],
            self._values,
            frozenset(self._host.providers),
            candidate.id in self._lifted,
            self._bar(candidate, trust),
        )

    def _run(self, candidate: Candidate) -> Ran:
        execution = self._contents[candidate.id].get("exec", {})
        return run(execution, self._values, self._host.providers)


def _surely(verdict: gate.Verdict) -> bool:
    """Tell whether it executes by its probability, not for saying the same words."""
    case = verdict.case
    return case.candidate.probability is not None and not case.exact


def _meant(store: Store, host: Host, state: State) -> Meant | None:
    if host.semantic is None or host.policy.matching != CALIBRATED:
        return None
    return host.semantic.meant(store, state.text)


def may_be_meant(one: Candidate, trust: Trust, policy: Policy) -> bool:
    """Tell whether only the wording of a request keeps a candidate from running.

    Short texts with a number in other digits, or with a courtesy, share too few
    terms to be near. Then what was confirmed is compared in its normal form.
    """
    return (
        one.kind in EXECUTING_KINDS
        and (one.similarity < EXECUTE_SIMILARITY or one.probability is not None)
        and trust.confidence >= policy.automatic_threshold
        and trust.served
    )


def judge_of(store: Store, policy: Policy, identities: Sequence[str]) -> Judge:
    """Give what weighs some experiences now."""
    return Judge(
        now=store.clock(),
        weights=policy.weights,
        registered=basis.registered_areas(store),
        imported=basis.imported_among(store, identities),
        foreign=basis.foreign_among(store, identities),
    )


def _after_run(verdict: gate.Verdict, ran: Ran) -> gate.Verdict:
    """Turn down what an exception stopped; a failed step leaves it to assist."""
    if ran.answered:
        return verdict
    if ran.exception:
        finding = gate.Finding("exception", f"its exception applies: {ran.exception}")
        return verdict._replace(use=REJECT, findings=(finding,))
    finding = gate.Finding(FAILED_STEP, ran.failure)
    return verdict._replace(use=ASSIST, findings=(finding,))


def serving(store: Store, policy: Policy) -> Callable[[Basis], float | None]:
    """Give a test of what may be shown beside a match: its confidence, or None.

    What sleeps or was put aside, and what came with a pack unreviewed, may not.
    """

    def serves(one: Basis) -> float | None:
        judge = judge_of(store, policy, [one.id])
        trust = judge.trust(one.id, one.content, one.digest, one.standing)
        return trust.confidence if trust.served else None

    return serves
