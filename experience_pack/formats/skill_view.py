"""Experiences written as agent skills, for hosts that know nothing else of ours."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping

from experience_pack.model import Experience, Json, Step, short_id

MAX_NAME = 64
"""Agent Skills specification: characters of a name."""

MAX_DESCRIPTION = 1024
"""Agent Skills specification: characters of a description."""

MAX_COMPATIBILITY = 500
"""Agent Skills specification: characters of `compatibility`."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_ROOM = MAX_NAME - len("-") - 8  # a hyphen and the short id

# YAML forbids control characters; readers split the file at any `---`
_CONTROLS = "\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_UNFIT = re.compile(f"[{_CONTROLS}]")
_UNFIT_RUN = re.compile(f"[ {_CONTROLS}]+")
_RULER = re.compile("-{3,}")
_CJK = re.compile("[\u3400-\u9fff]")

_encode = json.JSONEncoder(ensure_ascii=False).encode


def render_skill(experience: Experience) -> tuple[str, str]:
    """Give folder name and `SKILL.md` of a process or reference experience.

    A skill that was imported keeps its name and its body to the byte. Every other
    name ends in the short id, so two experiences never share a folder; two imports
    of the same name may, and the caller has to see to it.
    """
    kept = experience.extra.get("skill")
    skill = kept if isinstance(kept, Mapping) else {}
    slug = _slug(experience, skill)
    imported = experience.origin.type == "imported_skill" and experience.notes
    body = experience.notes if imported else "\n".join(_body(experience))
    return slug, f"{_head(experience, slug, skill)}{body}"


def _slug(experience: Experience, skill: Mapping[str, Json]) -> str:
    name = skill.get("name")
    if isinstance(name, str) and len(name) <= MAX_NAME and _SLUG.fullmatch(name):
        return name
    words = experience.name
    if not words.isascii():
        words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    slug = _NOT_SLUG.sub("-", words.lower()).strip("-")[:_SLUG_ROOM].rstrip("-")
    return f"{slug or 'experience'}-{short_id(experience.id)}"


def _head(experience: Experience, slug: str, skill: Mapping[str, Json]) -> str:
    lines = "".join(_standard_lines(skill)) if skill else ""
    return (
        f"---\nname: {slug}\ndescription: {_quote(_description(experience))}\n{lines}"
        f"metadata:\n  exp-id: {_quote(experience.id)}\n  exp-kind: {experience.kind}\n"
        f"{''.join(_metadata_lines(skill)) if skill else ''}---\n"
    )


def _standard_lines(skill: Mapping[str, Json]) -> Iterator[str]:
    for key in ("license", "allowed-tools", "compatibility"):
        value = skill.get(key)
        if isinstance(value, str) and value.strip():
            room = MAX_COMPATIBILITY if key == "compatibility" else None
            yield f"{key}: {_quote(value[:room])}\n"


def _metadata_lines(skill: Mapping[str, Json]) -> Iterator[str]:
    metadata = skill.get("metadata")
    if not isinstance(metadata, Mapping):
        return
    for key, value in metadata.items():
        # strict readers refuse a key twice, and ours are written already
        if isinstance(value, str) and _SLUG.fullmatch(key) and key[:4] != "exp-":
            yield f"  {key}: {_quote(value)}\n"


def _quote(text: str) -> str:
    """Give a JSON string, which is YAML, of one line."""
    return _encode(_fit(text))


def _fit(text: str) -> str:
    """Give the text on one line, without control characters and `---`."""
    if "  " in text or _UNFIT.search(text):
        text = _UNFIT_RUN.sub(" ", text)
    if "---" in text:
        text = _RULER.sub("—", text)
    return text.strip()


def _description(experience: Experience) -> str:
    """Give what it is and when to use it, within the length that is allowed."""
    sources = (experience.description, experience.logic.goal, experience.name)
    text = next(filter(None, map(_fit, sources)), "Experience")
    triggers = [item for item in experience.logic.triggers if item not in text]
    if triggers:
        text = _with_triggers(text, triggers)
    return text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 1]}…"


def _with_triggers(text: str, triggers: list[str]) -> str:
    if _CJK.search(text):
        stop = "" if text[-1] in "。！？.!?" else "。"
        return f"{text}{stop}适用于：{'；'.join(triggers)}。"
    stop = "" if text[-1] in ".!?" else "."
    return f"{text}{stop} Use when: {'; '.join(triggers)}."


_WORDS = {
    False: {
        "steps": "Steps",
        "branches": "Special cases",
        "references": "References",
        "notes": "Notes",
        "tool": "Tool",
        "input": "Input",
        "expect": "Expect",
        "verify": "Verify",
        "branch": "- If {}: {}",
        "why": " ({})",
        "pair": ": ",
    },
    True: {
        "steps": "步骤",
        "branches": "特殊情况",
        "references": "参考",
        "notes": "备注",
        "tool": "工具",
        "input": "输入",
        "expect": "预期",
        "verify": "核对",
        "branch": "- 如果{}：{}",
        "why": "（{}）",
        "pair": "：",
    },
}
"""Words of the body, for a text that is Chinese (True) or not."""


def _body(experience: Experience) -> Iterator[str]:
    logic = experience.logic
    words = _WORDS[bool(_CJK.search(experience.name + logic.goal))]
    yield f"\n# {_one_line(experience.name)}\n"
    if logic.goal:
        yield f"{logic.goal}\n"
    if logic.path:
        yield f"## {words['steps']}\n"
        for number, step in enumerate(logic.path, 1):
            yield from _step_lines(number, step, words)
        yield ""
    yield from _branch_lines(experience, words)
    if logic.references:
        yield f"## {words['references']}\n"
        yield from (f"- {_one_line(item)}" for item in logic.references)
        yield ""
    if experience.notes:
        yield f"## {words['notes']}\n\n{experience.notes.strip()}\n"


def _step_lines(number: int, step: Step, words: Mapping[str, str]) -> Iterator[str]:
    yield f"{number}. {_one_line(step.action)}"
    indent = " " * (len(str(number)) + 2)
    for key in ("tool", "input", "expect", "verify"):
        value = getattr(step, key)
        if value:
            yield f"{indent}- {words[key]}{words['pair']}{_one_line(value)}"


def _branch_lines(experience: Experience, words: Mapping[str, str]) -> Iterator[str]:
    branches = experience.logic.branches
    if not branches:
        return
    yield f"## {words['branches']}\n"
    for branch in branches:
        why = words["why"].format(branch.why) if branch.why else ""
        yield _one_line(words["branch"].format(branch.if_, branch.then) + why)
    yield ""


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text else text
