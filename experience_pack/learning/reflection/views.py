"""Lessons as Markdown, rendered from the store: by day, by month, the best, and all.

Only the days show what no person has approved yet; a model that reads the other
files reads nothing that nobody looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from experience_pack.matching.lessons import AVOID, DO, Lesson, core, lessons_of
from experience_pack.store import Reader, sightings
from experience_pack.store.sightings import Sighting

_HEAD = "Rendered from the store; what is edited here is overwritten."
_TITLES = {DO: "Do", AVOID: "Avoid"}


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
