"""Experiences made from finished work."""

from __future__ import annotations

from typing import Any

from experience_pack.api.core import Core
from experience_pack.learning import review
from experience_pack.learning.compile import Purpose, compile_source
from experience_pack.learning.portability import NAME, PROJECT, Project, freed
from experience_pack.learning.settle import (
    Suggestion,
    compile_suggestions,
    experience_of,
    propose_suggestions,
    suggestions,
    unvalidated,
)
from experience_pack.model.replies import Model
from experience_pack.runtime import lessons
from experience_pack.runtime.feedback import answered_with, request_of
from experience_pack.store import experiences, meta

CONFIRMED = "user_confirmed"


def compile_experience(  # noqa: PLR0913 - the document's signature
    core: Core,
    source: Any,
    source_type: str = "",
    origin_type: str = "llm_compiled",
    *,
    request: str = "",
    llm: Model | None = None,
    dry_run: bool = False,
    portable: bool = False,
) -> str | dict[str, Any]:
    """Make an experience from a text or structured data and give its id.

    With `dry_run` the experience itself is given and nothing is stored. `request`
    is what was asked and becomes an exemplar; without it, the request after which
    this text was fed back as the model's output. Of origin `user_confirmed` it counts
    as approved: the caller answers for its person. `llm` stands in for the host's.
    With `portable` placeholders stand for what ties it to this project.
    """
    decided = answered_with(core.store, source) if isinstance(source, str) else None
    if decided and not request:
        request = request_of(decided)
    compiled = compile_source(
        source,
        Purpose(source_type, origin_type, request),
        llm or core.llm,
        core.settings["max_source_chars"],
    )
    made = compiled.experience
    if portable:
        made = freed(made, project_of(core)).experience
    if dry_run:
        return made.to_dict()
    with core.saving() as tx:
        experiences.save(tx, made, "compiled")
        if decided:
            lessons.label(tx, decided, made.id, means=True)
        meta.add(tx, "compile_count")
        if compiled.enhanced:
            meta.add(tx, "llm_compile_count")
        if core.answers and origin_type == CONFIRMED:
            review.confirm(core.store, tx, made)
    return made.id


def project_of(core: Core) -> Project:
    """Give the project of the runtime's workspace; without one it is nowhere."""
    known = core.host.values
    return Project(known.get(NAME, ""), known.get(PROJECT, ""))


def suggest_compilations(
    core: Core, min_episodes: int = 3, min_occurrence_days: int = 0
) -> list[dict[str, Any]]:
    """Give what came up often enough to be kept, for the person to look at.

    Each is `{mode, key, name, kind, episode_ids, days, tags, base_id, price, product}`;
    `mode` is `method`, `trajectory`, `text` or `variant`, and `product` the experience
    that it would become. Nothing is stored.
    """
    return [
        _shown(one)
        for one in suggestions(
            core.store, min_episodes=min_episodes, min_days=min_occurrence_days
        )
    ]


def suggest_validations(
    core: Core, min_episodes: int = 3, min_occurrence_days: int = 0
) -> list[dict[str, Any]]:
    """Give what would be suggested if a person said that its episodes are right."""
    return [
        _shown(one)
        for one in unvalidated(
            core.store, min_episodes=min_episodes, min_days=min_occurrence_days
        )
    ]


def auto_compile(
    core: Core,
    min_episodes: int = 3,
    min_occurrence_days: int = 0,
    limit: int | None = None,
) -> list[str]:
    """Make experiences of what came up often enough and give their ids.

    They only assist until a person confirms or authorises them. At most `limit`,
    else `auto_compile_limit`, are made, all in one transaction. Where the caller does
    not answer for its person they become proposals, and the ids are those of the
    proposals.
    """
    most = core.settings["auto_compile_limit"] if limit is None else limit
    with core.saving() as tx:
        found = suggestions(tx, min_episodes=min_episodes, min_days=min_occurrence_days)
        if core.answers:
            made = compile_suggestions(core.store, tx, found[:most])
            return [one.id for one in made]
        return [one.id for one in propose_suggestions(tx, found, most)]


def _shown(one: Suggestion) -> dict[str, Any]:
    cluster = one.cluster
    return {
        "mode": cluster.mode,
        "key": cluster.key,
        "name": cluster.name,
        "kind": cluster.kind,
        "episode_ids": [episode.id for episode in cluster.episodes],
        "days": cluster.days,
        "tags": [*cluster.tags],
        "base_id": one.base.id if one.base else "",
        "price": one.price,
        "product": experience_of(one).content(),
    }
