"""Association: what is related to an experience or a text, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.formats.strict_json import loads
from experience_pack.matching.lexical import rank
from experience_pack.model import Experience
from experience_pack.store import Store, experiences
from experience_pack.store.candidates import candidate_rows, in_family
from experience_pack.store.postings import HABITS, LESSONS, REQUESTS
from experience_pack.text.tokens import search_terms

STRENGTHS = {
    "chain": 1.0,  # somebody wrote the relation down
    "variant": 0.9,  # the same task, more or less general
    "evidence": 0.7,  # learned from the same work
    "family": 0.5,  # the same group of tasks
    "tags": 0.4,  # the same context, by share of the tags
    "words": 0.4,  # told alike, beside what is told most alike
}
"""How much each kind of relation counts; an experience may have several."""


class Related(NamedTuple):
    """One experience that is related."""

    id: str
    kind: str
    name: str
    score: float
    """Sum of the strengths of its relations."""
    why: tuple[str, ...]
    """Each relation, the strongest first: `prerequisite`, `tags: month, tax` …"""


class _Tie(NamedTuple):
    id: str
    strength: float
    why: str


def related(store: Store, text_or_id: str, limit: int = 10) -> list[Related]:
    """Give what is related, the strongest first; nothing if nothing is.

    An id starts from that experience: its chain, variants, family, evidence, tags
    and words. Any other text starts from its words and from what they find first.
    """
    known = experiences.get_many(store, [text_or_id])
    if known:
        start = known[text_or_id]
        ties = [*_ties(store, start, limit)]
        return _summed(store, (tie for tie in ties if tie.id != start.id), limit)
    ties = [*_told_alike(store, search_terms(text_or_id), limit)]
    if ties:
        nearest = max(ties, key=lambda tie: tie.strength).id
        ties += _written_down(store, experiences.get(store, nearest), limit)
    return _summed(store, ties, limit)


def _ties(store: Store, start: Experience, limit: int) -> Iterator[_Tie]:
    yield from _written_down(store, start, limit)
    yield from _same_evidence(store, start)
    match = start.match
    words = [start.name, start.description, *match.keywords, *match.tags]
    terms = search_terms("\n".join([*words, start.when, start.do, start.text]))
    alike = [*_told_alike(store, terms, limit)]
    yield from alike
    yield from _same_tags(store, start, [tie.id for tie in alike])


def _written_down(store: Store, start: Experience, limit: int) -> Iterator[_Tie]:
    """Give parent, variants, chain and links in both directions, and the family."""
    for relation, target in start.references():
        for identity in experiences.find(store, target):
            yield _edge(identity, relation, "parent")
    for name in {start.id, start.name}:
        for relation, source in experiences.backlinks(store, name):
            yield _edge(source, relation, "variant", "of this")
    for identity in in_family(store, start.family, limit + 1):
        yield _Tie(identity, STRENGTHS["family"], f"family: {start.family}")


def _edge(identity: str, relation: str, kin: str, side: str = "") -> _Tie:
    if relation == "parent":
        return _Tie(identity, STRENGTHS["variant"], kin)
    return _Tie(identity, STRENGTHS["chain"], f"{relation} {side}".strip())


def _same_evidence(store: Store, start: Experience) -> Iterator[_Tie]:
    cited = set(start.episodes())
    if not cited:
        return
    for identity, text in experiences.citing(store):
        other = Experience.from_dict({"id": identity, **loads(text, identity)})
        if shared := sorted(cited.intersection(other.episodes())):
            yield _Tie(identity, STRENGTHS["evidence"], f"evidence: {shared[0]}")


def _told_alike(store: Store, terms: Iterable[str], limit: int) -> Iterator[_Tie]:
    asked = [*terms]
    best = [
        found
        for scope in (REQUESTS, HABITS, LESSONS)
        for found in rank(store, asked, limit + 1, scope).best
    ]
    top = max((score for score, _ in best), default=0.0)
    names = {row.seq: row.id for row in candidate_rows(store, [seq for _, seq in best])}
    for score, seq in best:
        yield _Tie(names[seq], STRENGTHS["words"] * score / top, "words")


def _same_tags(
    store: Store, start: Experience, identities: list[str]
) -> Iterator[_Tie]:
    for other in experiences.get_many(store, identities).values():
        shared = [tag for tag in start.match.tags if tag in other.match.tags]
        if shared:
            share = len(shared) / len(start.match.tags)
            yield _Tie(
                other.id, STRENGTHS["tags"] * share, f"tags: {', '.join(shared)}"
            )


def _summed(store: Store, ties: Iterable[_Tie], limit: int) -> list[Related]:
    by_id: dict[str, list[_Tie]] = defaultdict(list)
    for tie in sorted(set(ties), key=lambda tie: -tie.strength):
        by_id[tie.id].append(tie)
    entries = experiences.entries_of(store, [*by_id])
    found = [
        Related(
            identity,
            entry.kind,
            entry.name,
            sum(tie.strength for tie in by_id[identity]),
            tuple(tie.why for tie in by_id[identity]),
        )
        for identity, entry in entries.items()
    ]
    return sorted(found, key=lambda one: (-one.score, one.id))[:limit]
