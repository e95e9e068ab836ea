"""Read the memory folder of pi-self-learning: lessons, with what becomes of each line.

The days are the originals. The scored index, the core and the long-term file were
made of them, and in some releases from a damaged index, with every "avoid" turned
into its opposite; so where a day says avoid, it stays avoid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from experience_pack.clock import seconds, timestamp
from experience_pack.errors import ExperiencePackError
from experience_pack.formats.strict_json import loads
from experience_pack.learning.reflection.lessons import key, lesson, plain
from experience_pack.matching.lessons import AVOID, DO
from experience_pack.model import Experience, Origin
from experience_pack.model.ids import derived_id
from experience_pack.packs.interchange.report import LEFT_OUT, Carried, Problem
from experience_pack.packs.layout import LARGEST_FILE
from experience_pack.store.sightings import Sighting
from experience_pack.text.redaction import redact

ORIGIN = "pi-self-learning"

INDEX, CORE, LONG_TERM = "core/index.json", "core/CORE.md", "long-term-memory.md"

_DAY = re.compile(r"daily/(\d{4}-\d{2}-\d{2})\.md")
_MONTH = re.compile(r"monthly/(\d{4}-\d{2})\.md")
_TIME = re.compile(r"## (\d{2}:\d{2}) UTC")
_BULLET = re.compile(r"\s*[-*]\s+(.*)")
_NONE = re.compile(r"\(none( yet)?\)", re.IGNORECASE)
_UPDATED = re.compile(r"Last updated: (\S+)")
_AVOID = re.compile(r"(?:avoid|避免)\s*[:：]", re.IGNORECASE)
_MOST_HITS = 1_000_000

_SECTIONS = {
    AVOID: ("watch-out", "went wrong", "mistake", "anti-pattern", "antipattern"),
    DO: ("learning", "strateg", "was fixed", "fixes"),
}
"""Words of a heading by what stands below it; the first polarity that fits."""

_KINDS = {"antiPattern": AVOID, "learning": DO, "strategy": DO}


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """What a folder holds."""

    lessons: tuple[Experience, ...]
    months: tuple[Experience, ...]
    """The summaries of months, each a reference with its whole text."""
    sightings: tuple[Sighting, ...]
    carried: tuple[Carried, ...]
    """Every line that is not blank, and every item of the index, with its place."""
    problems: tuple[Problem, ...]


class _Said(NamedTuple):
    """One lesson in one place."""

    text: str
    polarity: str
    file: str
    line: int
    last: int
    at: str
    hits: int = 1
    since: str = ""


@dataclass(kw_only=True, slots=True)
class _Reading:
    said: list[_Said] = field(default_factory=list)
    months: list[Experience] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def leave(self, file: str, line: int, reason: str) -> None:
        self.carried.append(
            Carried(file=file, first=line, last=line, where=LEFT_OUT, reason=reason)
        )

    def fault(self, file: str, line: int, reason: str, *, skipped: bool) -> None:
        self.problems.append(
            Problem(
                file=file,
                line=line,
                reason=reason,
                next_step=_SKIPPED if skipped else _LOOK,
                skipped=skipped,
            )
        )


_SKIPPED = "Mend the file and convert the folder again; nothing is taken twice."
_LOOK = "Look at the lesson when you review it."


def read_memory(folder: Path, now: float) -> Remembered:
    """Read a folder; what cannot be read is a problem, never a failure.

    `now`, in seconds, is when a lesson was seen of which no file says when.
    """
    reading = _Reading()
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        text = _text(path, name, reading)
        if text is None:
            continue
        if name == INDEX:
            _read_index(text, reading, now)
        elif name in (CORE, LONG_TERM):
            _read_list(text, name, reading, now)
        elif day := _DAY.fullmatch(name):
            _read_day(text, name, day[1], reading)
        elif month := _MONTH.fullmatch(name):
            _read_month(text, name, month[1], reading)
        else:
            reading.leave(name, 0, "no file of this layout")
    if not (folder / INDEX).is_file():
        reading.fault(INDEX, 0, "missing; hits are counted from the days", skipped=True)
    return _together(reading)


def _files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    below = ((path, path.relative_to(folder).parts) for path in found)
    return sorted(path for path, parts in below if ".git" not in parts)


def _text(path: Path, name: str, reading: _Reading) -> str | None:
    fault = ""
    try:
        if path.is_symlink():
            fault = "a link, which may lead anywhere"
        elif path.stat().st_size > LARGEST_FILE:
            fault = f"larger than {LARGEST_FILE:,} bytes"
        else:
            return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        fault = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        fault = "not UTF-8"
    reading.fault(name, 0, fault, skipped=True)
    return None


def _read_index(text: str, reading: _Reading, now: float) -> None:
    """Read the items; of a damaged file, those that are whole."""
    try:
        document = loads(text, INDEX)
        items = document.get("items") if isinstance(document, dict) else None
    except ExperiencePackError as error:
        items = [*_whole_items(text)]
        whole = f"{len(items)} whole items were read"
        reading.fault(INDEX, 0, f"damaged, {whole} ({error})", skipped=False)
    for at, item in enumerate(items if isinstance(items, list) else (), 1):
        said = _indexed(item, at, now)
        if said is None:
            reading.leave(INDEX, at, "an item without a text")
        else:
            reading.said.append(said)


def _whole_items(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    at = text.find("[", text.find('"items"'))
    while (at := text.find("{", at + 1)) > 0:
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield item
        at = end - 1


def _indexed(item: Any, at: int, now: float) -> _Said | None:
    given = item if isinstance(item, Mapping) else {}
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    polarity = _KINDS.get(str(given.get("kind")), DO)
    hits = given.get("hits")
    counted = hits if type(hits) is int and 0 < hits < _MOST_HITS else 1
    last = _moment(given.get("lastSeen"), now)
    since = min(_moment(given.get("firstSeen"), now), last)
    return _Said(text, _of(text, polarity), INDEX, at, at, last, counted, since)


def _moment(value: object, now: float) -> str:
    found = seconds(value) if isinstance(value, str) else 0.0
    return timestamp(found if 0 < found <= now else now)


def _read_list(text: str, name: str, reading: _Reading, now: float) -> None:
    updated = _UPDATED.search(text)
    at = _moment(updated[1] if updated else None, now)
    for polarity, said, first, last in _bullets(text, name, reading):
        reading.said.append(_Said(said, polarity, name, first, last, at))


def _read_day(text: str, name: str, day: str, reading: _Reading) -> None:
    times = dict(_times(text))
    at = "00:00"
    for polarity, said, first, last in _bullets(text, name, reading):
        at = next((one for line, one in reversed(times.items()) if line < first), at)
        moment = f"{day}T{at}:00Z"
        if not seconds(moment):
            reading.fault(name, first, "there is no such day", skipped=False)
            moment = timestamp(0)
        reading.said.append(_Said(said, polarity, name, first, last, moment))


def _times(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TIME.match(line):
            yield number, found[1]


def _read_month(text: str, name: str, month: str, reading: _Reading) -> None:
    lines = len(text.splitlines())
    identity = derived_id("exp", ORIGIN, name)
    made = Experience(
        id=identity,
        kind="reference",
        name=f"Month {month}",
        notes=redact(text.strip()).text,
        origin=Origin(type=ORIGIN, source=name),
    )
    reading.months.append(made)
    reading.carried.append(
        Carried(file=name, first=1, last=max(lines, 1), where=f"{identity} notes")
    )


def _bullets(
    text: str, name: str, reading: _Reading
) -> Iterator[tuple[str, str, int, int]]:
    """Give `(polarity, text, first line, last line)` of every item of a page."""
    polarity = ""
    item: tuple[str, str, int, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        bullet = _BULLET.match(line)
        goes_on = item and line.startswith(("  ", "\t")) and not bullet
        if item and goes_on and line.strip():
            item = item[0], f"{item[1]} {line.strip()}", item[2], number
            continue
        if item:
            yield item
            item = None
        if bullet and polarity and not _NONE.fullmatch(bullet[1].strip()):
            item = _of(bullet[1], polarity), bullet[1].strip(), number, number
        elif line.strip():
            polarity = _section(line, polarity)
            reading.leave(name, number, _why_left(line, polarity))
    if item:
        yield item


def _section(line: str, before: str) -> str:
    """Give the polarity of what follows a line; an unknown heading has none."""
    if not line.startswith("#"):
        return before
    title = line.casefold()
    fits = (one for one, words in _SECTIONS.items() if any(w in title for w in words))
    return next(fits, "")


def _why_left(line: str, polarity: str) -> str:
    if line.startswith("#"):
        return "a heading"
    bullet = _BULLET.match(line)
    if bullet and not _NONE.fullmatch(bullet[1].strip()):
        return "under no heading of lessons" if not polarity else "no lesson"
    return "no lesson"


def _of(text: str, polarity: str) -> str:
    return AVOID if _AVOID.match(text.strip()) else polarity


def _together(reading: _Reading) -> Remembered:
    """Join what is the same lesson; hits come from the index, else from the days."""
    lessons: dict[str, Experience] = {}
    places: dict[str, list[_Said]] = {}
    for said in _righted(reading):
        text = redact(said.text).text
        made = replace(
            lesson(text, said.polarity, said.file), origin=Origin(type=ORIGIN)
        )
        lessons.setdefault(made.id, made)
        places.setdefault(made.id, []).append(said)
        same = made.text == said.text.strip()
        reading.carried.append(
            Carried(
                file=said.file,
                first=said.line,
                last=said.last,
                where=f"{made.id} text",
                reason="" if same else "without a word for avoid, or a secret",
            )
        )
    return Remembered(
        lessons=tuple(lessons.values()),
        months=tuple(reading.months),
        sightings=tuple(
            one for identity, found in places.items() for one in _seen(identity, found)
        ),
        carried=tuple(sorted(reading.carried, key=lambda one: (one.file, one.first))),
        problems=tuple(reading.problems),
    )


def _righted(reading: _Reading) -> Iterator[_Said]:
    """Give what was said, with what was turned into its opposite turned back."""
    days: dict[str, set[str]] = {}
    for said in reading.said:
        if _DAY.fullmatch(said.file):
            days.setdefault(key(plain(said.text)), set()).add(said.polarity)
    for said in reading.said:
        original = days.get(key(plain(said.text)), set())
        if said.polarity == DO and original == {AVOID}:
            fault = "said to do what a day says to avoid; it stays avoid"
            reading.fault(said.file, said.line, fault, skipped=False)
            yield said._replace(polarity=AVOID)
        else:
            yield said


def _seen(identity: str, found: Sequence[_Said]) -> Iterator[Sighting]:
    indexed = [one for one in found if one.file == INDEX]
    days = [one for one in found if _DAY.fullmatch(one.file)]
    by_source: dict[str, list[_Said]] = {}
    for one in indexed or days or found[:1]:
        by_source.setdefault(one.file, []).append(one)
    for source, listed in by_source.items():
        yield Sighting(
            identity,
            f"{ORIGIN} {source}",
            "",
            sum(one.hits for one in listed),
            min(one.since or one.at for one in listed),
            max(one.at for one in listed),
        )
