"""What a Markdown text says about a method: its title, steps and references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*)")
_ITEM = re.compile(
    r"(?P<indent>\s*)(?:(?P<number>\d{1,9}(?:[.)]\s|、))|[-*+]\s)\s*"
    r"(?:\[[ xX]\]\s+)?(?P<text>.*)"
)
_NUMBERED = re.compile(
    r"(?:(?:step|phase)\s*\d+[a-z]?|\d+[.)、]|第?[一二三四五六七八九十\d]+[步、.]"
    r"|步骤\s*[一二三四五六七八九十\d]+)\s*[:：.、—-]?\s*(?P<text>.+)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:the\s+)?(?:process|steps?|checklist|workflow|procedure|instructions)"
    r"|.*(?:步骤|流程|清单|做法)",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"!?\[(?P<text>[^\]\n]{0,500})\]\((?P<target>[^()\s]{1,2000})[^()\n]{0,500}\)"
)
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]`\"'，。；、）】]+")
_EMPHASIS = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*])")

MAX_PLAIN = 2000
"""Characters of a paragraph that become plain text; more is no step or title, and
searching a longer line for pairs of marks takes quadratic time."""


@dataclass(frozen=True, slots=True)
class _Heading:
    at: int
    level: int
    title: str


def title_of(body: str) -> str:
    """Give the text of the first top-level heading, or nothing."""
    found = _headings(_prose(body))
    return next((plain(item.title) for item in found if item.level == 1), "")


def first_paragraph(body: str) -> str:
    """Give the first lines of plain prose as one line, or nothing."""
    taken: list[str] = []
    for line in _prose(body):
        starts_other = _HEADING.fullmatch(line) or _ITEM.fullmatch(line)
        if line.strip() and not starts_other and not line.startswith(("<", "|", ">")):
            taken.append(line)
        elif taken:
            break
    return plain(_joined(taken))


def steps_of(body: str) -> tuple[str, ...]:
    """Give the actions of the method in order, in plain words.

    They are, first found wins: the list in a section called process, steps … ;
    the headings that are numbered; the first ordered list at the margin.
    """
    lines = _prose(body)
    for rule in _STEP_RULES:
        found = tuple(filter(None, map(plain, rule(lines))))
        if len(found) > 1:
            return found
    return ()


def references_of(body: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """Give link targets, addresses and those of `files` that the text mentions."""
    text = "\n".join(_prose(body))
    spots = [(found.start("target"), found["target"]) for found in _LINK.finditer(text)]
    spots += [
        (found.start(), found[0].rstrip(".,;:!?*_"))
        for found in _ADDRESS.finditer(text)
    ]
    spots += [(text.find(name), name) for name in files if name in text]
    targets = (target.split("#")[0] for _, target in sorted(spots))
    return tuple(
        dict.fromkeys(target.removeprefix("./") for target in targets if target)
    )


def plain(text: str) -> str:
    """Give a line of Markdown without emphasis and link targets."""
    text = _LINK.sub(lambda found: found["text"], text[:MAX_PLAIN])
    for mark in (_EMPHASIS, _ITALIC):
        text = mark.sub(r"\2", text)
    return text.strip()


def _prose(body: str) -> list[str]:
    """Give the lines with those of code blocks emptied."""
    lines, fence = [], ""
    for line in body.split("\n"):
        found = _FENCE.match(line)
        inside = bool(fence)
        if found and not fence:
            fence = found["mark"]
        elif (
            found and found["mark"].startswith(fence) and line.strip() == found["mark"]
        ):
            fence = ""
        lines.append("" if inside or found else line)
    return lines


def _headings(lines: list[str]) -> list[_Heading]:
    found = ((at, _HEADING.fullmatch(line)) for at, line in enumerate(lines))
    return [
        _Heading(at, len(match["marks"]), match["title"].strip().rstrip("#").strip())
        for at, match in found
        if match
    ]


def _named_list(lines: list[str]) -> list[str]:
    headings = _headings(lines)
    ends = [heading.at for heading in headings[1:]] + [len(lines)]
    for heading, end in zip(headings, ends, strict=False):  # no headings, one end
        if _NAMED.fullmatch(plain(heading.title)):
            section = lines[heading.at + 1 : end]
            items = _first_list(section, ordered=True)
            items = items or _first_list(section, ordered=False)
            if items:
                return items
    return []


def _numbered_headings(lines: list[str]) -> list[str]:
    """Give the numbered headings of the level that has the first of them."""
    found = [(h.level, _NUMBERED.fullmatch(plain(h.title))) for h in _headings(lines)]
    hits = [(level, match["text"]) for level, match in found if match]
    return [text for level, text in hits if level == hits[0][0]]


def _margin_list(lines: list[str]) -> list[str]:
    return _first_list(lines, ordered=True)


_STEP_RULES: tuple[Callable[[list[str]], list[str]], ...] = (
    _named_list,  # the author called it the way to go
    _numbered_headings,  # "Step 1: …" is a path with text between the steps
    _margin_list,  # numbers at the margin: an order that the author meant
)
"""How steps are recognised, surest sign first."""


def _first_list(lines: list[str], *, ordered: bool) -> list[str]:
    """Give the first paragraphs of the items of the first list at the margin."""
    items: list[list[str]] = []
    for kind, text in _list_lines(lines, ordered=ordered):
        if kind == "item":
            items.append([text])
        elif kind == "more" and items:
            items[-1].append(text)
        elif kind == "end" and items:
            break
    return [_joined(parts) for parts in items]


def _list_lines(lines: list[str], *, ordered: bool) -> Iterator[tuple[str, str]]:
    """Say for each line whether it is an item, more of one, aside, or the end."""
    paragraph = False
    for line in lines:
        item = _ITEM.fullmatch(line)
        at_margin = item is not None and len(item["indent"]) <= 1
        if item and at_margin and bool(item["number"]) == ordered:
            paragraph = True
            yield "item", item["text"]
        elif not line.strip() or (item and not at_margin):
            paragraph = False
            yield "aside", ""
        elif paragraph and not _HEADING.fullmatch(line):
            yield "more", line
        else:
            paragraph = False
            yield ("aside", "") if line.startswith((" ", "\t")) else ("end", "")


def _joined(parts: list[str]) -> str:
    """Join the lines of a paragraph; between Chinese characters without a space."""
    whole = ""
    for part in map(str.strip, parts):
        wide = bool(whole) and whole[-1] >= "\u2e80" and part[:1] >= "\u2e80"
        whole += part if wide or not whole else f" {part}"
    return whole
