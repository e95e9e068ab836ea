"""Ask the recorded requests again under two versions of a pack, and compare.

Both versions are put in turn into copies of the store in memory, in place of whatever
of the pack is here. What stands here keeps its approval and authorisation in both, as
if a person had read the other text too; what a version brings is approved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from experience_pack.formats.prepared import Prepared
from experience_pack.model import Standing, price_of
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.remap import Renaming, keep_ids, remap
from experience_pack.runtime import trials
from experience_pack.runtime.audit import kept_whole
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.request import answer
from experience_pack.runtime.reviewer import Host
from experience_pack.store import Store, experiences, standings
from experience_pack.store.decisions import Audited


class Asked(NamedTuple):
    """Recorded requests, each once, and those that cannot be asked again."""

    requests: Mapping[str, int]
    """How often each was asked."""
    unkept: int
    """Decisions whose request was not kept in full: too long, or redacted."""


class Answered(NamedTuple):
    """What a request would have got."""

    decision: str
    sources: tuple[str, ...]
    """Names, in order."""
    text: str
    """The output of an execution, otherwise what goes into the model's input."""


class Change(NamedTuple):
    """A request that two versions answer in different ways."""

    request: str
    times: int
    before: Answered
    after: Answered

    def to_dict(self) -> dict[str, Any]:
        """Give the change as JSON."""
        return {
            "request": self.request,
            "times": self.times,
            "before": self.before._asdict(),
            "after": self.after._asdict(),
        }


class Replayed(NamedTuple):
    """What replaying showed."""

    changes: tuple[Change, ...]
    asked: Asked


def asked_of(decisions: Iterable[Audited]) -> Asked:
    """Collect the requests of decisions; one cut or redacted is not asked again."""
    requests: dict[str, int] = {}
    unkept = 0
    for one in decisions:
        text = one.data["input"]
        if not kept_whole(text, one.data["input_chars"]):
            unkept += 1
        else:
            requests[text] = requests.get(text, 0) + 1
    return Asked(requests, unkept)


def replay(
    store: Store, policy: Policy, versions: tuple[Incoming, Incoming], asked: Asked
) -> Replayed:
    """Give what of the recorded requests two versions answer in different ways."""
    before, after = _stores(store, policy, versions)
    host = Host(policy)
    found = (
        Change(
            text,
            times,
            _answered(answer(before, host, text)),
            _answered(answer(after, host, text)),
        )
        for text, times in asked.requests.items()
    )
    changes = tuple(one for one in found if one.before != one.after)
    before.close()
    after.close()
    return Replayed(changes, asked)


def _answered(result: Mapping[str, Any]) -> Answered:
    text = result["output"] if result["output"] is not None else result["prefill"]
    names = tuple(one["name"] for one in result["sources"])
    return Answered(result["decision"], names, str(text))


def _stores(
    store: Store, policy: Policy, versions: tuple[Incoming, Incoming]
) -> tuple[Store, Store]:
    """Give two copies of a store, each with one version in place of the pack."""
    mapped = [[*_as_here(store, versions, one)] for one in versions]
    whole = {one.experience.id for prepared in mapped for one in prepared}
    first, second = (_with_version(store, policy, one, whole) for one in mapped)
    return first, second


def _as_here(
    store: Store, versions: tuple[Incoming, Incoming], one: Incoming
) -> Iterator[Prepared]:
    """Give a version under the ids that it has here, or would get."""
    here = experiences.digests(store)
    kept = any(identity in here for each in versions for identity in each.digests)
    if kept:
        mapped = keep_ids(one, Renaming())
    else:
        mapped = remap(one, store.workspace_id, {}, Renaming())
    return iter(mapped.incoming.prepared)


def _with_version(
    store: Store, policy: Policy, prepared: list[Prepared], whole: Iterable[str]
) -> Store:
    copy = store.copied()
    known = standings.seen_here(copy)
    here = experiences.digests(copy)
    with copy.transaction() as tx:
        for identity in sorted(whole):
            if identity in here:
                experiences.delete(tx, identity)
        experiences.save_prepared(tx, prepared)
        for one in prepared:
            identity = one.experience.id
            standing = _carried(known.get(identity), here.get(identity, ""), one)
            standings.put(tx, (copy.installation, identity), standing)
    tried = trials.try_out(copy, policy, prepared)
    with copy.transaction() as tx:
        trials.record(tx, tried)
    return copy


def _carried(known: Standing | None, here: str, one: Prepared) -> Standing:
    """Give the standing under which a version's text is asked."""
    if known is None:
        origin = one.experience.origin.type
        return Standing(price=price_of(origin), approved_digest=one.digest)
    given = known.authorisation
    if given is not None:
        valid = given.digest == here
        given = replace(given, digest=one.digest) if valid else None
    return replace(known, approved_digest=one.digest, authorisation=given)
