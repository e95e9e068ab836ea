"""Lessons for a model's input: those of this request first, then the best, once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from experience_pack.matching.lessons import AVOID, Lesson, core, lessons_of
from experience_pack.matching.lexical import rank
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.types import State
from experience_pack.store import Store, candidates, deliveries
from experience_pack.store.postings import LESSONS
from experience_pack.text.tokens import search_terms

MATCHING = 5
"""Lessons that a request brings up by its words; more would crowd it."""

SHARED = 2
"""Search terms that lesson and request share at least; one alone says little."""

RECENT = 5
"""Lessons that were seen last (the upstream's tail of notes)."""

SHARE = 4
"""No section takes more than this part of the room: one quarter (upstream)."""

_WORDS = {
    False: {
        "advisory": "Lessons from earlier work here; weigh them. The person's words "
        "stand above them.",
        "strict": "Lessons from earlier work here. Check each one before you act and "
        "keep to it, unless the person's words say otherwise.",
        "do": "Do",
        "avoid": "Avoid",
        "all": "All lessons: `.experience/lessons/long-term.md`.",
    },
    True: {
        "advisory": "这里以往工作的教训，请酌情参考；以用户的话为准。",
        "strict": "这里以往工作的教训。行动之前逐条核对并遵守，除非用户另有说明。",
        "do": "要",
        "avoid": "避免",
        "all": "全部教训：`.experience/lessons/long-term.md`。",
    },
}


class Briefing(NamedTuple):
    """Lessons as they go into a model's input."""

    text: str = ""
    lessons: Sequence[Lesson] = ()
    """Those that are in the text, in its order."""


def brief(
    store: Store, state: State, policy: Policy, session: str, *, chinese: bool
) -> Briefing:
    """Give the approved lessons that a request is to be answered with.

    First those that share words with it. The first time in a session, and again for
    what is new, those that were seen last, the core, those of the last day and of the
    last month follow. Each stands once, none is cut, and all fit `lessons_max_chars`.
    """
    given = deliveries.of_session(store, session)
    matching = _matching(store, state)
    sections = [matching]
    if policy.lessons_context and not given:
        sections += _context(store)
    fresh = [[one for one in part if _key(one) not in given] for part in sections]
    return _written(fresh, policy, chinese=chinese)


def _matching(store: Store, state: State) -> list[Lesson]:
    found = rank(store, state.terms, MATCHING * 2, LESSONS)
    seqs = [seq for _, seq in found.best]
    rows = candidates.candidate_rows(store, seqs) if seqs else []
    order = {row.id: seqs.index(row.seq) for row in rows}
    asked = set(state.terms)
    lessons = [
        one
        for one in lessons_of(store, store.clock(), [*order])
        if one.approved and len(asked & set(search_terms(one.text))) >= SHARED
    ]
    return sorted(lessons, key=lambda one: order[one.id])[:MATCHING]


def _context(store: Store) -> list[list[Lesson]]:
    approved = [one for one in lessons_of(store, store.clock()) if one.approved]
    if not approved:
        return []
    last = max(one.last_seen for one in approved)
    recent = sorted(approved, key=lambda one: one.last_seen, reverse=True)[:RECENT]
    return [
        recent,
        core(approved),
        [one for one in approved if one.last_seen[:10] == last[:10]],
        [one for one in approved if one.last_seen[:7] == last[:7]],
    ]


def _key(one: Lesson) -> tuple[str, str]:
    return one.id, one.digest


def _written(
    sections: Iterable[Sequence[Lesson]], policy: Policy, *, chinese: bool
) -> Briefing:
    words = _WORDS[chinese]
    head = words.get(policy.lessons, words["advisory"])
    tail = words["all"]
    room = policy.lessons_max_chars - len(head) - len(tail) - 2
    lines: dict[str, str] = {}
    kept: list[Lesson] = []
    for section in sections:
        left = min(room, policy.lessons_max_chars // SHARE)
        for one in section:
            line = f"- {words[AVOID if one.polarity == AVOID else 'do']}: {one.text}"
            if one.id in lines or len(line) + 1 > left:
                continue
            lines[one.id] = line
            kept.append(one)
            left -= len(line) + 1
            room -= len(line) + 1
    if not kept:
        return Briefing()
    return Briefing("\n".join([head, *lines.values(), tail]), kept)
