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
from experience_pack.snapshot.blocks import Episodes
from experience_pack.snapshot.document import Filed, build_document
from experience_pack.snapshot.row import SnapshotRow
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
def snapshot_of(  # noqa: PLR0913 - one keyword for each thing to be shown or not
    store: Store,
    *,
    title: str,
    language: str = "",
    mask_len: int = 80,
    members: Collection[str] | None = None,
    work: bool = True,
    filed: Filed | None = None,
    error_budget: float | None = None,
) -> dict[str, Json]:
    """Give the snapshot document of a store, or of some of its experiences.

    Without `work` of the cited episodes only documents are shown, as in a pack. With
    `filed` it names its blocks in place of holding them. `error_budget` is the one
    that was set, None for the usual one.
    """
    known = standings.seen_here(store)
    reader = _Reader(store, known, store.clock(), members)
    return build_document(
        reader.rows(contents=filed is None),
        title=title,
        generated_at=timestamp(store.clock()),
        language=language,
        mask_len=mask_len,
        episodes={
            identity: one
            for identity, one in reader.cited().items()
            if work or one["type"] == DOCUMENT
        },
        filed=filed,
        **(page_parts(store, known, mask_len, error_budget) if members is None else {}),
    )


@without_collector()
def rows_of(
    store: Store, known: Mapping[str, Standing], now: float
) -> list[SnapshotRow]:
    """Give the rows of everything in a store, with confidence as it is at a time.

    Their contents are left out; `contents_of` reads those that are needed.
    """
    return [*_Reader(store, known, now).rows(contents=False)]


def cited_in(store: Store) -> Episodes:
    """Give every episode that an experience of a store cites, by id."""
    return _Reader(store, {}, 0.0).cited()


def contents_of(store: Store, rows: Sequence[SnapshotRow]) -> list[SnapshotRow]:
    """Give rows that stand one after another, with their contents."""
    found = overview.contents(store, rows[0].place, rows[-1].place)
    return [row._replace(content=found[row.id]) for row in rows]


class _Reader:
    def __init__(
        self,
        store: Store,
        known: Mapping[str, Standing],
        now: float,
        members: Collection[str] | None = None,
    ) -> None:
        self._store = store
        self._members = None if members is None else set(members)
        self._now = now
        self._standing = known
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

    def rows(self, *, contents: bool = True) -> Iterator[SnapshotRow]:
        """Give a row an experience, in the order of their arrival."""
        for one in overview.shown(self._store, contents=contents):
            if self._shows(one.id):
                yield self._row(one)

    def _shows(self, identity: str) -> bool:
        return self._members is None or identity in self._members

    def _row(self, one: overview.Shown) -> SnapshotRow:
        listing = one.listing
        category = self._category_of(one.category, one.family)
        standing = self._standing.get(one.id)
        points = self._score(standing, one, category)
        asleep = standing is not None and standing.status != "active"
        return SnapshotRow(
            place=one.place,
            id=one.id,
            digest=one.digest,
            content=one.content or "",
            size=listing.size,
            name=one.name,
            about=listing.about,
            kind=one.kind,
            category=category,
            family=one.family,
            tags=listing.tags,
            words=listing.words,
            stem=listing.stem,
            level="sleeping" if asleep else level(points),
            score=points,
            updated_at=one.updated_at,
            parent_id=listing.parent_id,
            standing=_earned(standing, one.digest),
            versions=self._versions(one),
            backlinks=self._backlinks.get(one.id, ()),
        )

    def _score(
        self, standing: Standing | None, one: overview.Shown, category: str
    ) -> float:
        others = self._foreign.get(one.id, ())
        price = price_of(one.listing.origin)
        if standing is None and not others:
            return price
        conditions = Conditions(
            now=self._now,
            digest=one.digest,
            category=self._categories.get(category) or Category(name=category),
            foreign=foreign_of(others, self._now),
        )
        return score(standing or Standing(price=price), conditions)

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
