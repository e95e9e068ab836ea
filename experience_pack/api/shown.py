"""What is kept, as commands and tools show it to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from experience_pack.api.named import resolve
from experience_pack.errors import NotFoundError
from experience_pack.formats.card import render_experience
from experience_pack.formats.diff import diff
from experience_pack.model import WITHDRAWN, Category, Experience, Version, Withdrawal
from experience_pack.model.categories import CATEGORIES
from experience_pack.model.record import Json
from experience_pack.runtime.feedback import score_terms
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.trials import has_tests
from experience_pack.store import (
    Store,
    basis,
    categories,
    episodes,
    experiences,
    standings,
    versions,
)
from experience_pack.store.experiences import Entry


def matching(
    store: Store,
    fields: Mapping[str, str],
    words: Sequence[str] = (),
    tag: str = "",
) -> Iterator[tuple[Entry, Experience]]:
    """Give what has all `fields` (kind, category, family), words and the tag.

    The last changed comes first; a word may stand anywhere on the card.
    """
    entries = [
        entry
        for entry in experiences.entries(store)
        if all(getattr(entry, key) == value for key, value in fields.items())
    ]
    contents = experiences.get_many(store, [entry.id for entry in entries])
    folded = [word.casefold() for word in words]
    for entry in entries:
        experience = contents[entry.id]
        text = render_experience(experience).casefold() if folded else ""
        tagged = not tag or tag in experience.match.tags
        if tagged and all(word in text for word in folded):
            yield entry, experience


def entry_shown(entry: Entry, experience: Experience) -> dict[str, Json]:
    """Give an experience with its digest and times."""
    return {
        **experience.to_dict(),
        "digest": entry.digest,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


def experience_shown(store: Store, policy: Policy, identity: str) -> dict[str, Json]:
    """Give an experience with what points to it and the terms of its confidence.

    `withdrawn` says that its pack took it back, `tests_here` what its own tests
    came to, each only where there is something to say.
    """
    found = experiences.get(store, identity)
    entry = experiences.entry(store, identity)
    assert entry is not None
    value = {
        **entry_shown(entry, found),
        "backlinks": [list(link) for link in experiences.backlinks(store, identity)],
        "confidence": score_terms(store, policy, identity),
    }
    if withdrawn := _withdrawn(store, identity):
        value["withdrawn"] = withdrawn.to_dict()
    if tested := _tests_here(store, found, entry.digest):
        value["tests_here"] = tested
    return value


def versions_shown(
    store: Store, words: str, *, with_changes: bool = False
) -> list[dict[str, Json]]:
    """Give `{id, note, created_at, digest}` of each version, the newest first.

    With `with_changes` each has `changes` against the one before it. The words name
    an experience, also one that was deleted.
    """
    identity = _even_deleted(store, words)
    listed = versions.of(store, identity)
    changes = _changes(store, identity, listed) if with_changes else {}
    return [
        {
            "id": one.id,
            "note": one.note,
            "created_at": one.created_at,
            "digest": one.digest,
            **({"changes": changes[one.id]} if with_changes else {}),
        }
        for one in listed
    ]


def evidence_shown(store: Store, identity: str) -> list[dict[str, Json]]:
    """Give what an experience rests on; an episode that is here with its text."""
    found = experiences.get(store, identity)
    texts = episodes.get_many(store, found.episodes())
    value = [item.to_dict() for item in found.origin.evidence]
    listed = {item.episode_id for item in found.origin.evidence}
    value += [
        {"episode_id": one, "type": "episode"}
        for one in found.origin.episode_ids
        if one not in listed
    ]
    value += [{"ref": one, "type": "reference"} for one in found.logic.references]
    for item in value:
        episode = texts.get(item.get("episode_id", ""))
        if episode is not None:
            item["text"] = episode.text
    return value


def categories_shown(store: Store) -> list[dict[str, Json]]:
    """Give every category with its parameters and its number of experiences."""
    known = {**CATEGORIES, **categories.registered(store)}
    counted = Counter(
        entry.category or "general" for entry in experiences.entries(store)
    )
    return [
        {**known.get(name, Category(name=name)).to_dict(), "experiences": counted[name]}
        for name in sorted({*known, *counted})
    ]


def _withdrawn(store: Store, identity: str) -> Withdrawal | None:
    """Give what its pack said when it withdrew it, while nobody has decided."""
    standing = standings.own(store, store.installation, identity)
    waits = standing is not None and standing.status == WITHDRAWN
    return standing.withdrawn if standing and waits else None


def _tests_here(store: Store, found: Experience, digest: str) -> str:
    """Say what came of its tests here, where it has some and came with a pack."""
    if not (has_tests(found) and basis.imported_among(store, [found.id])):
        return ""
    standing = standings.own(store, store.installation, found.id)
    tested = standing.tested if standing else None
    if tested is None or tested.digest != digest:
        return "not run here as it stands, so it only assists"
    return f"fail here: {tested.failure}" if tested.failure else "passed here"


def _even_deleted(store: Store, words: str) -> str:
    try:
        return resolve(store, words)
    except NotFoundError:
        if versions.of(store, words):
            return words
        raise


def _changes(
    store: Store, identity: str, listed: Sequence[Version]
) -> dict[int, list[dict[str, Json]]]:
    contents = [versions.get(store, identity, one.id).content() for one in listed]
    found = {}
    for at, one in enumerate(listed):
        before = contents[at + 1] if at + 1 < len(contents) else {}
        found[one.id] = [change.to_dict() for change in diff(before, contents[at])]
    return found
