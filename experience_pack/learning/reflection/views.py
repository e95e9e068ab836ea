"""Lessons as Markdown, rendered from the store: by day, by month, the best, and all.

Only the days show what no person has approved yet; a model that reads the other
files reads nothing that nobody looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from experience_pack.clock import seconds
from experience_pack.formats.strict_json import read_back
from experience_pack.learning.reflection.lessons import AVOID, DO, rank
from experience_pack.model.values import Json
from experience_pack.store import Reader, sightings
from experience_pack.store.sightings import Seen, Sighting

CORE_ITEMS = 20
"""Lessons in the core, half of each polarity where both exist (upstream)."""

DISTILS = "distils"
"""Relation of a redistilled lesson to those that it stands for."""

_HEAD = "Rendered from the store; what is edited here is overwritten."
_TITLES = {DO: "Do", AVOID: "Avoid"}


class Lesson(NamedTuple):
    """A lesson as views show it."""

    id: str
    text: str
    polarity: str
    approved: bool
    hits: int
    last_seen: str
    rank: float
    distils: tuple[str, ...]


def lessons_of(db: Reader, now: float) -> list[Lesson]:
    """Give all lessons, the best first."""
    found = [_lesson(one, now) for one in sightings.lessons(db)]
    return sorted(found, key=lambda one: (-one.rank, -one.hits, one.id))


def rendered(db: Reader, now: float) -> dict[str, str]:
    """Give every view by its path below `lessons/`."""
    known = {one.id: one for one in lessons_of(db, now)}
    approved = [one for one in known.values() if one.approved]
    days = sightings.days(db)
    months = sorted({day[:7] for day in days})
    return {
        "core.md": _page("Core lessons", _sections(core(approved), _line)),
        "long-term.md": _page("All lessons", _sections(*_long_term(approved))),
        **{f"daily/{day}.md": _page(day, _day(db, day, known)) for day in days},
        **{f"monthly/{one}.md": _page(one, _month(db, one, known)) for one in months},
    }


def core(lessons: Sequence[Lesson], most: int = CORE_ITEMS) -> list[Lesson]:
    """Give the best; half of them of each polarity, as far as there are so many."""
    halves = [
        one
        for polarity in _TITLES
        for one in [other for other in lessons if other.polarity == polarity][
            : most // 2
        ]
    ]
    rest = [one for one in lessons if one not in halves]
    kept = {one.id for one in [*halves, *rest][:most]}
    return [one for one in lessons if one.id in kept]


def _lesson(one: Seen, now: float) -> Lesson:
    content: Mapping[str, Json] = read_back(one.content, one.id)
    links = content.get("links", ())
    return Lesson(
        one.id,
        " ".join(str(content.get("text") or content["name"]).split()),
        str(content.get("polarity") or DO),
        is_approved(one),
        one.hits,
        one.last_seen,
        rank(one.hits, seconds(one.last_seen), now),
        tuple(link["target"] for link in links if link["relation"] == DISTILS),
    )


def is_approved(one: Seen) -> bool:
    """Tell whether a person here accepted the lesson exactly as it stands."""
    standing = read_back(one.standing, one.id) if one.standing else {}
    said = standing.get("approved_digest") == one.digest
    return said and standing.get("status", "active") == "active"


def _page(title: str, lines: Iterable[str]) -> str:
    body = [*lines] or ["Nothing yet.", ""]
    return "\n".join([f"# {title}", "", f"<!-- {_HEAD} -->", "", *body])


def _sections(
    lessons: Sequence[Lesson], line: Callable[[Lesson], Sequence[str]]
) -> list[str]:
    lines: list[str] = []
    for polarity, title in _TITLES.items():
        found = [one for one in lessons if one.polarity == polarity]
        if found:
            lines += [f"## {title}", ""]
            lines += [part for one in found for part in line(one)]
            lines.append("")
    return lines


def _line(one: Lesson) -> Sequence[str]:
    times = f" ({one.hits} times)" if one.hits > 1 else ""
    return [f"- {one.text}{times}"]


def _long_term(
    lessons: Sequence[Lesson],
) -> tuple[Sequence[Lesson], Callable[[Lesson], Sequence[str]]]:
    """Give all lessons, and a line that has below it what the lesson stands for."""
    known = {one.id: one for one in lessons}
    below = {target for one in lessons for target in one.distils}

    def line(one: Lesson) -> Sequence[str]:
        parts = [known[target] for target in one.distils if target in known]
        return [*_line(one), *(f"  {text}" for part in parts for text in _line(part))]

    return [one for one in lessons if one.id not in below], line


def _day(db: Reader, day: str, known: Mapping[str, Lesson]) -> list[str]:
    """Give a day's entries, each under the time at which it was written."""
    lines: list[str] = []
    before = ""
    for one in sightings.on_days(db, day):
        if one.experience_id not in known:
            continue
        if one.source != before:
            lines += [f"## {one.last_seen[11:16]} UTC", ""]
            before = one.source
        lines += _entry(one, known[one.experience_id])
    return [*lines, ""] if lines else []


def _entry(one: Sighting, lesson: Lesson) -> Iterable[str]:
    waits = "" if lesson.approved else " (waits for review)"
    yield f"- **{_TITLES.get(lesson.polarity, 'Do')}:** {lesson.text}{waits}"
    if one.quote:
        yield f"  > {' '.join(one.quote.split())}"


def _month(db: Reader, month: str, known: Mapping[str, Lesson]) -> list[str]:
    seen = {one.experience_id for one in sightings.on_days(db, month)}
    found = [one for one in known.values() if one.id in seen and one.approved]
    return _sections(found, _line)
