"""Match a request: narrow by the index, then rank by similarity."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain

from experience_pack.formats.strict_json import read_back
from experience_pack.matching.lexical import rank
from experience_pack.matching.similarity import (
    Asked,
    Parts,
    asked,
    rule_part,
    similarity,
    tag_part,
)
from experience_pack.runtime.policy import HINT_PROBABILITY
from experience_pack.runtime.types import Candidate, Meant, State
from experience_pack.store import Store
from experience_pack.store.candidates import CandidateRow, candidate_rows
from experience_pack.store.postings import REQUESTS
from experience_pack.text.tokens import search_terms

MIN_SIMILARITY = 0.10
"""What agrees less is no candidate (document, configuration)."""

LIMIT = 20
"""Candidates of a request; the gate hardly ever looks further than five."""

SPARE = 4
"""Experiences looked at beyond the limit, since some may be asleep."""

WIDEN = 4
"""How many times more are looked at when too many are."""


def match(
    store: Store,
    state: State,
    *,
    limit: int = LIMIT,
    min_similarity: float = MIN_SIMILARITY,
    meant: Meant | None = None,
) -> list[Candidate]:
    """Give what may answer a request, the most similar first.

    With `meant` those that meaning finds are candidates too, and what is meant more
    probably comes first.

    Among equals the one with fewer tags that the request lacks comes first (a
    general request means the base), then a variant before its parent, then the
    higher BM25. Habits and lessons, and what sleeps or is disabled or archived
    here, never answer.
    """
    weights, awake = _awake(store, state, limit)
    if meant is not None and any(weights.values()):
        awake += _by_meaning(store, meant, {row.seq for row, _ in awake})
    task = map(search_terms, state.tokens)
    named = chain.from_iterable(map(search_terms, state.tags))
    request = asked(weights, task, named, state.event)
    candidates = [_candidate(request, row, bm25, meant) for row, bm25 in awake]
    near = [
        one
        for one in candidates
        if one.similarity >= min_similarity
        or (one.probability or 0.0) >= HINT_PROBABILITY
    ]
    return _ordered(near, {row.seq: row.tags for row, _ in awake})[:limit]


def _awake(
    store: Store, state: State, limit: int
) -> tuple[Mapping[str, float], list[tuple[CandidateRow, float]]]:
    """Give the weights of terms, and with BM25 the best that do not sleep."""
    depth = limit + SPARE
    while True:
        ranking = rank(store, state.terms, depth, REQUESTS)
        bm25 = {seq: score for score, seq in ranking.best}
        rows = candidate_rows(store, [*bm25]) if bm25 else []
        awake = [(row, bm25[row.seq]) for row in rows if _is_awake(row.standing)]
        if len(awake) >= limit or len(bm25) < depth:
            return ranking.weights, awake
        depth *= WIDEN


def _is_awake(standing: str) -> bool:
    # the active status is the default and not written, so few rows are parsed
    if '"status":' not in standing:
        return True
    return bool(read_back(standing, "standing").get("status", "active") == "active")


def _by_meaning(
    store: Store, meant: Meant, known: Collection[int]
) -> list[tuple[CandidateRow, float]]:
    rows = candidate_rows(store, [seq for seq in meant.nearness if seq not in known])
    return [(row, 0.0) for row in rows if _is_awake(row.standing)]


def _candidate(
    request: Asked, row: CandidateRow, bm25: float, meant: Meant | None
) -> Candidate:
    rule = rule_part(request, row.phrases, row.event)
    near = meant.nearness.get(row.seq) if meant else None
    parts = Parts(rule, tag_part(request, row.tags), near)
    found = Candidate(row, similarity(row.kind, parts), parts, bm25)
    if meant is not None and near is not None:
        found.probability = meant.probability.get(row.seq)
        found.vouchers = meant.vouchers[row.seq]
        found.refused = row.seq in meant.refused
    return found


def _ordered(candidates: list[Candidate], tags: Mapping[int, str]) -> list[Candidate]:
    parents = {one.id: one.parent_id for one in candidates}

    def key(one: Candidate) -> tuple[float, float, int, int, float, int]:
        lacking = round((1 - one.tags) * len(tags[one.seq].split("\n")))
        depth = _depth(one.id, parents)
        likely = -(one.probability or 0.0)
        return likely, -one.similarity, lacking, -depth, -one.bm25, one.seq

    return sorted(candidates, key=key)


def _depth(identity: str, parents: Mapping[str, str]) -> int:
    """Count the ancestors that are candidates too; no circle can be stored."""
    depth = 0
    while (identity := parents.get(identity, "")) in parents:
        depth += 1
    return depth
