"""Run the tests that an experience brings, on the store that is to serve it.

Each request goes through the real runtime beside everything that is here, in a copy
in memory and with the experience approved and authorised, so that the answer is the
one that it would give once a person had allowed it. No provider is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.model import (
    Authorisation,
    Experience,
    Standing,
    Tested,
    price_of,
)
from experience_pack.model.confidence import AUTOMATIC
from experience_pack.runtime.gate import EXECUTE, REJECT
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.request import answer
from experience_pack.runtime.reviewer import FAILED_STEP, Host
from experience_pack.store import Store, Transaction, basis, experiences, standings

MISSED = "missed"
"""Outcome for an experience that was no candidate at all."""

EXPECTATIONS: Mapping[str, tuple[str, ...]] = {
    "must_match": (REJECT, MISSED),
    "must_not_match": (EXECUTE, "assist", "hint", "recall"),
    "must_not_execute": (EXECUTE,),
}
"""Each list of tests with the outcomes that are a failure of it."""


CONTEXTUAL = ("condition",)
"""Rules that ask for values of the work at hand, which no test can give."""


class Trial(NamedTuple):
    """One request of an experience's tests, and what came of it."""

    id: str
    """The experience."""
    name: str
    digest: str
    """Content digest that was tried."""
    expected: str
    """A key of `EXPECTATIONS`."""
    request: str
    outcome: str
    """`execute`, `assist`, `hint`, `recall`, `reject` or `missed`."""
    rule: str
    """Rule of the gate that decided, empty where none spoke against it."""
    detail: str
    """What the rule says."""

    @property
    def passed(self) -> bool:
        """Tell whether it went as the test wants, as far as a test can tell."""
        found = self.expected == "must_match" and self.rule in CONTEXTUAL
        return found or self.outcome not in EXPECTATIONS[self.expected]

    def to_dict(self) -> dict[str, Any]:
        """Give the trial as JSON."""
        return {**self._asdict(), "passed": self.passed}


def has_tests(one: Experience) -> bool:
    """Tell whether an experience brings any tests."""
    return any(getattr(one.tests, kind) for kind in EXPECTATIONS)


def try_out(
    store: Store, policy: Policy, given: Sequence[Prepared]
) -> tuple[Trial, ...]:
    """Run the tests of experiences as they would stand here; nothing is written."""
    tried = [one for one in given if has_tests(one.experience)]
    if not tried:
        return ()
    copy = store.copied()
    with copy.transaction() as tx:
        experiences.save_prepared(tx, given)
    try:
        return tuple(trial for one in tried for trial in _tried(copy, policy, one))
    finally:
        copy.close()


def record(tx: Transaction, trials: Iterable[Trial]) -> list[str]:
    """Keep what came of trials beside what is known here; give the ids that failed."""
    failures: dict[tuple[str, str], list[Trial]] = {}
    for one in trials:
        listed = failures.setdefault((one.id, one.digest), [])
        if not one.passed:
            listed.append(one)
    for (identity, digest), failed in failures.items():
        tested = Tested(digest=digest, failure=failure_of(failed), at=tx.now)
        standing = _standing(tx, identity)
        standings.put(
            tx, (standings.here(tx), identity), replace(standing, tested=tested)
        )
    return [identity for (identity, _), failed in failures.items() if failed]


def retry(store: Store, policy: Policy, identities: Sequence[str]) -> tuple[Trial, ...]:
    """Run the tests of what is here, and keep the outcome for what packs brought."""
    found = experiences.get_many(store, identities)
    if not any(map(has_tests, found.values())):
        return ()
    trials = try_out(store, policy, [prepare(found[one]) for one in sorted(found)])
    brought = basis.imported_among(store, [*found])
    with store.transaction() as tx:
        record(tx, [one for one in trials if one.id in brought])
    return trials


def failure_of(failed: Sequence[Trial]) -> str:
    """Give the first failure as a sentence, and how many more there are."""
    if not failed:
        return ""
    first = failed[0]
    why = f" ({first.detail})" if first.detail else ""
    text = f"{first.expected} “{first.request}”: {first.outcome}{why}"
    return f"{text}; {len(failed) - 1} more" if len(failed) > 1 else text


def _tried(copy: Store, policy: Policy, one: Prepared) -> Iterator[Trial]:
    """Try one experience alone with all rights; the others wait as they came."""
    identity = one.experience.id
    key = (copy.installation, identity)
    known = standings.own(copy, *key)
    with copy.transaction() as tx:
        standings.put(tx, key, _allowed(tx, identity, one.digest))
    host = Host(policy, dict.fromkeys(_providers(one.experience), _absent))
    for kind in EXPECTATIONS:
        for request in getattr(one.experience.tests, kind):
            result = answer(copy, host, request)
            outcome = _outcome(identity, result)
            about = (identity, one.experience.name, one.digest)
            yield Trial(*about, kind, request, *outcome)
    with copy.transaction() as tx:
        if known is None:
            standings.remove(tx, [key])
        else:
            standings.put(tx, key, known)


def _allowed(tx: Transaction, identity: str, digest: str) -> Standing:
    return replace(
        _standing(tx, identity),
        status="active",
        approved_digest=digest,
        authorisation=Authorisation(digest=digest, score=AUTOMATIC),
        tested=Tested(digest=digest),
    )


def _standing(tx: Transaction, identity: str) -> Standing:
    known = standings.own(tx, standings.here(tx), identity)
    if known is not None:
        return known
    return Standing(price=price_of(experiences.get(tx, identity).origin.type))


def _outcome(identity: str, result: Mapping[str, Any]) -> tuple[str, str, str]:
    """Give outcome, rule and detail of one experience in an answer."""
    for one in result["candidates"]:
        if one["id"] != identity:
            continue
        rules = {each["factor"]: each["detail"] for each in one["findings"]}
        if FAILED_STEP in rules:
            # nothing held it back; only the provider was not there
            return EXECUTE, FAILED_STEP, rules[FAILED_STEP]
        rule, detail = next(iter(rules.items()), ("", ""))
        return one["use"], rule, detail
    if result["decision"] == EXECUTE:
        name = result["sources"][0]["name"]
        return MISSED, "another", f"“{name}” executes on it"
    return MISSED, "no_candidate", "it is not among the candidates"


def _providers(one: Experience) -> Iterator[str]:
    return (step.provider for step in one.exec.workflow)


def _absent(_params: Mapping[str, Any], _state: Mapping[str, Any]) -> Any:
    raise LookupError("tests call no provider")
