"""Feedback: what came of a decision changes the standing of what it used."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experience_pack.errors import UsageError
from experience_pack.model import Category, Experience, Standing, price_of
from experience_pack.model.categories import CATEGORIES, category_of
from experience_pack.model.confidence import (
    Conditions,
    Outcome,
    after_feedback,
    after_tick,
    level,
    score,
    terms,
)
from experience_pack.model.formula import Foreign, foreign_of
from experience_pack.model.values import Json
from experience_pack.runtime import lessons
from experience_pack.runtime.audit import kept_whole
from experience_pack.runtime.composer import PREREQUISITE
from experience_pack.runtime.policy import Policy
from experience_pack.store import (
    Reader,
    Store,
    Transaction,
    basis,
    categories,
    decisions,
    experiences,
    standings,
)
from experience_pack.text.tokens import task_tokens

USED_SHARE = 0.3
"""Share of an experience's words that an output has when it followed it: a
method put into other words keeps a third, another subject hardly a tenth."""

REFUSALS = (
    "i can't", "i cannot", "i'm unable", "i am unable", "does not apply",
    "doesn't apply", "not applicable", "无法完成", "不能完成", "不适用", "无法执行",
)  # fmt: skip
"""What a model says, at the beginning, where the experience did not help."""

REFUSAL_CHARS = 200
"""Characters of an output in which a refusal counts; later on it is a quotation."""


def feedback(
    store: Store,
    policy: Policy,
    decision_id: str,
    *,
    llm_output: str | None = None,
    user_rating: int | None = None,
    about: str = "",
) -> dict[str, Any]:
    """Note what came of a decision; give what that changed.

    A rating above zero says that it worked, below that it did not. Without one an
    executed decision worked, and an assisted one if the output follows the
    experience. A use counts once; only a rating that contradicts it counts again.
    With `about` a rating is of one candidate alone, which may have been turned down.
    Gives `{decision_id, worked, rating, experiences}`, these with score and level.
    """
    if user_rating is not None and type(user_rating) is not int:
        raise UsageError(f"a rating is a whole number, not {user_rating!r}")
    with store.transaction() as tx:
        decided = decisions.get(tx, decision_id)
        if about:
            return _rated_apart(store, tx, policy, decided, about, user_rating or 0)
        found = _used(tx, decided.data)
        worked = _worked(decided.decision, [*found.values()], llm_output, user_rating)
        again = decided.worked is not None and decided.worked == worked
        hashed = _hash(llm_output)
        outcome = Outcome(
            worked=None if again else worked,
            rating=0 if user_rating == decided.rating else user_rating or 0,
            output_hash=hashed,
        )
        changed = [
            apply(store, tx, experience, outcome, policy)
            for experience in found.values()
        ]
        decisions.rate(tx, decision_id, user_rating, worked=worked, output_hash=hashed)
        lessons.note(tx, decided, [*found], worked=worked, rating=user_rating)
    return {
        "decision_id": decision_id,
        "worked": worked,
        "rating": user_rating if user_rating is not None else decided.rating,
        "experiences": changed,
    }


def _rated_apart(
    store: Store,
    tx: Transaction,
    policy: Policy,
    decided: decisions.Audited,
    about: str,
    rating: int,
) -> dict[str, Any]:
    """Note what a person says of one candidate, whatever was decided."""
    if about not in [one["id"] for one in decided.data["candidates"]]:
        raise UsageError(f"{about} was no candidate of {decided.id}")
    if not rating:
        raise UsageError("say whether it was right: a rating above or below zero")
    worked = rating > 0
    outcome = Outcome(worked=worked, rating=rating)
    changed = apply(store, tx, experiences.get(tx, about), outcome, policy)
    lessons.apart(tx, decided, about, means=worked)
    return {
        "decision_id": decided.id,
        "worked": worked,
        "rating": rating,
        "experiences": [changed],
    }


def answered_with(db: Reader, output: str) -> decisions.Audited | None:
    """Give the decision after which a model last gave this output, or None."""
    return decisions.answered_with(db, _hash(output))


def request_of(decided: decisions.Audited) -> str:
    """Give the request of a decision; nothing if it was cut or redacted."""
    kept = str(decided.data["input"])
    return kept if kept_whole(kept, decided.data["input_chars"]) else ""


def failed(store: Store, tx: Transaction, identity: str, policy: Policy) -> None:
    """Note that an experience failed as it ran."""
    experience = experiences.get(tx, identity)
    apply(store, tx, experience, Outcome(worked=False), policy)


def apply(
    store: Store,
    tx: Transaction,
    experience: Experience,
    outcome: Outcome,
    policy: Policy,
) -> dict[str, Any]:
    """Change the standing of one experience; give its id, name, score and level."""
    conditions = conditions_of(tx, store, experience, policy)
    standing = after_feedback(current(tx, store, experience), outcome, conditions)
    standings.put(tx, (store.installation, experience.id), standing)
    decisions.clear_counts(tx, experience.id)
    points = score(standing, conditions)
    return {
        "id": experience.id,
        "name": experience.name,
        "score": points,
        "level": level(points),
        "status": standing.status,
    }


def current(db: Reader, store: Store, experience: Experience) -> Standing:
    """Give the standing of an experience here, with the decisions counted since."""
    known = standings.own(db, store.installation, experience.id)
    standing = known or Standing(price=price_of(experience.origin.type))
    return _with_counts(standing, decisions.counts_of(db, experience.id))


def conditions_of(
    db: Reader, store: Store, experience: Experience, policy: Policy
) -> Conditions:
    """Give what the standing of an experience is judged under now."""
    entry = experiences.entry(db, experience.id)
    return _Bench(db, store, policy).conditions(
        experience, entry.digest if entry else ""
    )


class _Bench:
    """What standings are judged under now, read once for many experiences."""

    def __init__(self, db: Reader, store: Store, policy: Policy) -> None:
        self._db = db
        self._now = store.clock()
        self._weights = policy.weights
        self._categories = {**CATEGORIES, **categories.registered(db)}

    def conditions(self, experience: Experience, digest: str) -> Conditions:
        """Give the conditions of one experience, whose content has a digest."""
        name = category_of(experience.category, experience.family)
        return Conditions(
            now=self._now,
            digest=digest,
            category=self._categories.get(name) or Category(name=name),
            weights=self._weights,
            foreign=foreign_of(self._others(experience.id), self._now),
        )

    def _others(self, identity: str) -> Sequence[Mapping[str, Json]]:
        return basis.foreign_among(self._db, [identity]).get(identity, ())


def _with_counts(standing: Standing, counted: Mapping[str, int]) -> Standing:
    counts = standing.decision_counts
    for decision, times in counted.items():
        name = _COUNTERS[decision]
        counts = replace(counts, **{name: getattr(counts, name) + times})
    return replace(standing, decision_counts=counts)


def score_terms(store: Store, policy: Policy, identity: str) -> dict[str, Any]:
    """Give every term of the formula for an experience, its score and its level.

    `earned` is the score by what was seen here, `from_others` what others' counters
    add to it or take away, `others` what these counted.
    """
    experience = experiences.get(store, identity)
    standing = current(store, store, experience)
    conditions = conditions_of(store, store, experience, policy)
    found = terms(standing, conditions)
    names = ("prediction", "prior", "frequency", "acceptance", "freshness")
    more = ("stability", "product", "cap", "floor", "score", "earned")
    return {
        "id": experience.id,
        "name": experience.name,
        **{name: getattr(found, name) for name in (*names, *more)},
        "from_others": found.score - found.earned,
        "others": _others_of(store, experience.id, conditions.foreign),
        "weights": {
            name: getattr(policy.weights, name)
            for name in ("base", "uf", "ua", "freshness")
        },
        "level": level(found.score),
        "status": standing.status,
        "confidence": standing.to_dict(),
    }


def _others_of(db: Reader, identity: str, worth: Foreign) -> dict[str, Any]:
    """Give what others counted, and what that is worth in outcomes of one's own."""
    rows = basis.foreign_among(db, [identity]).get(identity, [])
    return {
        "installations": len(rows),
        "success_count": sum(row.get("success_count", 0) for row in rows),
        "failure_count": sum(row.get("failure_count", 0) for row in rows),
        "worth": round(worth.successes + worth.failures, 4),
    }


def tick(store: Store, policy: Policy) -> dict[str, int]:
    """Let recent use of everything fade; give how many faded and fell asleep."""
    asleep = 0
    changed = []
    settle_counts(store)
    with store.transaction() as tx:
        bench = _Bench(tx, store, policy)
        digests = experiences.digests(tx)
        mine = standings.seen_here(tx)
        for one in experiences.get_many(tx, [*mine]).values():
            before = mine[one.id]
            after = after_tick(before, bench.conditions(one, digests[one.id]))
            asleep += before.status == "active" and after.status == "sleeping"
            changed.append(((store.installation, one.id), after))
        standings.put_all(tx, changed)
    return {"experiences": len(changed), "fell_asleep": asleep}


def settle_counts(store: Store) -> None:
    """Let counts of decisions join the standings, so that they can travel."""
    waiting = decisions.counted(store)
    if not waiting:
        return
    with store.transaction() as tx:
        for experience in experiences.get_many(tx, waiting).values():
            standing = current(tx, store, experience)
            standings.put(tx, (store.installation, experience.id), standing)
            decisions.clear_counts(tx, experience.id)


_COUNTERS = {
    "execute": "executed",
    "assist": "assisted",
    "delegate": "delegated",
    "reject": "rejected",
    "hint": "hinted",
}


def _used(db: Reader, data: Mapping[str, Any]) -> dict[str, Experience]:
    """Give what a decision used itself, not what that builds on."""
    ids = [one["id"] for one in data["sources"] if one["relation"] != PREREQUISITE]
    return experiences.get_many(db, ids)


def _worked(
    decision: str,
    used: list[Experience],
    output: str | None,
    rating: int | None,
) -> bool | None:
    """Tell whether a decision worked, None when nobody can tell."""
    if rating:
        return rating > 0
    if decision == "execute":
        return True
    if not (used and output):
        return None
    begin = output[:REFUSAL_CHARS].casefold().replace("’", "'")
    if any(phrase in begin for phrase in REFUSALS):
        return False
    return True if any(_followed(one, output) for one in used) else None


def _followed(experience: Experience, output: str) -> bool:
    """Tell whether an output has enough of the words of an experience."""
    logic = experience.logic
    texts = [experience.name, logic.goal, *(step.action for step in logic.path)]
    texts += [one for one in experience.exec.template.values() if isinstance(one, str)]
    words = set(task_tokens(" ".join(texts)))
    said = output.casefold()
    return sum(word in said for word in words) >= USED_SHARE * max(len(words), 1)


def _hash(output: str | None) -> str:
    """Give a hash of an output that blanks and case do not change."""
    if not output:
        return ""
    text = " ".join(output.casefold().split())
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
