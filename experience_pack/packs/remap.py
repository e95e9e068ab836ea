"""Give what comes in the ids, categories and tags that it has here.

A mapped id is derived from this workspace and the id in the pack, so a second import
of the same pack finds what the first one made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from experience_pack.formats.canonical import digest
from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.model import Experience, derived_id
from experience_pack.packs.incoming import Incoming
from experience_pack.store import Reader, lineage, versions


@dataclass(frozen=True, kw_only=True, slots=True)
class Renaming:
    """What is renamed beside ids."""

    categories: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Names:
    """The ids of a pack by the ids that they have here."""

    ids: Mapping[str, str]
    episodes: Mapping[str, str]

    def source_digest(self, db: Reader, identity: str, step: lineage.Step) -> str:
        """Give the digest that a text of ours would have under the ids of the pack."""
        if step.version is None or not (self.ids or self.episodes):
            return step.digest
        here = versions.get(db, identity, step.version)
        if not (here.references() or here.episodes()):
            return step.digest
        return digest(here.renamed(self.ids, self.episodes).content())


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapped:
    """An incoming set under its names here, and each id's id in the pack."""

    incoming: Incoming
    """Its digests are those of the content as it is here."""
    source_ids: Mapping[str, str]
    names: Names = field(default_factory=lambda: Names({}, {}))
    """The way back to the ids of the pack, and of packs that it refers to."""


def keep_ids(incoming: Incoming, renaming: Renaming) -> Mapped:
    """Leave ids as they are; rename categories and tags."""
    renamed = [_relabelled(one, renaming) for one in incoming.experiences]
    ids = {one.id: one.id for one in renamed}
    return Mapped(incoming=_with(incoming, renamed), source_ids=ids)


def remap(
    incoming: Incoming, workspace: str, known: Mapping[str, str], renaming: Renaming
) -> Mapped:
    """Give everything an id of its own here, and rewrite every reference to it.

    `known` holds the ids here of what is here already, by the ids in this pack or
    in any other.
    """
    ids = _ids([one.id for one in incoming.experiences], workspace, known)
    episodes = {
        one.id: derived_id("ep", workspace, one.id) for one in incoming.episodes
    }
    everywhere = {**known, **ids}
    renamed = [
        _relabelled(one.renamed(everywhere, episodes), renaming)
        for one in incoming.experiences
    ]
    return Mapped(
        incoming=replace(
            _with(incoming, renamed),
            episodes=tuple(
                replace(one, id=episodes[one.id]) for one in incoming.episodes
            ),
            standing=tuple(
                ((installation, ids[identity]), standing)
                for (installation, identity), standing in incoming.standing
            ),
            tombstones=(),
        ),
        source_ids={new: old for old, new in ids.items()},
        names=Names(
            {new: old for old, new in everywhere.items() if new != old},
            {new: old for old, new in episodes.items()},
        ),
    )


def _ids(
    identities: Iterable[str], workspace: str, known: Mapping[str, str]
) -> dict[str, str]:
    """Give each its id here; no two get one, whatever is known of them."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for identity in identities:
        here = known.get(identity)
        if here is None or here in taken:
            here = derived_id("exp", workspace, identity)
        taken.add(here)
        found[identity] = here
    return found


def _with(incoming: Incoming, renamed: Sequence[Experience]) -> Incoming:
    """Give the incoming set with other experiences in place of its own, in order."""
    pairs = zip(incoming.prepared, renamed, strict=True)
    return replace(incoming, prepared=tuple(_renewed(*pair) for pair in pairs))


def _renewed(old: Prepared, new: Experience) -> Prepared:
    """Write out only what the renaming changed."""
    if _same(old.experience, new):
        return old._replace(experience=new)
    return prepare(new)


def _same(old: Experience, new: Experience) -> bool:
    """Tell whether nothing of the content was renamed, which the id is not part of."""
    return (
        old.match is new.match
        and old.category is new.category
        and old.parent_id == new.parent_id
        and old.prerequisites == new.prerequisites
        and old.extends == new.extends
        and old.links is new.links
        and old.origin is new.origin
    )


def _relabelled(experience: Experience, renaming: Renaming) -> Experience:
    if not (renaming.categories or renaming.tags):
        return experience
    category = renaming.categories.get(experience.category, experience.category)
    tags = tuple(
        dict.fromkeys(renaming.tags.get(tag, tag) for tag in experience.match.tags)
    )
    match = replace(experience.match, tags=tags)
    return replace(experience, category=category, match=match)
