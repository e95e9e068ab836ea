"""Match a request: narrow by the index, then rank by similarity."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from experience_pack.formats.strict_json import loads
from experience_pack.matching.lexical import rank
from experience_pack.matching.similarity import (
    Asked,
    Parts,
    asked,
    rule_part,
    similarity,
    tag_part,
)
from experience_pack.runtime.types import Candidate, Signals, State
from experience_pack.store import Store
from experience_pack.store.searchable import (
    REQUESTS,
    Compared,
    candidate_rows,
    compared,
)
from experience_pack.text.tokens import search_terms

MIN_SIMILARITY = 0.10
"""What agrees less is no candidate (document, configuration)."""

LIMIT = 20
"""Candidates of a request; the gate hardly ever looks further than five."""

NARROW = 1.5
"""Experiences compared for each candidate wanted: BM25 and similarity differ."""

WIDEN = 4
"""How many times more are looked at when too many of them are asleep."""


def match(
    store: Store,
    state: State,
    *,
    limit: int = LIMIT,
    min_similarity: float = MIN_SIMILARITY,
) -> list[Candidate]:
    """Give what may answer a request, the most similar first.

    Among equals a variant comes before its parent, then the higher BM25. Habits
    and lessons, and what sleeps or is disabled or archived here, never answer.
    """
    near = _near(store, state, limit)
    best = {one.seq: one for one in near if one.similarity >= min_similarity}
    best = dict(islice(best.items(), limit))
    rows = candidate_rows(store, [*best]) if best else []
    return _ordered([Candidate(row, best[row.seq]) for row in rows])


def _near(store: Store, state: State, limit: int) -> list[Signals]:
    """Give what is awake and shares a term with the request, the nearest first."""
    depth = int(limit * NARROW)
    while True:
        ranking = rank(store, state.terms, depth, REQUESTS)
        seqs = [seq for _, seq in ranking.best]
        awake = [one for one in compared(store, seqs) if _is_awake(one.standing)]
        if len(seqs) < depth or len(awake) >= limit:
            break
        depth *= WIDEN
    task_terms = search_terms(" ".join(state.tokens))
    request = asked(ranking.weights, task_terms, state.event)
    bm25 = {seq: score for score, seq in ranking.best}
    near = [_signals(request, one, bm25[one.seq]) for one in awake]
    near.sort(key=lambda one: (-one.similarity, -one.bm25, one.seq))
    return near


def _is_awake(standing: str) -> bool:
    # the active status is the default and not written, so few rows are parsed
    if '"status":' not in standing:
        return True
    return bool(loads(standing, "standing").get("status", "active") == "active")


def _signals(request: Asked, one: Compared, bm25: float) -> Signals:
    rule = rule_part(request, one.phrases, one.event)
    tags = tag_part(request, one.tags)
    total = similarity(one.kind, Parts(rule, tags))
    return Signals(one.seq, total, rule, tags, None, bm25)


def _ordered(candidates: list[Candidate]) -> list[Candidate]:
    """Sort by similarity; among equals variants first, then by BM25."""
    parents = {one.id: one.parent_id for one in candidates}

    def key(one: Candidate) -> tuple[float, int, float, int]:
        return -one.similarity, -_depth(one.id, parents), -one.bm25, one.seq

    return sorted(candidates, key=key)


def _depth(identity: str, parents: Mapping[str, str]) -> int:
    """Count the ancestors that are candidates too; no circle can be stored."""
    depth = 0
    while (identity := parents.get(identity, "")) in parents:
        depth += 1
    return depth
