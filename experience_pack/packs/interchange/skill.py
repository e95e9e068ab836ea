"""Agent skills (folders with a `SKILL.md`) read into experiences.

Follows the Agent Skills specification of 2026-08-09. The text of a skill is carried
whole: its body is the experience's notes, its other files are documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.model import (
    DOCUMENT,
    Episode,
    Evidence,
    Experience,
    Json,
    Logic,
    Origin,
    Step,
    derived_id,
)
from experience_pack.packs.interchange.front_matter import (
    FrontMatter,
    split_front_matter,
)
from experience_pack.packs.interchange.outline import (
    first_paragraph,
    references_of,
    steps_of,
    title_of,
)
from experience_pack.packs.interchange.report import LEFT_OUT, Carried, Problem
from experience_pack.packs.interchange.skill_files import (
    SkillFolder,
    SourceFile,
    find_skills,
)

_TRIGGERS = (
    re.compile(
        r"(?<!not )(?<!n't )(?<!never )\b"
        r"use (?:this (?:skill )?|it )?(?:when(?:ever)?|for|before|after|if)\s+"
        r"(?P<text>.+?)(?= [-–—] |[.;。；](?:\s|$)|$)",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!不)(?<!不适)(?:适用于|用于|适合)(?P<text>[^。；;\n]+)"),
    re.compile(
        r"(?:当|在)(?P<text>[^。；;，,\n]+?)(?:的时候|时|之前|之后|前|后)"
        r"(?=使用|启用|用|[，,。；;]|$)"
    ),
)
"""How descriptions say what a skill is for, and not what it is not for."""

_DIGEST = "digest"
"""Our key beside those of the front matter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConvertedSkill:
    """One skill as an experience, and an account of where its lines went."""

    experience: Experience
    """A process if steps were found, else a reference."""
    documents: tuple[Episode, ...]
    """The skill's other text files, each whole."""
    source: str
    """Path of the skill's folder, relative to the converted folder."""
    digest: str
    """SHA-256 over the paths and contents of its files; also in `extra.skill`."""
    carried: tuple[Carried, ...]
    """Every line of every file, either with its place or as left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversion:
    """The skills of a folder, and what a person should look at."""

    skills: tuple[ConvertedSkill, ...]
    """In order of path."""
    problems: tuple[Problem, ...]
    """What was skipped, or read in spite of a fault."""


def read_skills(folder: Path, *, source: str = "") -> Conversion:
    """Read a skill, or all skills below a folder; a bad one never stops the others.

    `source` names where the folder comes from. Ids are derived from it and the
    skill's path, so converting a changed folder again updates. Raises
    `NotFoundError` if there is no such folder, `UsageError` if it is a file.
    """
    if not folder.exists():
        raise NotFoundError(f"{folder}: no such folder")
    if not folder.is_dir():
        hint = "Give the folder that the SKILL.md is in."
        raise UsageError(f"{folder}: not a folder", hint=hint)
    problems: list[Problem] = []
    skills = []
    for found in find_skills(folder, problems):
        problems += _unread(found)
        if found.main.text is not None:
            skills.append(_convert(found, found.main.text, source, problems))
    return Conversion(skills=tuple(skills), problems=tuple(problems))


def _unread(found: SkillFolder) -> Iterator[Problem]:
    lost = found.main.text is None
    for file in (found.main, *found.files):
        if file.text is None:
            reason, next_step = file.reason, file.next_step
        elif lost:
            reason = "its SKILL.md was not read"
            next_step = "See what is wrong with the SKILL.md."
        else:
            continue
        yield Problem(file=file.path, line=0, reason=reason, next_step=next_step)


def _convert(
    found: SkillFolder, text: str, source: str, problems: list[Problem]
) -> ConvertedSkill:
    head = split_front_matter(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    problems += _faults(found.main.path, head)
    digest = found.digest()
    documents = _documents(found, source)
    return ConvertedSkill(
        experience=_experience(found, head, source, digest),
        documents=documents,
        source=found.path,
        digest=digest,
        carried=(*_carried_main(found.main.path, head), *_carried_files(found.files)),
    )


def _faults(path: str, head: FrontMatter) -> Iterator[Problem]:
    if head.fault:
        line, reason = head.fault
        next_step = "Write `name:` and `description:` between two `---` lines; quote "
        next_step += "a value that contains a colon."
        yield Problem(
            file=path, line=line, reason=reason, next_step=next_step, skipped=False
        )
    elif not isinstance(head.values.get("description"), str):
        yield Problem(
            file=path,
            line=1,
            reason="there is no description",
            next_step="Add a `description:` that says what it does and when to use it.",
            skipped=False,
        )


def _experience(
    found: SkillFolder, head: FrontMatter, source: str, digest: str
) -> Experience:
    slug = head.values.get("name")
    description = head.values.get("description")
    if not isinstance(description, str) or not description.strip():
        description = first_paragraph(head.body)
    logic = _logic(found, head.body, description)
    return Experience(
        id=derived_id("exp", "skill", source, found.path),
        kind="process" if logic.path else "reference",
        name=title_of(head.body) or str(slug or PurePosixPath(found.path).name),
        description=description.strip(),
        logic=logic,
        notes=head.body,
        origin=Origin(
            type="imported_skill",
            source=found.main.path,
            evidence=tuple(_evidence(found, source)),
        ),
        extra={"skill": _extra(found, head.values, digest)},
    )


def _logic(found: SkillFolder, body: str, description: str) -> Logic:
    files = tuple(_inside(found, file) for file in found.files)
    return Logic(
        triggers=_triggers(description),
        path=tuple(Step(action=action) for action in steps_of(body)),
        references=references_of(body, files),
    )


def _triggers(description: str) -> tuple[str, ...]:
    """Give what follows "Use when" and its like; the first form that fits counts."""
    flat = " ".join(description.split())
    for form in _TRIGGERS:
        found = [match["text"].strip(" ，,：:") for match in form.finditer(flat)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def _extra(
    found: SkillFolder, values: Mapping[str, Json], digest: str
) -> dict[str, Json]:
    """Give what the model has no field for; the description has one if it is text."""
    kept = {
        key: value
        for key, value in values.items()
        if key != "description" or not isinstance(value, str)
    }
    kept.setdefault("name", PurePosixPath(found.path).name)
    return {**kept, _DIGEST: digest}


def _inside(found: SkillFolder, file: SourceFile) -> str:
    return str(PurePosixPath(file.path).relative_to(found.path))


def _evidence(found: SkillFolder, source: str) -> Iterator[Evidence]:
    for file in found.files:
        ref = _inside(found, file)
        if file.text is not None:
            yield Evidence(type="file", ref=ref, episode_id=_document_id(file, source))
        else:
            note = f"{file.reason}; sha256 {file.sha256 or 'unknown'}"
            yield Evidence(type="file", ref=ref, note=note)


def _document_id(file: SourceFile, source: str) -> str:
    return derived_id("ep", "skill", source, file.path)


def _documents(found: SkillFolder, source: str) -> tuple[Episode, ...]:
    return tuple(
        Episode(
            id=_document_id(file, source),
            type=DOCUMENT,
            text=file.text,
            meta={"path": _inside(found, file), "sha256": file.sha256},
        )
        for file in found.files
        if file.text is not None
    )


def _carried_main(path: str, head: FrontMatter) -> Iterator[Carried]:
    if head.body_line > 1:
        fence = "marks the front matter"
        end = head.body_line - 1
        yield Carried(file=path, first=1, last=1, where=LEFT_OUT, reason=fence)
        for key, first, last in head.lines:
            where, reason = _place(key, head.values)
            yield Carried(file=path, first=first, last=last, where=where, reason=reason)
        yield Carried(file=path, first=end, last=end, where=LEFT_OUT, reason=fence)
    last = head.body_line + _count_lines(head.body) - 1
    yield Carried(file=path, first=head.body_line, last=last, where="notes")


def _place(key: str, values: Mapping[str, Json]) -> tuple[str, str]:
    if not key:
        return LEFT_OUT, "blank, a comment, or a key that comes again below"
    if key == _DIGEST:
        return LEFT_OUT, "the name is taken by the digest of the skill's files"
    if key == "description" and isinstance(values[key], str):
        return "description", ""
    return f"extra.skill.{key}", ""


def _carried_files(files: tuple[SourceFile, ...]) -> Iterator[Carried]:
    place = 0
    for file in files:
        if file.text is None:
            yield Carried(
                file=file.path, first=0, last=0, where=LEFT_OUT, reason=file.reason
            )
        else:
            lines = _count_lines(file.text)
            where = f"documents[{place}].text"
            yield Carried(file=file.path, first=1, last=lines, where=where)
            place += 1


def _count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))
