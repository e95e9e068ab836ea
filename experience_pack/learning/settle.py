"""Make experiences of clusters: they assist until a person allows more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from experience_pack.learning.clusters import (
    TEXT,
    VARIANT,
    Cluster,
    clusters,
    trajectory_of,
)
from experience_pack.model import (
    Branch,
    Execution,
    Experience,
    Logic,
    Match,
    Origin,
    Standing,
    Step,
    Trigger,
    WorkflowStep,
    new_id,
)
from experience_pack.store import (
    Reader,
    Store,
    Transaction,
    episodes,
    experiences,
    meta,
    standings,
)
from experience_pack.text.tokens import derive_keywords

ORIGIN = "auto_compiled"

FIRST_PRICE, PRICE_STEP, MOST = 0.25, 0.05, 0.35
"""Price of a cluster of three, what each more adds, and the most (document)."""


class Suggestion(NamedTuple):
    """A cluster that could become an experience."""

    cluster: Cluster
    base: Experience | None = None
    """What a variant is a branch of."""


def price(size: int) -> float:
    """Give the starting score of a cluster of so many episodes."""
    return min(FIRST_PRICE + PRICE_STEP * max(size - 3, 0), MOST)


def suggestions(
    db: Reader, *, min_episodes: int = 3, min_days: int = 0
) -> list[Suggestion]:
    """Give the clusters that nothing was compiled of yet.

    A variant without a base that was compiled before it waits for one.
    """
    compiled = _compiled(db)
    listed = reversed(episodes.entries(db))
    found = []
    for cluster in clusters(listed, min_episodes):
        base = compiled.get((cluster.key, ()))
        done = (cluster.key, cluster.tags) in compiled
        waits = cluster.mode == VARIANT and base is None
        if not (done or waits) and cluster.days >= min_days:
            found.append(Suggestion(cluster, base if cluster.tags else None))
    return found


def compile_suggestions(
    store: Store, tx: Transaction, found: Sequence[Suggestion]
) -> list[Experience]:
    """Store an experience for each suggestion, unapproved, at its price."""
    made = []
    for suggestion in found:
        experience = _experience(suggestion)
        if suggestion.base is not None and not suggestion.base.family:
            founder = replace(suggestion.base, family=suggestion.base.name)
            experiences.save(tx, founder, "family")
        experiences.save(tx, experience, "compiled of episodes")
        standing = Standing(price=price(len(suggestion.cluster.episodes)))
        standings.put(tx, (store.installation, experience.id), standing)
        meta.add(tx, "compile_count")
        made.append(experience)
    return made


def _compiled(db: Reader) -> dict[tuple[str, tuple[str, ...]], Experience]:
    """Give what was compiled before, by key and tags of the variant."""
    ids = [identity for identity, _ in experiences.citing(db)]
    return {
        (one.origin.source, _variant_tags(one)): one
        for one in experiences.get_many(db, ids).values()
        if one.origin.type == ORIGIN
    }


def _variant_tags(experience: Experience) -> tuple[str, ...]:
    own = experience.match.tags if experience.parent_id else ()
    return tuple(sorted(own[1:]))


def _experience(suggestion: Suggestion) -> Experience:
    cluster, base = suggestion
    last = cluster.episodes[-1]
    words = derive_keywords(f"{cluster.name} {' '.join(cluster.tags)}")
    tags = (last.type, *cluster.tags)
    suffix = f" ({', '.join(cluster.tags)})" if cluster.tags else ""
    kind = cluster.kind
    return Experience(
        id=new_id(),
        kind=kind,
        name=cluster.name + suffix,
        family=(base.family or base.name) if base else "",
        parent_id=base.id if base else "",
        reuse_mode="assist_only" if kind == "process" else "",
        trigger=Trigger(event=last.type, frequency="recurring"),
        match=Match(tags=tags, keywords=words),
        logic=_logic(cluster),
        exec=_execution(cluster),
        origin=Origin(
            type=ORIGIN,
            source=cluster.key,
            reason=f"came up {len(cluster.episodes)} times",
            episode_ids=tuple(one.id for one in cluster.episodes),
        ),
    )


def _logic(cluster: Cluster) -> Logic:
    """Give path, counter-measures and references of what was done."""
    steps = trajectory_of(cluster.episodes[-1])
    path = [Step(action=str(one["action"]), tool=_tool(one)) for one in steps]
    if not path and cluster.mode != TEXT:
        lines = cluster.episodes[-1].text.splitlines()
        path = [Step(action=line.strip()) for line in lines if line.strip()]
    failures = {
        (str(step["action"]), str(step.get("error", "")))
        for one in cluster.episodes
        for step in trajectory_of(one)
        if step.get("ok") is False
    }
    branches = [Branch(if_=action, then=error) for action, error in sorted(failures)]
    cited = [ref for one in cluster.episodes for ref in _references(one.meta)]
    return Logic(
        path=tuple(path),
        branches=tuple(branches),
        references=tuple(dict.fromkeys(cited)),
    )


def _execution(cluster: Cluster) -> Execution:
    if cluster.kind == "result":
        text = cluster.episodes[-1].text.replace("{", "{{").replace("}", "}}")
        return Execution(template={"reply": text})
    if cluster.kind == "reflex":
        steps = trajectory_of(cluster.episodes[-1])
        return Execution(
            workflow=tuple(
                WorkflowStep(name=str(one["action"]), provider=_tool(one))
                for one in steps
            )
        )
    return Execution()


def _tool(step: Mapping[str, object]) -> str:
    return str(step.get("tool", ""))


def _references(given: Mapping[str, object]) -> list[str]:
    found = given.get("references", ())
    listed = found if isinstance(found, list | tuple) else ()
    return [one for one in listed if isinstance(one, str)]
