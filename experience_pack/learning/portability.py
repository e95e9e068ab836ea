"""What ties an experience to one project, and the placeholders that free it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from experience_pack.formats.walk import KEY, texts_of
from experience_pack.model import Experience, Json
from experience_pack.text.ties import ties

PROJECT, NAME = "project", "project_name"
"""Values that every workspace has of itself: its folder, and that folder's name."""

SHORTEST_NAME = 3
"""Characters of a project's name from which it is looked for; `a` is a word."""


class Project(NamedTuple):
    """The project that an experience was made in."""

    name: str = ""
    root: str = ""


NOWHERE = Project()


class Portability(NamedTuple):
    """How far an experience can be used in another project as it is."""

    id: str
    name: str
    score: float
    """Share of its texts that no place, host or person ties to one project, 0–1."""
    tied: int
    """Texts that are tied."""
    texts: int


class Freed(NamedTuple):
    """An experience with placeholders for what tied it."""

    experience: Experience
    values: dict[str, str]
    """What stood for each placeholder here."""


class _Tied(NamedTuple):
    start: int
    end: int
    name: str
    """Placeholder that stands for the value."""
    value: str
    rest: str = ""
    """What follows the value in the passage, as a path below it."""


def portability(one: Experience, project: Project = NOWHERE) -> Portability:
    """Give how much of what an experience says is free of one project.

    Every text counts alike; where it comes from (`origin`) is not asked, for that is
    meant to name a place.
    """
    content = one.content()
    content.pop("origin", None)
    texts = [text for path, text in texts_of(content) if not path.endswith(KEY)]
    tied = sum(next(_tied(text, project), None) is not None for text in texts)
    return Portability(one.id, one.name, 1 - tied / len(texts), tied, len(texts))


def freed(one: Experience, project: Project = NOWHERE) -> Freed:
    """Give the experience with `{project}`, `{home}`, `{email}` … for what ties it.

    A template asks for the values from then on (`requires`). Words that requests are
    compared with are dropped where they tie. Rules and calls of providers are left as
    they are, for a placeholder in them would mean something else: the portability of
    the result says what is left.
    """
    names = _Names()
    fields = sorted(one.content().items(), key=lambda field: field[0] != "exec")
    document = {key: _freed(value, key, names, project) for key, value in fields}
    texts = document.get("exec", {}).get("template", {}).values()
    used = [
        name for name in names.values if any(f"{{{name}}}" in str(t) for t in texts)
    ]
    requires = dict.fromkeys([*one.requires, *used])
    made = Experience.from_dict({**document, "id": one.id, "requires": [*requires]})
    return Freed(made, names.values)


class _Names:
    """Placeholders as they are given out: one for each value."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def of(self, tied: _Tied) -> str:
        """Give the name for a value, with a number if another one has it."""
        name, number = tied.name, 1
        while self.values.setdefault(name, tied.value) != tied.value:
            number += 1
            name = f"{tied.name}_{number}"
        return name


_KEPT = ("exec.workflow", "exec.decision_rules", "exec.exception_rules", "trigger")
"""Fields in which a text is more than what it says."""

_WORDS = ("match.tags", "match.keywords", "logic.triggers", "requires")
"""Lists of words that requests are compared with."""

_UTTERANCES = ("exemplars", "tests")
"""What people say: a passage that ties is left out of it."""


def _freed(value: Json, path: str, names: _Names, project: Project) -> Any:
    if path.startswith(_KEPT):
        return value
    if isinstance(value, str):
        if path.startswith(_UTTERANCES):
            return " ".join(_written(value, project, lambda _: "").split())
        return _written(value, project, lambda one: f"{{{names.of(one)}}}{one.rest}")
    if isinstance(value, Mapping):
        return {
            key: _freed(item, f"{path}.{key}", names, project)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        kept = [one for one in value if not (path in _WORDS and _ties(one, project))]
        return [_freed(one, path, names, project) for one in kept]
    return value


def _ties(word: Json, project: Project) -> bool:
    return isinstance(word, str) and next(_tied(word, project), None) is not None


def _written(text: str, project: Project, stand_in: Callable[[_Tied], str]) -> str:
    pieces, at = [], 0
    for one in sorted(_tied(text, project)):
        pieces += [text[at : one.start], stand_in(one)]
        at = one.end
    return "".join([*pieces, text[at:]])


def _tied(text: str, project: Project) -> Iterator[_Tied]:
    """Give what ties a text, apart: the project's folder, places, then its name."""
    taken: list[_Tied] = []
    for find in (_roots, _places, _names):
        for one in find(text, project):
            if all(one.end <= other.start or other.end <= one.start for other in taken):
                taken.append(one)
                yield one


def _roots(text: str, project: Project) -> Iterator[_Tied]:
    if project.root.strip("/\\"):
        for found in re.finditer(rf"{re.escape(project.root)}(?![\w.-])", text):
            yield _Tied(*found.span(), PROJECT, project.root)


def _places(text: str, _: Project) -> Iterator[_Tied]:
    for one in ties(text):
        passage = text[one.start : one.end]
        placeholder = _PLACEHOLDER.match(one.suggestion)
        if placeholder is None:
            continue
        rest = one.suggestion[placeholder.end() :]
        value = passage[: len(passage) - len(rest)]
        yield _Tied(one.start, one.end, placeholder[1], value, rest)


_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def _names(text: str, project: Project) -> Iterator[_Tied]:
    if len(project.name) < SHORTEST_NAME:
        return
    bound = r"\b" if project.name.isascii() else ""
    pattern = rf"{bound}{re.escape(project.name)}{bound}"
    for found in re.finditer(pattern, text, re.IGNORECASE | re.ASCII):
        yield _Tied(*found.span(), NAME, project.name)
