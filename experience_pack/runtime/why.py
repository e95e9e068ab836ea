"""Why a decision was taken, in words, and what would have changed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from experience_pack.formats.strict_json import loads
from experience_pack.runtime import audit, gate
from experience_pack.runtime import policy as limits
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.reviewer import AUDIT, FAILED_STEP
from experience_pack.store import Store, experiences

_DECIDED = {
    "execute": "“{name}” ran without a model.",
    "assist": "“{name}” went into the model's input.",
    "hint": "“{name}” was offered as possibly related.",
    "delegate": "Nothing could be used; the model worked alone.",
}
_USES = {
    gate.EXECUTE: "may execute",
    gate.ASSIST: "may assist",
    gate.HINT: "is only possibly related",
    gate.RECALL: "is there to be recalled",
    gate.REJECT: "was turned down",
}


class Change(NamedTuple):
    """Something that would let a candidate go further."""

    action: str
    """`request`, `context`, `authorize`, `approve`, `activate`, `edit`,
    `feedback`, `category`, `provider` or `test`."""
    value: Any
    """What it takes: the words to ask with, the expression that has to hold, …"""
    text: str
    """A sentence for people."""


class _Seen(NamedTuple):
    """One audited candidate beside what it says now."""

    row: Mapping[str, Any]
    content: Mapping[str, Any]
    policy: Policy


def why(store: Store, policy: Policy, decision_id: str) -> dict[str, Any]:
    """Explain a decision; an unknown id is a `NotFoundError`.

    Gives the audit row with `text`, a few sentences, and for each candidate its
    `reasons` and the `changes` (`action`, `value`, `text`) that all together would
    let it do more than it did.
    """
    row = audit.get(store, decision_id)
    listed = [one["id"] for one in row["candidates"]]
    stored = {one.id: one for one in experiences.stored_many(store, listed)}
    explained = []
    for one in row["candidates"]:
        changes: list[Change] = []
        if one["id"] in stored:
            content = loads(stored[one["id"]].content, one["id"])
            changes = [*_changes(_Seen(one, content, policy), row["input"])]
        reasons = [finding["detail"] for finding in one["findings"]]
        explained.append(
            {**one, "reasons": reasons, "changes": [one._asdict() for one in changes]}
        )
    return {**row, "candidates": explained, "text": "\n".join(_told(row, explained))}


def _told(row: Mapping[str, Any], explained: list[dict[str, Any]]) -> Iterator[str]:
    name = row["sources"][0]["name"] if row["sources"] else ""
    yield _DECIDED[row["decision"]].format(name=name)
    if not explained:
        yield "Nothing in the store has anything to do with the request."
    for one in explained:
        figures = f"similarity {one['similarity']:.2f}, trust {one['confidence']:.2f}"
        yield f"- {one['name']} {_USES[one['use']]} ({figures})"
        yield from (f"    because {reason}" for reason in one["reasons"])
        yield from (f"    would change: {change['text']}" for change in one["changes"])


def _changes(seen: _Seen, request: str) -> Iterator[Change]:
    """Give a change for each finding, or for the next tier where there is none."""
    found = [
        change
        for finding in seen.row["findings"]
        if (change := REMEDIES[finding["factor"]](seen)) is not None
    ]
    if seen.row["use"] == gate.HINT and not found:
        found = [*_to_assist(seen)]
    lifted = {change.action for change in found}
    said = request.strip() in gate.exemplars(seen.content)
    if "authorize" in lifted and not said:
        # the guards are asked last, so they had not spoken yet
        found.append(_ask(seen))
    yield from dict.fromkeys(found)


def _to_assist(seen: _Seen) -> Iterator[Change]:
    """Give what takes a hint to an assist: nearer words, or more trust."""
    if seen.row["confidence"] >= limits.STRONG_CONFIDENCE:
        yield _ask(seen)
    else:
        yield _praise(seen)


def _ask(seen: _Seen) -> Change:
    words = gate.exemplars(seen.content)
    nearest = words[1] if len(words) > 1 else words[0]
    return Change("request", nearest, f"ask for it in its own words: “{nearest}”")


def _authorise(seen: _Seen) -> Change:
    return Change("authorize", seen.row["id"], "authorise it for execution")


def _approve(seen: _Seen) -> Change:
    return Change("approve", seen.row["id"], "review and approve its content")


def _activate(seen: _Seen) -> Change:
    return Change("activate", seen.row["id"], "make it active again")


def _praise(seen: _Seen) -> Change:
    text = "feed back that it would have been right (--about)"
    return Change("feedback", seen.row["id"], text)


def _edited(field: str, text: str) -> Callable[[_Seen], Change]:
    return lambda _: Change("edit", field, text)


def _condition(seen: _Seen) -> Change:
    condition = seen.content.get("trigger", {}).get("condition", "")
    return Change("context", condition, f"give a context in which {condition} holds")


def _exception(seen: _Seen) -> Change:
    rules = seen.content.get("exec", {}).get("exception_rules", ())
    listed = [f"not ({rule['if']})" for rule in rules]
    text = f"give a context in which {' and '.join(listed)}"
    return Change("context", " and ".join(listed), text)


def _test(seen: _Seen) -> Change:
    text = "let its tests pass here (`experience-pack pack test` runs them)"
    return Change("test", seen.row["id"], text)


def _values(seen: _Seen) -> Change:
    names = tuple(seen.content.get("requires", ()))
    return Change("context", names, f"give values for {', '.join(names)}")


def _category(_: _Seen) -> Change:
    return Change("category", "general", "put it into a category that may execute")


def _provider(seen: _Seen) -> Change:
    workflow = seen.content.get("exec", {}).get("workflow", ())
    names = tuple(sorted({step["provider"] for step in workflow}))
    text = f"give the providers {', '.join(names)}" if names else "give it a template"
    return Change("provider", names, text)


def _too_weak(seen: _Seen) -> Change:
    weak = seen.row["confidence"] < limits.STRONG_CONFIDENCE
    return _praise(seen) if weak else _ask(seen)


def _nothing(_: _Seen) -> None:
    return None


REMEDIES: Mapping[str, Callable[[_Seen], Change | None]] = {
    "kind": _nothing,
    "status": _activate,
    "unreviewed": _approve,
    "must_not_match": _edited("tests.must_not_match", "take the request off its tests"),
    "delegate_only": _edited("reuse_mode", "clear its reuse mode"),
    "condition": _condition,
    "exception": _exception,
    "safety": _praise,
    "branch_demoted": _praise,
    gate.TOO_WEAK: _too_weak,
    "similarity": _ask,
    "confidence": _authorise,
    "assist_only": _edited("reuse_mode", "clear its reuse mode"),
    "category": _category,
    "nothing_to_run": _provider,
    "not_allowed": _authorise,
    "tests": _test,
    "requires": _values,
    "unclear_exception": _exception,
    "must_not_execute": _ask,
    "guards": _ask,
    FAILED_STEP: _provider,
    AUDIT: _nothing,
}
"""What would have silenced each rule of the gate; a test holds it complete."""
