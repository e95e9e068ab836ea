"""Answer a request and write down what was decided."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from experience_pack.errors import AccessError, UsageError
from experience_pack.runtime import audit, composer, gate, goals
from experience_pack.runtime.assembly import chain, parts
from experience_pack.runtime.composer import MATCH, PART, Source
from experience_pack.runtime.gate import ASSIST, EXECUTE, HINT, RECALL, REJECT
from experience_pack.runtime.policy import METHOD_KINDS
from experience_pack.runtime.reviewer import (
    FAILED_STEP,
    Host,
    Review,
    Reviewer,
    serving,
)
from experience_pack.runtime.types import State
from experience_pack.store import (
    Store,
    Transaction,
    decisions,
    deliveries,
    estimates,
    served,
)

DELEGATE = "delegate"
"""Decision that leaves a request to the model alone."""

OFF = "off"
"""Setting by which no lessons are delivered."""

_ACTIONS = {EXECUTE: "bypass", ASSIST: "assist", HINT: "assist", DELEGATE: "proceed"}


def request(
    store: Store, host: Host, text: str, context: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give the answer to one request, as the document's row R1 has it.

    Keys: `decision` (`execute`, `assist`, `hint`, `delegate`), `output`, `prefill`,
    `origin`, `sources`, `candidates`, `rejected`, `recall_candidates`,
    `decision_id`, `chain_injected`, `composite`, `tier`, `degraded`. One audit row
    is written; where the store may only be read, `decision_id` is empty.
    """
    found = _answer(store, host, text, context)
    found.record()
    return found.result


def answer(
    store: Store, host: Host, text: str, context: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give the answer to a request as `request` does, and write nothing."""
    return _answer(store, host, text, context).result


def _answer(
    store: Store, host: Host, text: str, context: Mapping[str, Any] | None
) -> _Answer:
    if not isinstance(text, str):
        raise UsageError(f"a request is a text, not a {type(text).__name__}")
    state = host.encoder(text, context or {})
    return _Answer(store, host, state, Reviewer(store, host, state).review())


def before_llm(result: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a host does with an answer: `bypass`, `assist` or `proceed`.

    `bypass` has an `output`; the others a `prefill` where there is one, and all a
    `decision_id` to feed back to.
    """
    action = _ACTIONS[result["decision"]]
    found = {"action": action, "decision_id": result["decision_id"]}
    if action == "bypass":
        return {**found, "output": result["output"]}
    if action == "assist":
        return {**found, "prefill": result["prefill"], "sources": result["sources"]}
    return {**found, "prefill": result["prefill"]} if result["prefill"] else found


def written(value: object) -> str:
    """Give an output as hosts show it: a text as it is, named values as JSON."""
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False, indent=2)


class _Answer:
    def __init__(self, store: Store, host: Host, state: State, review: Review) -> None:
        self._store = store
        self._host = host
        self._state = state
        self._review = review
        self._sources, self._decision, self._composite = self._decided()
        chained = self._decision in (ASSIST, HINT)
        self._chain = [*self._based()] if chained else []
        self._reminding = None
        if self._decision != EXECUTE:
            self._reminding = goals.due(
                store, state, host.policy, host.session, host.chance
            )
        self._lessons: list[tuple[str, str]] = []
        self.result = self._given()

    def record(self) -> None:
        """Write the audit row, counts, reminders, and a failed step's feedback."""
        identity = f"dec_{os.urandom(16).hex()}"
        lost = [one for one in self._review.verdicts if _failed(one)]
        try:
            # what only informs may wait for the disk, a changed standing may not
            with self._store.transaction(durable=bool(lost)) as tx:
                row = audit.row(self._state, self.result)
                decisions.put(tx, identity, self._decision, row)
                decisions.count_all(tx, self._counts())
                if self._review.estimate:
                    estimates.put(tx, identity, self._review.estimate)
                for text in _served(self.result):
                    served.note(tx, text)
                if self._reminding:
                    goals.note(tx, self._reminding)
                if self._lessons:
                    session = self._host.session
                    deliveries.put_all(tx, identity, session, self._lessons)
                if lost:
                    self._feed_back(tx, lost)
        except AccessError:
            return
        self.result["decision_id"] = identity

    def _feed_back(self, tx: Transaction, lost: list[gate.Verdict]) -> None:
        # the records of standings load slower than an answer takes
        from experience_pack.runtime.feedback import failed

        for one in lost:
            failed(self._store, tx, one.case.candidate.id, self._host.policy)

    def _given(self) -> dict[str, Any]:
        sources = [*self._sources, *self._chain]
        ran = self._review.ran
        verdicts = self._review.verdicts
        semantic = self._review.semantic
        prefill = self._prefill(sources)
        return {
            "decision": self._decision,
            "output": ran.output if ran and self._decision == EXECUTE else None,
            "prefill": prefill,
            "origin": _origin(self._sources[0]) if self._sources else {},
            "sources": [one.to_dict() for one in sources],
            "candidates": [audit.candidate(one) for one in verdicts],
            "rejected": [*audit.rejections(verdicts)],
            "recall_candidates": [
                audit.candidate(one) for one in verdicts if one.use == RECALL
            ],
            "decision_id": "",
            "chain_injected": [one.id for one in self._chain],
            "composite": self._composite,
            "tier": "semantic" if semantic else "lexical",
            "degraded": not semantic,
        }

    def _decided(self) -> tuple[list[Source], str, bool]:
        """Give the direct sources, the decision, and whether it is a composite."""
        chosen, verdicts = self._review.chosen, self._review.verdicts
        if chosen is not None and chosen.use == EXECUTE:
            return [_source(chosen, MATCH)], EXECUTE, False
        leaders = [chosen] if chosen is not None else []
        hints = [one for one in verdicts if one.use == HINT]
        first = next(iter(leaders or hints), None)
        if first is None:
            return [], DELEGATE, False
        if composed := self._composed(first):
            return composed, ASSIST, True
        return [_source(first, MATCH)], ASSIST if leaders else HINT, False

    def _composed(self, first: gate.Verdict) -> list[Source]:
        """Give the parts of a composite that the first candidate is one of."""
        if first.case.candidate.kind not in METHOD_KINDS:
            return []
        offered = [
            (_source(one, PART), one.case.candidate.family)
            for one in self._review.verdicts
            if one.case.candidate.kind in METHOD_KINDS and one.use in (ASSIST, HINT)
        ]
        found = parts(self._state, offered, self._host.policy)
        ids = [one.id for one in found]
        return found if first.case.candidate.id in ids else []

    def _based(self) -> Iterator[Source]:
        """Give what the direct sources build on, each once."""
        seen = {one.id for one in self._sources}
        serves = serving(self._store, self._host.policy)
        for source in self._sources:
            for basis in chain(self._store, source.content, source.id, serves):
                if basis.id not in seen:
                    seen.add(basis.id)
                    yield basis

    def _prefill(self, sources: list[Source]) -> str:
        chinese = composer.is_chinese(self._state.text)
        sections = []
        if self._decision in (ASSIST, HINT):
            sections.append(
                composer.prefill(
                    sources,
                    chinese=chinese,
                    hint=self._decision == HINT,
                    composite=self._composite,
                )
            )
        if self._reminding:
            shown = self._reminding.titles
            sections.append(composer.reminder(shown, chinese=chinese))
        if told := self._briefed(chinese=chinese):
            sections.append(told)
        return "\n\n".join(sections)

    def _briefed(self, *, chinese: bool) -> str:
        """Give the lessons that go with the request, where there are any."""
        policy, store = self._host.policy, self._store
        ran = self._decision == EXECUTE
        if ran or policy.lessons == OFF or not deliveries.any_lessons(store):
            return ""
        from experience_pack.runtime.briefing import brief

        found = brief(store, self._state, policy, self._host.session, chinese=chinese)
        self._lessons = [(one.id, one.digest) for one in found.lessons]
        return found.text

    def _counts(self) -> Iterator[tuple[str, str]]:
        """Give `(experience, decision)` for each candidate that was reviewed."""
        used = {one.id for one in self._sources}
        for one in self._review.verdicts:
            identity = one.case.candidate.id
            if identity in used:
                yield identity, self._decision
            elif one.use == REJECT:
                yield identity, "reject"
            elif self._decision == DELEGATE:
                yield identity, DELEGATE


def _served(result: Mapping[str, Any]) -> Iterator[str]:
    """Give what a model, or a person in its place, is about to read of us."""
    if result["prefill"]:
        yield result["prefill"]
    if result["output"] is not None:
        yield written(result["output"])


def _failed(verdict: gate.Verdict) -> bool:
    return any(one.factor == FAILED_STEP for one in verdict.findings)


def _source(verdict: gate.Verdict, relation: str) -> Source:
    case = verdict.case
    return Source(
        case.candidate.id,
        case.content,
        case.candidate.similarity,
        case.trust.confidence,
        relation,
        case.trust.area.require_evidence,
    )


def _origin(source: Source) -> dict[str, Any]:
    """Give where the first source comes from."""
    stated = source.content.get("origin", {})
    return {
        "id": source.id,
        "name": source.content["name"],
        "kind": source.content["kind"],
        **{key: stated.get(key, "") for key in ("type", "source", "reason")},
        "similarity": round(source.similarity, 4),
        "confidence": round(source.confidence, 4),
    }
