"""Make experiences of clusters: they assist until a person allows more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from experience_pack.learning import additions
from experience_pack.learning.clusters import (
    TEXT,
    Cluster,
    Group,
    base_of,
    grouped,
    text_clusters,
    variants_of,
)
from experience_pack.learning.inferred import inferred
from experience_pack.learning.served import may_be_evidence
from experience_pack.model import Experience, Proposal, Standing
from experience_pack.store import (
    Reader,
    Store,
    Transaction,
    episodes,
    experiences,
    meta,
    standings,
)

ORIGIN = "auto_compiled"

FIRST_PRICE, PRICE_STEP, MOST = 0.25, 0.05, 0.35
"""Price of a cluster of three, what each more adds, and the most (document)."""


class Suggestion(NamedTuple):
    """A cluster that could become an experience."""

    cluster: Cluster
    base: Experience | None = None
    """What a variant is a branch of."""

    @property
    def price(self) -> float:
        """Give what the experience would be worth before its first use."""
        return price(len(self.cluster.episodes))


def price(size: int) -> float:
    """Give the starting score of a cluster of so many episodes."""
    return min(FIRST_PRICE + PRICE_STEP * max(size - 3, 0), MOST)


def suggestions(
    db: Reader,
    *,
    min_episodes: int = 3,
    min_days: int = 0,
    validated: bool = True,
) -> list[Suggestion]:
    """Give the clusters that nothing was compiled of yet, and nobody turned down.

    Only evidence counts; without `validated` also what would be some if a person said
    that it is right. A variant without a base that was compiled before waits for one.
    """
    kept = episodes.in_order(db, validated=validated)
    listed = [one for one in kept if may_be_evidence(one)]
    compiled = _compiled(db)
    found = [
        suggestion
        for group in grouped(listed)
        for suggestion in _of_group(group, compiled, min_episodes)
    ]
    known = _compiled_texts(compiled)
    found += [
        Suggestion(one)
        for one in text_clusters(listed, min_episodes)
        if known.isdisjoint(episode.id for episode in one.episodes)
    ]
    return [
        one
        for one in found
        if one.cluster.days >= min_days
        and not additions.is_settled(db, one.cluster.source)
    ]


def unvalidated(
    db: Reader, *, min_episodes: int = 3, min_days: int = 0
) -> list[Suggestion]:
    """Give the clusters that would be suggested if a person validated them."""
    found = suggestions(
        db, min_episodes=min_episodes, min_days=min_days, validated=False
    )
    return [
        one
        for one in found
        if not all(episode.user_validated for episode in one.cluster.episodes)
    ]


def _compiled_texts(compiled: Mapping[str, Experience]) -> set[str]:
    """Give the episodes that results were made of; what is like one is known."""
    made = (one for key, one in compiled.items() if key.startswith(f"{TEXT}:"))
    return {identity for one in made for identity in one.origin.episode_ids}


def _of_group(
    group: Group, compiled: Mapping[str, Experience], least: int
) -> Iterator[Suggestion]:
    base = compiled.get(group.key)
    if base is None:
        cluster = base_of(group, least)
        if cluster is not None:
            yield Suggestion(cluster)
        return
    for variant in variants_of(group, base.match.tags, least):
        if variant.source not in compiled:
            yield Suggestion(variant, base)


def compile_suggestions(
    store: Store, tx: Transaction, found: Sequence[Suggestion]
) -> list[Experience]:
    """Store an experience for each suggestion, unapproved, at its price."""
    made = []
    for suggestion in found:
        experience = experience_of(suggestion)
        if suggestion.base is not None and not suggestion.base.family:
            founder = replace(suggestion.base, family=suggestion.base.name)
            experiences.save(tx, founder, "family")
        experiences.save(tx, experience, "compiled of episodes")
        standing = Standing(price=suggestion.price)
        standings.put(tx, (store.installation, experience.id), standing)
        meta.add(tx, "compile_count")
        additions.supersede(tx, suggestion.cluster.source)
        made.append(experience)
    return made


def propose_suggestions(
    tx: Transaction, found: Sequence[Suggestion], most: int
) -> list[Proposal]:
    """Have at most so many experiences wait for a person; give what did not before."""
    fresh: list[Proposal] = []
    for one in found:
        proposal = additions.proposal_of(
            one.cluster.source, experience_of(one), one.price
        )
        if len(fresh) < most and additions.propose(tx, proposal):
            meta.add(tx, "compile_count")
            fresh.append(proposal)
    return fresh


def experience_of(suggestion: Suggestion) -> Experience:
    """Give the experience that a suggestion would become; nothing is stored."""
    return inferred(suggestion.cluster, suggestion.base, ORIGIN)


def _compiled(db: Reader) -> dict[str, Experience]:
    """Give what was compiled before, by the cluster it was made of."""
    ids = [identity for identity, _ in experiences.citing(db)]
    return {
        one.origin.source: one
        for one in experiences.get_many(db, ids).values()
        if one.origin.type == ORIGIN
    }
