"""Read a store into the rows of a snapshot."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from experience_pack.clock import timestamp
from experience_pack.formats.diff import diff
from experience_pack.model import (
    DOCUMENT,
    Category,
    Json,
    Standing,
    price_of,
    without_collector,
)
from experience_pack.model.categories import CATEGORIES, category_of
from experience_pack.model.confidence import Conditions, level, score
from experience_pack.model.formula import foreign_of
from experience_pack.snapshot.activity import page_parts
from experience_pack.snapshot.document import SnapshotRow, build_document, shortened
from experience_pack.store import (
    Store,
    categories,
    episodes,
    experiences,
    overview,
    standings,
    versions,
)

MOST_VERSIONS = 20
"""Versions of one experience that a snapshot shows with their changes."""

_decode = json.JSONDecoder().decode  # our own text: it was checked when it came in


@without_collector()
def snapshot_of(
    store: Store,
    *,
    title: str,
    language: str = "",
    mask_len: int = 80,
    members: Collection[str] | None = None,
    work: bool = True,
) -> dict[str, Json]:
    """Give the snapshot document of a store, or of some of its experiences.

    Without `work` of the cited episodes only documents are shown, as in a pack.
    """
    reader = _Reader(store, members, store.clock())
    return build_document(
        reader.rows(),
        title=title,
        generated_at=timestamp(store.clock()),
        language=language,
        mask_len=mask_len,
        episodes={
            identity: one
            for identity, one in reader.cited().items()
            if work or one["type"] == DOCUMENT
        },
        **(page_parts(store, mask_len) if members is None else {}),
    )


@without_collector()
def rows_of(store: Store, now: float) -> list[SnapshotRow]:
    """Give the rows of everything in a store, with confidence as it is at a time."""
    return [*_Reader(store, None, now).rows()]


class _Reader:
    def __init__(
        self, store: Store, members: Collection[str] | None, now: float
    ) -> None:
        self._store = store
        self._members = None if members is None else set(members)
        self._now = now
        self._standing = standings.of_installation(store, store.installation)
        self._foreign = standings.of_others(store)
        self._backlinks = experiences.all_backlinks(store)
        self._many = versions.numbers(store)
        self._category_of = cache(category_of)  # many share a family
        self._categories: Mapping[str, Category] = {
            **CATEGORIES,
            **categories.registered(store),
        }

    def cited(self) -> dict[str, dict[str, Json]]:
        """Give every episode that an experience cites, by id."""
        wanted: set[str] = set()
        for identity, text in experiences.citing(self._store):
            if self._shows(identity):
                origin = _decode(text).get("origin", {})
                wanted.update(origin.get("episode_ids", ()))
                wanted.update(
                    item.get("episode_id", "") for item in origin.get("evidence", ())
                )
        found = episodes.get_many(self._store, sorted(wanted - {""}))
        return {identity: episode.to_dict() for identity, episode in found.items()}

    def rows(self) -> Iterator[SnapshotRow]:
        """Give a row an experience, the last changed first."""
        for one in overview.shown(self._store):
            if self._shows(one.id):
                yield self._row(one)

    def _shows(self, identity: str) -> bool:
        return self._members is None or identity in self._members

    def _row(self, one: overview.Shown) -> SnapshotRow:
        content = _decode(one.content)
        match = content.get("match", {})
        summary = _summary(content)
        category = self._category_of(one.category, one.family)
        standing = self._standing.get(one.id)
        points = self._score(standing, one.id, one.digest, category, content)
        asleep = standing is not None and standing.status != "active"
        return SnapshotRow(
            id=one.id,
            content=one.content,
            name=one.name,
            description=summary,
            kind=one.kind,
            category=category,
            family=one.family,
            tags=tuple(match.get("tags", ())),
            words=_words(content, one.family, summary),
            level="sleeping" if asleep else level(points),
            score=points,
            updated_at=one.updated_at,
            parent_id=content.get("parent_id", ""),
            standing=_earned(standing, one.digest),
            versions=self._versions(one),
            backlinks=self._backlinks.get(one.id, ()),
        )

    def _score(
        self,
        standing: Standing | None,
        identity: str,
        digest: str,
        category: str,
        content: Mapping[str, Json],
    ) -> float:
        others = self._foreign.get(identity, ())
        if standing is None and not others:
            return price_of(content.get("origin", {}).get("type", ""))
        origin = content.get("origin", {}).get("type", "")
        conditions = Conditions(
            now=self._now,
            digest=digest,
            category=self._categories.get(category) or Category(name=category),
            foreign=foreign_of(others, self._now),
        )
        return score(standing or Standing(price=price_of(origin)), conditions)

    def _versions(self, one: overview.Shown) -> Sequence[Mapping[str, Json]]:
        if one.id not in self._many:
            return (
                {"id": one.version, "note": one.note, "created_at": one.version_at},
            )
        listed = versions.of(self._store, one.id)[: MOST_VERSIONS + 1]
        contents = [
            versions.get(self._store, one.id, each.id).content() for each in listed
        ]
        found = [
            {
                "id": each.id,
                "note": each.note,
                "created_at": each.created_at,
                "changes": [
                    change.to_dict() for change in diff(contents[at + 1], contents[at])
                ]
                if at + 1 < len(contents)
                else [],
            }
            for at, each in enumerate(listed)
        ]
        return found[:MOST_VERSIONS]


def _summary(content: Mapping[str, Json]) -> str:
    """Give what a list shows below the name: the first text that says something."""
    logic = content.get("logic", {})
    candidates = (
        content.get("description"),
        content.get("do"),
        content.get("text"),
        logic.get("goal"),
    )
    return next((text for text in candidates if text), "")


def _words(content: Mapping[str, Json], family: str, summary: str) -> str:
    """Give what an experience is found by beside the text that a list shows of it."""
    logic, match = content.get("logic", {}), content.get("match", {})
    shown = "\n".join([content["name"], shortened(summary), *match.get("tags", ())])
    parts = [*match.get("keywords", ()), *logic.get("triggers", ()), family]
    return " ".join(part for part in dict.fromkeys(parts) if part not in shown)


def _earned(standing: Standing | None, digest: str) -> dict[str, Json]:
    if standing is None:
        return {"approved": False, "may_execute": False}
    allowed = standing.authorisation
    return {
        "status": standing.status,
        "success_count": standing.success_count,
        "failure_count": standing.failure_count,
        "total_usage": standing.total_usage,
        "positive_fb": standing.positive_fb,
        "negative_fb": standing.negative_fb,
        "last_used": standing.last_used,
        "approved": standing.approved_digest == digest,
        "may_execute": allowed is not None and allowed.digest == digest,
    }
