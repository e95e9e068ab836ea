"""Where each field of an experience stands on its card, and in which shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experience_pack.model import Json

FRONT_ORDER = (
    "id", "kind", "name", "description", "category", "family", "parent_id",
    "prerequisites", "extends", "links", "reuse_mode", "requires", "polarity",
    "trigger", "match", "logic", "exec", "when", "do", "text", "quote", "source",
    "exemplars", "tests", "notes", "origin",
)  # fmt: skip
"""Order of the front matter. What has a section in the body stands here only if
its text would not come back from the body as it went in."""

STEP_DETAILS = ("tool", "input", "expect", "verify")
BRANCH_DETAILS = ("then", "why")

# Whatever ends a line somewhere, or cannot be seen: JSON escapes carry it instead.
UNPRINTABLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_NOT_IN_LINE = re.compile(f"[\t\n{UNPRINTABLE}]")
_NOT_IN_TEXT = re.compile(f"[{UNPRINTABLE}]")
_MERGE_STARTS = ("\n<<<<<<<", "\n>>>>>>>", "\n=======")
_BLOCK_STARTS = ("\n## ", "\n# ", *_MERGE_STARTS)
_STEP_KEYS = frozenset(("action", *STEP_DETAILS))
_BRANCH_KEYS = frozenset(("if", *BRANCH_DETAILS))


def fits_line(text: Json) -> bool:
    """Tell whether a text comes back from one line of Markdown as it is."""
    return isinstance(text, str) and fits_list([text])


def fits_block(text: Json) -> bool:
    """Tell whether a text comes back from a section of its own as it is."""
    return _fits_lines(text, _BLOCK_STARTS)


def fits_notes(text: Json) -> bool:
    """Tell whether a text comes back from the last section, headings and all."""
    return _fits_lines(text, _MERGE_STARTS)


def _fits_lines(text: Json, forbidden: Sequence[str]) -> bool:
    return (
        isinstance(text, str)
        and text != ""
        and text.strip() == text
        and not _NOT_IN_TEXT.search(text)
        and not any(start in f"\n{text}" for start in forbidden)
    )


def fits_list(items: list[str]) -> bool:
    """Tell whether every item is one line; all of them are looked at together."""
    return (
        all(items)
        and [item.strip() for item in items] == items
        and not _NOT_IN_LINE.search("".join(items))
    )


def fits_steps(steps: list[dict[str, Json]]) -> bool:
    """Tell whether steps have only known, one-line details."""
    return _fit_items(steps, _STEP_KEYS)


def fits_branches(branches: list[dict[str, Json]]) -> bool:
    """Tell whether branches have only known, one-line details."""
    return _fit_items(branches, _BRANCH_KEYS)


def _fit_items(items: list[dict[str, Json]], known: frozenset[str]) -> bool:
    return all(item.keys() <= known for item in items) and fits_list(
        [text for item in items for text in item.values()]
    )


def write_list(items: Json) -> str:
    """Write a bullet an item."""
    return "\n".join([f"- {item}" for item in items])


def write_steps(steps: Json) -> str:
    """Write numbered steps, details as bullets below."""
    lines = []
    for number, step in enumerate(steps, 1):
        lines.append(f"{number}. {step['action']}")
        lines += [f"   - {key}: {step[key]}" for key in STEP_DETAILS if key in step]
    return "\n".join(lines)


def write_branches(branches: Json) -> str:
    """Write a bullet a case, what to do and why below."""
    lines = []
    for branch in branches:
        lines.append(f"- If: {branch['if']}")
        lines += [
            f"  - {key.capitalize()}: {branch[key]}"
            for key in BRANCH_DETAILS
            if key in branch
        ]
    return "\n".join(lines)


def write_text(text: Json) -> str:
    """Write a text as it is."""
    return str(text)


@dataclass(frozen=True, slots=True)
class Section:
    """One `## heading` of a card and the field that it holds."""

    heading: str
    path: tuple[str, ...]
    shape: str
    fits: Callable[[Json], bool]
    write: Callable[[Json], str]


def _section(heading: str, path: str, shape: str) -> Section:
    fits, write = _SHAPES[shape]
    return Section(heading, tuple(path.split(".")), shape, fits, write)


_SHAPES: Mapping[str, tuple[Callable[[Json], bool], Callable[[Json], str]]] = {
    "block": (fits_block, write_text),
    "list": (fits_list, write_list),
    "steps": (fits_steps, write_steps),
    "branches": (fits_branches, write_branches),
    "notes": (fits_notes, write_text),
}

SECTIONS = (
    _section("When", "when", "block"),
    _section("Do", "do", "block"),
    _section("Lesson", "text", "block"),
    _section("Quote", "quote", "block"),
    _section("Source", "source", "block"),
    _section("Goal", "logic.goal", "block"),
    _section("Triggers", "logic.triggers", "list"),
    _section("Steps", "logic.path", "steps"),
    _section("Branches", "logic.branches", "branches"),
    _section("References", "logic.references", "list"),
    _section("Exemplars", "exemplars", "list"),
    _section("Must match", "tests.must_match", "list"),
    _section("Must not match", "tests.must_not_match", "list"),
    _section("Must not execute", "tests.must_not_execute", "list"),
    _section("Notes", "notes", "notes"),
)
"""The sections in their order. Notes come last and may hold headings."""

BY_HEADING = {section.heading.lower(): section for section in SECTIONS}
