"""What differs, as one self-contained page: two versions of a pack, or an import."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import quote

from experience_pack.formats.diff import Change, diff
from experience_pack.model.record import Json
from experience_pack.packs.compare import Advice, Difference
from experience_pack.packs.plan import Plan, changes_of
from experience_pack.resources import read_resource
from experience_pack.site.changes import pieces
from experience_pack.site.comparison_words import FIELDS, OPS, TONES, WHOLE, WORDS
from experience_pack.site.inline import style_policy
from experience_pack.site.templates import render
from experience_pack.store import Store

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What a reader would not see, or what turns the order of what is seen."""

_SAID = {(op, "name") for op in WHOLE}
"""Fields that the heading says already."""

_MARKS = {"same": "", "gone": "del", "new": "ins"}

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """What became, or would become, of one experience."""

    op: str
    """One of `OPS`."""
    name: str
    was: str = ""
    """Its name before, if it had another."""
    changes: Sequence[Change] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Everything that the page shows."""

    title: str
    subtitle: str = ""
    language: str = "en"
    entries: Sequence[Entry] = ()
    counts: Sequence[tuple[str, int]] = ()
    """Numbers by operation, of those that have no entry too."""
    advice: Advice | None = None


class Part(NamedTuple):
    """A stretch of text: unchanged, or marked `ins` or `del`."""

    text: str
    mark: str = ""


def page_of_versions(
    title: str,
    subtitle: str,
    language: str,
    found: Sequence[Difference],
    advice: Advice,
) -> Comparison:
    """Give the page about two versions of a pack."""
    return Comparison(
        title=title,
        subtitle=subtitle,
        language=language,
        entries=[_entry_of(one) for one in found],
        counts=[*Counter(one.op for one in found).items()],
        advice=advice if found else None,
    )


def page_of_plan(store: Store, plan: Plan, language: str) -> Comparison:
    """Give the page about what an import would do."""
    info = plan.incoming.info
    entries = [
        Entry(
            op=item.action,
            name=item.experience.name,
            changes=changes_of(store, item) or diff({}, item.experience.content()),
        )
        for item in plan.items
        if item.action != "same"
    ]
    entries += [
        Entry(op="withdrawn", name=one.name, changes=[]) for one in plan.withdrawals
    ]
    return Comparison(
        title=f"{info.title or info.name} {info.version}",
        subtitle=plan.incoming.source,
        language=language,
        entries=entries,
        counts=[*plan.counts().items()],
    )


def render_comparison(page: Comparison) -> str:
    """Give the whole HTML file: no script, nothing loaded, everything escaped."""
    speech = int(page.language.startswith("zh"))
    words = {key: texts[speech] for key, texts in WORDS.items()}
    return render(
        "comparison.html.j2",
        policy=style_policy(_style()),
        style=_style(),
        icon="data:image/svg+xml," + quote(read_resource("viewer", "icon.svg")),
        language=page.language or "en",
        title=_visible(page.title),
        subtitle=_visible(page.subtitle),
        words=words,
        advice=page.advice and _advice_text(page.advice, speech),
        counts=[
            {"number": f"{number:,}", "label": OPS[op][speech], "tone": TONES[op]}
            for op, number in page.counts
        ],
        entries=[_shown(entry, speech, words) for entry in page.entries],
    )


def _entry_of(found: Difference) -> Entry:
    content = found.subject.content()
    whole = {"added": ({}, content), "removed": (content, {})}.get(found.op)
    return Entry(
        op=found.op,
        name=found.name,
        was=found.before if found.op == "renamed" else "",
        changes=diff(*whole) if whole else found.changes,
    )


def _advice_text(advice: Advice, speech: int) -> str:
    text = WORDS["advice"][speech].format(level=advice.level)
    return text if speech else f"{text} {_visible(advice.reason)}."


def _shown(entry: Entry, speech: int, words: dict[str, str]) -> dict[str, Json]:
    return {
        "name": _visible(entry.name),
        "was": _visible(entry.was),
        "label": OPS[entry.op][speech],
        "tone": TONES[entry.op],
        "fields": [
            _field(part, speech, words, marks=entry.op not in WHOLE)
            for change in entry.changes
            for part in _unfolded(change)
            if (entry.op, part.path) not in _SAID
        ],
    }


def _unfolded(change: Change) -> Iterable[Change]:
    """Give what is inside an object that came or went, field by field."""
    value = change.after if change.op == "added" else change.before
    if change.op == "changed" or not isinstance(value, dict) or _is_plain(value):
        yield change
        return
    for key, inner in value.items():
        sides = (None, inner) if change.op == "added" else (inner, None)
        yield from _unfolded(Change(f"{change.path}.{key}", change.op, *sides))


def _is_plain(value: Mapping[str, Json]) -> bool:
    return all(isinstance(one, str) for one in value.values())


def _field(
    change: Change, speech: int, words: dict[str, str], *, marks: bool
) -> dict[str, Json]:
    before, after = _written(change.before), _written(change.after)
    if change.op == "changed":
        old, new = marked(before, after)
        sides = [(words["before"], old), (words["after"], new)]
    elif change.op == "added":
        sides = [(words["new"], [Part(after, "ins" if marks else "")])]
    else:
        sides = [(words["gone"], [Part(before, "del" if marks else "")])]
    return {
        "label": _label(change.path, speech),
        "path": _visible(change.path),
        "sides": [{"label": label, "parts": parts} for label, parts in sides],
    }


def marked(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """Give two texts with what is only in one of them marked, word by word."""
    found = [*pieces(before, after)]
    left = [Part(text, _MARKS[op]) for op, text in found if op != "new"]
    right = [Part(text, _MARKS[op]) for op, text in found if op != "gone"]
    return left, right


def _label(path: str, speech: int) -> str:
    """Give a field's name: of the longest path that has one."""
    plain = _INDEX.sub("", path)
    while plain and plain not in FIELDS:
        plain = plain.rpartition(".")[0]
    return FIELDS[plain][speech] if plain else ""


def _written(value: Json) -> str:
    """Write a value as people read it: a line an item, `key: value`."""
    return _visible("\n".join(_lines(value)))


def _lines(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield from (f"• {one}" for one in value)
    elif isinstance(value, dict) and _is_plain(value):
        yield from (f"{key}: {one}" for key, one in value.items())
    elif isinstance(value, list):
        for number, one in enumerate(value, 1):
            first, *rest = _lines(one) or [""]
            yield f"{number}. {first}"
            yield from (f"   {line}" for line in rest)
    else:
        yield json.dumps(value, ensure_ascii=False, indent=2)


def _visible(text: str) -> str:
    """Show what cannot be seen by its number, for a reviewer is to see it."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", text)


@cache
def _style() -> str:
    tokens = read_resource("viewer", "tokens.css")
    return tokens + read_resource("site_templates", "comparison.css")
