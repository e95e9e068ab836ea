"""Experiences as they are kept: reading, editing, versions, families, categories."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experience_pack.api.core import Core
from experience_pack.errors import UsageError
from experience_pack.formats.canonical import digest
from experience_pack.formats.v2 import normalize_experience, to_v2
from experience_pack.learning import review, served
from experience_pack.learning.authorise import authorise
from experience_pack.model import Category, Episode, Experience, new_id, read_record
from experience_pack.model.categories import CATEGORIES, category_of
from experience_pack.model.confidence import AUTOMATIC, level, score
from experience_pack.runtime import trials
from experience_pack.runtime.composer import evidence_of
from experience_pack.runtime.feedback import conditions_of, current
from experience_pack.store import (
    Transaction,
    categories,
    episodes,
    experiences,
    families,
    versions,
)
from experience_pack.text.redaction import redact, redact_values


def create_experience(core: Core, document: Mapping[str, Any]) -> str:
    """Store an experience of the v2 format and give its id.

    The caller answers for its person: content of origin `user_confirmed` counts as
    approved, any other may only assist. Counters of the document are not taken.
    """
    experience = normalize_experience(document).experience
    with core.saving() as tx:
        if experiences.entry(tx, experience.id):
            raise UsageError(
                f"{experience.id} is here already",
                hint="update_experience() changes it.",
            )
        experiences.save(tx, experience, "created")
        if core.answers and experience.origin.type == "user_confirmed":
            review.confirm(core.store, tx, experience)
    return experience.id


def get_experience(core: Core, experience_id: str) -> dict[str, Any]:
    """Give one experience in the v2 format, with its confidence here."""
    experience = experiences.get(core.store, experience_id)
    standing = current(core.store, core.store, experience)
    conditions = conditions_of(core.store, core.store, experience, core.host.policy)
    points = score(standing, conditions)
    found: dict[str, Any] = to_v2(experience, standing, points, level(points))
    return found


def list_experiences(
    core: Core, kind: str = "", category: str = "", family: str = ""
) -> list[dict[str, Any]]:
    """Give `{id, kind, name, category, family, …}`, the last changed first."""
    wanted = {"kind": kind, "category": category, "family": family}
    given = {key: value for key, value in wanted.items() if value}
    return [
        entry._asdict()
        for entry in experiences.entries(core.store)
        if all(getattr(entry, key) == value for key, value in given.items())
    ]


def update_experience(
    core: Core, experience_id: str, note: str = "", **fields: Any
) -> dict[str, Any]:
    """Change fields of an experience; the old content stays a version.

    An approval follows the edit, an authorisation does not: it was given for the
    old text.
    """
    before = experiences.get(core.store, experience_id)
    document = {**before.to_dict(), **fields, "id": experience_id}
    after = read_record(Experience, document, experience_id)
    _save(core, before, after, note or f"changed {', '.join(fields)}")
    return get_experience(core, experience_id)


def delete_experience(core: Core, experience_id: str, reason: str = "") -> None:
    """Delete an experience; a tombstone and its versions stay."""
    with core.saving() as tx:
        experiences.delete(tx, experience_id, reason)


def get_versions(core: Core, experience_id: str) -> list[dict[str, Any]]:
    """Give `[{id, note, created_at}]`, the newest first."""
    listed = versions.of(core.store, experience_id)
    return [
        {"id": one.id, "note": one.note, "created_at": one.created_at} for one in listed
    ]


def restore_version(core: Core, experience_id: str, version_id: int) -> dict[str, Any]:
    """Make an older content the newest version."""
    with core.saving() as tx:
        before = experiences.entry(tx, experience_id)
        experience = versions.restore(tx, experience_id, version_id)
        if core.answers and before is not None:
            review.carry_over(core.store, tx, experience, before.digest)
    return get_experience(core, experience_id)


def authorize_experience(
    core: Core, experience_id: str, note: str = "", score: float = AUTOMATIC
) -> dict[str, Any]:
    """Allow a result or reflex to execute as it stands; the score is a floor.

    Its own tests are run; where one fails, `test_failure` says which, and what came
    with a pack does not execute in spite of the authorisation.
    """
    with core.saving() as tx:
        experience = experiences.get(tx, experience_id)
        given = authorise(core.store, tx, experience, score, note)
    found = {"id": experience_id, **given.to_dict(), "score": given.score}
    failed = [
        one
        for one in trials.retry(core.store, core.host.policy, [experience_id])
        if not one.passed
    ]
    return {**found, "test_failure": trials.failure_of(failed)} if failed else found


def set_parent(core: Core, child_id: str, parent_id: str) -> None:
    """Put an experience below a more general one, into its family.

    A parent without a family founds one under its own name.
    """
    parent, child = (
        experiences.get(core.store, parent_id),
        experiences.get(core.store, child_id),
    )
    family = parent.family or parent.name
    with core.saving() as tx:
        _save_in(core, tx, parent, replace(parent, family=family), "family")
        moved = replace(child, parent_id=parent_id, family=family)
        _save_in(core, tx, child, moved, f"below {parent.name}")


def set_prerequisites(
    core: Core, experience_id: str, prerequisites: Sequence[str]
) -> None:
    """State by id or name what an experience needs first."""
    one = experiences.get(core.store, experience_id)
    changed = replace(one, prerequisites=tuple(prerequisites))
    _save(core, one, changed, "prerequisites")


def set_extends(core: Core, experience_id: str, extends: str) -> None:
    """State by id or name what an experience goes beyond."""
    one = experiences.get(core.store, experience_id)
    _save(core, one, replace(one, extends=extends), "extends")


def list_families(core: Core) -> list[dict[str, Any]]:
    """Give `[{family, members}]`."""
    listed = families.listed(core.store)
    return [{"family": name, "members": number} for name, number in listed]


def family_tree(core: Core, family: str) -> list[dict[str, Any]]:
    """Give a family as nodes of `id`, `name`, `kind` and `children`."""
    return families.trees(core.store, family).get(family, [])


def class_of(core: Core, experience_id: str) -> str:
    """Give the category that an experience belongs to."""
    one = experiences.get(core.store, experience_id)
    return category_of(one.category, one.family)


def class_params(core: Core, name: str) -> dict[str, Any]:
    """Give the parameters of a category; an unknown one has the general ones."""
    known = {**CATEGORIES, **categories.registered(core.store)}
    return _parameters(known.get(name) or Category(name=name))


def list_classes(core: Core) -> list[dict[str, Any]]:
    """Give every category with its parameters."""
    known = {**CATEGORIES, **categories.registered(core.store)}
    return [_parameters(one) for one in known.values()]


def register_class(core: Core, name: str, **parameters: Any) -> dict[str, Any]:
    """Register a category, or change the parameters of one."""
    made = read_record(Category, {"name": name, **parameters}, f"category {name}")
    with core.store.transaction() as tx:
        categories.put(tx, made)
    return _parameters(made)


def set_category(core: Core, experience_id: str, category: str) -> None:
    """Put an experience into a category."""
    one = experiences.get(core.store, experience_id)
    _save(core, one, replace(one, category=category), f"category {category}")


def save_episode(
    core: Core,
    source_type: str,
    text: Any,
    user_validated: bool = False,  # noqa: FBT001, FBT002 - the document's signature
    meta: Mapping[str, Any] | None = None,
) -> str:
    """Keep the evidence of one piece of work, redacted, and give its id.

    A text that this runtime had served is kept with the mark `served`; it counts as
    evidence of nothing.
    """
    written = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    with core.store.transaction() as tx:
        episode = Episode(
            id=new_id("epi"),
            type=source_type,
            text=redact(written).text,
            user_validated=user_validated,
            meta=redact_values(dict(meta or {})),
            created_at=tx.now,
        )
        marked = served.marked(tx, episode)
        episodes.put_all(tx, [marked])
    return episode.id


def get_episode(core: Core, episode_id: str) -> dict[str, Any]:
    """Give an episode; an unknown id is a `NotFoundError`."""
    return episodes.get(core.store, episode_id).to_dict()


def evidence(core: Core, experience_id: str) -> list[dict[str, Any]]:
    """Give `[{episode_id, ref, type, note}]`, with `found` for an episode."""
    listed = evidence_of(experiences.get(core.store, experience_id).to_dict())
    named = [one["episode_id"] for one in listed if one["episode_id"]]
    known = episodes.get_many(core.store, named)
    return [
        {**one, "found": one["episode_id"] in known} if one["episode_id"] else one
        for one in listed
    ]


def _parameters(category: Category) -> dict[str, Any]:
    names = ("name", "assist_only", "safety_factor", "half_life_days")
    more = ("sleep_threshold", "require_evidence", "budget")
    return {name: getattr(category, name) for name in (*names, *more)}


def _save(core: Core, before: Experience, after: Experience, note: str) -> None:
    with core.saving() as tx:
        _save_in(core, tx, before, after, note)


def _save_in(
    core: Core, tx: Transaction, before: Experience, after: Experience, note: str
) -> None:
    experiences.save(tx, after, note)
    if core.answers:
        review.carry_over(core.store, tx, after, digest(before.content()))
