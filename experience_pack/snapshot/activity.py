"""What happened in a workspace: decisions by day, growth, what helped, what waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from experience_pack.clock import DAY, seconds, timestamp
from experience_pack.learning import review
from experience_pack.model import Json, Standing
from experience_pack.runtime import audit
from experience_pack.snapshot.budget import budget_block
from experience_pack.snapshot.document import masked
from experience_pack.store import (
    Reader,
    Store,
    experiences,
    goals,
    proposals,
)

DAYS = 30
"""Days that are shown one by one: a month, and bars that can be told apart."""

DECISIONS = 200
"""Recent decisions that a snapshot holds: some days of work, about 60 kB."""

LISTED = 5
"""Experiences that are named as most helpful, and as stale."""

STALE_DAYS = 90
"""Unused and unchanged for that long: a season, after which tools have moved on."""

OUTCOMES = ("execute", "assist", "hint", "delegate")


def activity_of(
    store: Store,
    known: Mapping[str, Standing],
    now: float,
    error_budget: float | None = None,
) -> dict[str, Json]:
    """Give counts of what happened until now, none of which quotes anybody.

    `days` with `outcomes` by day; `grown` as `[day, number of experiences]`; `saved`
    model calls and `tokens_saved` on these days; `helped` as `[id, times]`; `stale` as
    `{count, first: [[id, days]]}`; `waiting` for a person; `budget` as `budget_block`
    gives it.
    """
    days, outcomes = _outcomes(store)
    return {
        "days": days,
        "outcomes": outcomes,
        "grown": [*_grown(store)],
        "saved": sum(outcomes["execute"]),
        "tokens_saved": _tokens_saved(store, days),
        "helped": _helped(known),
        "stale": _stale(store, known, now),
        "waiting": _waiting(store, known),
        "budget": budget_block(store, error_budget),
    }


def decisions_of(store: Store, mask_len: int) -> list[dict[str, Json]]:
    """Give recent decisions, masked, each with what was passed over and why."""
    found = []
    for one in audit.logs(store, limit=DECISIONS):
        skipped = [[each["name"], each["factor"]] for each in one["rejected"]]
        found.append({**masked(one, mask_len), "skipped": skipped})
    return found


def goals_of(store: Store) -> list[dict[str, Json]]:
    """Give every goal with where it stands."""
    keys = ("title", "detail", "status", "progress")
    return [
        {key: getattr(goal, key) for key in keys if getattr(goal, key)}
        for goal in goals.listed(store)
    ]


def _outcomes(db: Reader) -> tuple[list[str], dict[str, list[int]]]:
    rows = db.rows(
        "SELECT substr(created_at, 1, 10), decision, count(*) FROM decisions "
        "GROUP BY 1, 2 ORDER BY 1"
    )
    counts = {(day, decision): number for day, decision, number in rows}
    days = [*_calendar(rows[-1][0])] if rows else []
    return days, {
        outcome: [counts.get((day, outcome), 0) for day in days] for outcome in OUTCOMES
    }


def _tokens_saved(db: Reader, days: Sequence[str]) -> int:
    found = db.row(
        "SELECT coalesce(sum(json_extract(data, '$.tokens_saved')), 0) FROM decisions "
        "WHERE decision = 'execute' AND created_at >= ?",
        (days[0] if days else "",),
    )
    return int(found[0]) if found else 0


def _calendar(last: str) -> Iterator[str]:
    """Give the days up to a last one, quiet ones included."""
    end = seconds(f"{last}T00:00:00Z")
    for back in range(DAYS - 1, -1, -1):
        yield timestamp(end - back * DAY)[:10]


def _grown(db: Reader) -> Iterator[list[Json]]:
    total = 0
    for day, number in db.rows(
        "SELECT substr(created_at, 1, 10), count(*) FROM experiences "
        "GROUP BY 1 ORDER BY 1"
    ):
        total += number
        yield [day, total]


def _helped(known: Mapping[str, Standing]) -> list[list[Json]]:
    used = [(one.success_count, identity) for identity, one in known.items()]
    best = sorted(used, key=lambda pair: (-pair[0], pair[1]))[:LISTED]
    return [[identity, times] for times, identity in best if times]


def _stale(db: Reader, known: Mapping[str, Standing], now: float) -> dict[str, Json]:
    found: list[tuple[int, str]] = []
    for identity, updated_at in experiences.unchanged_since(
        db, timestamp(now - STALE_DAYS * DAY)
    ):
        standing = known.get(identity)
        if standing and (standing.pinned or standing.status != "active"):
            continue
        last = max(updated_at, standing.last_used if standing else "")
        days = int((now - seconds(last)) / DAY)
        if days >= STALE_DAYS:
            found.append((days, identity))
    first = sorted(found, key=lambda pair: (-pair[0], pair[1]))[:LISTED]
    return {
        "count": len(found),
        "first": [[identity, days] for days, identity in first],
    }


def _waiting(db: Reader, known: Mapping[str, Standing]) -> int:
    proposed = sum(1 for _ in proposals.pending(db))
    return proposed + review.count_waiting(db, known)


def page_parts(
    store: Store,
    known: Mapping[str, Standing],
    mask_len: int,
    error_budget: float | None = None,
) -> dict[str, Json]:
    """Give the parts of a document beside its rows."""
    return {
        "activity": activity_of(store, known, store.clock(), error_budget),
        "decisions": decisions_of(store, mask_len),
        "goals": goals_of(store),
    }
