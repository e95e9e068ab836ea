"""What is kept of a decision, so that it can be questioned afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from experience_pack.clock import days_before
from experience_pack.runtime.gate import RECALL, REJECT, Finding, Verdict
from experience_pack.runtime.types import State
from experience_pack.store import Reader, Store, decisions
from experience_pack.store.decisions import Audited
from experience_pack.text.redaction import OPENING, redact

INPUT_CHARS = 2_000
"""Characters of a request that are kept; more is a document, not a request."""

BYTES_PER_TOKEN = 4
"""Of UTF-8: the usual rule of four letters in English, three tokens for four characters
in Chinese."""

_READ = 8 * INPUT_CHARS
"""Characters that are searched for secrets: one may begin before the cut, and what is
taken out makes room for what stood behind it."""


def kept_input(text: str) -> str:
    """Give what is kept of a request: without secrets, and cut."""
    text = text.encode("utf-8", "replace").decode("utf-8")  # half surrogates
    kept = redact(text[:_READ]).text
    whole = len(text) <= _READ and len(kept) <= INPUT_CHARS
    return kept if whole else kept[: INPUT_CHARS - 1] + "…"


def kept_whole(kept: str, input_chars: int) -> bool:
    """Tell whether a request was kept as it was, so that it can be asked again."""
    return len(kept) == input_chars and OPENING not in kept


def row(state: State, result: Mapping[str, Any]) -> dict[str, Any]:
    """Give the audit row of an answer, but for its id, decision and time."""
    categories = [one["category"] for one in result["candidates"]]
    used = {one["id"] for one in result["sources"]}
    classes = [one["category"] for one in result["candidates"] if one["id"] in used]
    return {
        "input": kept_input(state.text),
        "input_chars": len(state.text),
        "prefill_chars": len(result["prefill"]),
        "tokens_saved": _tokens_saved(state.text, result["output"]),
        "candidates": result["candidates"],
        "sources": [
            {key: one[key] for key in ("id", "name", "relation")}
            for one in result["sources"]
        ],
        "class_name": next(iter(classes or categories), ""),
        **{key: result[key] for key in ("tier", "degraded", "composite")},
        "chain_injected": result["chain_injected"],
    }


def _tokens_saved(text: str, output: object) -> int:
    """Give about how many tokens no model had to read and write for an answer."""
    if output is None:
        return 0
    return len(f"{text}{output}".encode("utf-8", "replace")) // BYTES_PER_TOKEN


def candidate(verdict: Verdict) -> dict[str, Any]:
    """Give a candidate as results and audit rows show it."""
    case = verdict.case
    one = case.candidate
    return {
        "id": one.id,
        "name": one.name,
        "kind": one.kind,
        "category": case.trust.area.name,
        "similarity": round(one.similarity, 4),
        "confidence": round(case.trust.confidence, 4),
        "probability": _rounded(one.probability),
        "parts": {
            "rule": round(one.rule, 4),
            "tags": round(one.tags, 4),
            "vector": _rounded(one.vector),
            "bm25": round(one.bm25, 3),
        },
        "matched_by": [*one.matched_by, *(["exemplar"] if case.lifted else [])],
        "use": verdict.use,
        "findings": [_finding(finding) for finding in verdict.findings],
    }


def rejections(verdicts: Iterable[Verdict]) -> Iterator[dict[str, Any]]:
    """Give `{id, name, factor, detail, safety_factors}` for what was turned down."""
    for one in verdicts:
        if one.use == REJECT:
            named = {"id": one.case.candidate.id, "name": one.case.candidate.name}
            yield from ({**named, **_finding(found)} for found in one.findings)


def logs(
    db: Reader, *, limit: int = 50, about: str = "", decision: str = ""
) -> list[dict[str, Any]]:
    """Give decisions, the last first: about one experience or of one kind if asked."""
    listed = decisions.listed(db, limit=limit, about=about, decision=decision)
    return [as_dict(one) for one in listed]


def get(db: Reader, identity: str) -> dict[str, Any]:
    """Give one decision; an unknown id is a `NotFoundError`."""
    return as_dict(decisions.get(db, identity))


def as_dict(one: Audited) -> dict[str, Any]:
    """Give a stored decision under the document's names (R21)."""
    rejected = [
        {"id": found["id"], "name": found["name"], **finding}
        for found in one.data["candidates"]
        if found["use"] == REJECT
        for finding in found["findings"]
    ]
    recalled = [found for found in one.data["candidates"] if found["use"] == RECALL]
    return {
        "decision_id": one.id,
        "decision": one.decision,
        **one.data,
        "rejected": rejected,
        "recall_candidates": recalled,
        "feedback_rating": one.rating,
        "worked": one.worked,
        "created_at": one.created_at,
    }


def cleanup(store: Store, retention_days: float) -> int:
    """Remove decisions older than so many days; give how many. 0 keeps all."""
    if retention_days <= 0:
        return 0
    before = days_before(store.clock(), retention_days)
    with store.transaction() as tx:
        return decisions.remove_before(tx, before)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "factor": finding.factor,
        "detail": finding.detail,
        "safety_factors": dict(finding.safety_factors),
    }
