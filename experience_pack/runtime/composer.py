"""Put experiences into words for a model's input, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.text.tokens import is_ideographic

MATCH, PART, PREREQUISITE = "match", "part", "prerequisite"
"""Relations of a source to the request: the answer, a part of it, a basis of it."""

_WORDS: Mapping[str, tuple[str, str]] = {
    "hint": ("Hint · possibly related", "参考提示·可能相关"),
    "head": (
        "[{name} | match {match:.2f} | confidence {confidence:.2f}]",
        "【{name}｜匹配度 {match:.2f}｜置信 {confidence:.2f}】",
    ),
    "composite": (
        "Each of these covers a part of the request; judge how they fit together.",
        "以下经验各自覆盖请求的一部分；如有冲突，由你裁决。",
    ),
    "goal": ("Goal: {0}", "目标：{0}"),
    "steps": ("Steps:", "步骤："),
    "verify": ("check: {0}", "检验：{0}"),
    "branches": ("Special cases:", "特殊情况："),
    "branch": ("- If {0}: {1}", "- 若{0}，则{1}"),
    "template": ("Form of the answer:", "答复模板："),
    "chain": ("[Prerequisites]", "【前置经验】"),
    "sources": (
        "[Sources] Read the live source before you rely on what was noted here.",
        "【证据来源】请先核对原始来源，不要只依赖这里的记录。",
    ),
    "no_evidence": (
        "Warning: no evidence is on record for “{0}”; verify it before use.",
        "警告：“{0}”没有留存证据，使用前请核实。",
    ),
    "reminder": ("[Long-term goals]", "【长期目标】"),
}
"""Every fixed text, in English and in Chinese."""


_EVIDENCE = {"episode_id": "", "ref": "", "type": "episode", "note": ""}
"""Keys of a piece of evidence, with their defaults."""


class Source(NamedTuple):
    """One experience that goes into the input."""

    id: str
    content: Mapping[str, Any]
    similarity: float
    confidence: float
    relation: str
    """`match`, `part` or `prerequisite`."""
    require_evidence: bool = False
    """Its category asks for evidence."""

    def to_dict(self) -> dict[str, Any]:
        """Give the source as a result and an audit row show it."""
        return {
            "id": self.id,
            "name": self.content["name"],
            "kind": self.content["kind"],
            "similarity": round(self.similarity, 4),
            "confidence": round(self.confidence, 4),
            "relation": self.relation,
            "evidence": evidence_of(self.content),
        }


def is_chinese(text: str) -> bool:
    """Tell whether a text is answered in Chinese."""
    return any(map(is_ideographic, text))


def evidence_of(content: Mapping[str, Any]) -> list[dict[str, str]]:
    """Give where an experience can be checked: its evidence, episodes, references.

    Each is `{episode_id, ref, type, note}`, named once; a reference with `://` is
    of type `url`, any other of type `file`.
    """
    origin = content.get("origin", {})
    listed = [
        tuple(one.get(key, default) for key, default in _EVIDENCE.items())
        for one in origin.get("evidence", ())
    ]
    listed += [(one, "", "episode", "") for one in origin.get("episode_ids", ())]
    listed += [
        ("", ref, "url" if "://" in ref else "file", "")
        for ref in content.get("logic", {}).get("references", ())
    ]
    named = {(one[0], one[1]): one for one in reversed(listed)}
    return [
        dict(zip(_EVIDENCE, named[key], strict=True))
        for key in dict.fromkeys((one[0], one[1]) for one in listed)
    ]


def prefill(
    sources: Sequence[Source], *, chinese: bool, hint: bool, composite: bool
) -> str:
    """Give the text for the model's input; the sources stand in their order."""
    writer = _Writer(chinese=chinese)
    direct = [one for one in sources if one.relation != PREREQUISITE]
    basis = [one for one in sources if one.relation == PREREQUISITE]
    lines = [writer.say("hint")] if hint else []
    lines += [writer.say("composite")] if composite else []
    for one in direct:
        lines += ["", writer.head(one), *writer.method(one.content)]
    if basis:
        lines += ["", writer.say("chain")]
        for one in basis:
            lines += [one.content["name"], *writer.method(one.content)]
    lines += writer.evidence(direct)
    return "\n".join(lines).strip()


def reminder(goals: Iterable[tuple[str, str]], *, chinese: bool) -> str:
    """Give the section that reminds of goals, given as title and progress."""
    head = _Writer(chinese=chinese).say("reminder")
    lines = [f"- {title}" + (f" ({at})" if at else "") for title, at in goals]
    return "\n".join([head, *lines])


class _Writer:
    def __init__(self, *, chinese: bool) -> None:
        self._at = int(chinese)

    def say(self, key: str, *values: str) -> str:
        return _WORDS[key][self._at].format(*values) if values else self._text(key)

    def head(self, one: Source) -> str:
        return self._text("head").format(
            name=one.content["name"], match=one.similarity, confidence=one.confidence
        )

    def method(self, content: Mapping[str, Any]) -> Iterator[str]:
        """Give description, goal, steps, branches and template, what there is of it."""
        if text := content.get("description"):
            yield text
        logic = content.get("logic", {})
        if goal := logic.get("goal"):
            yield self.say("goal", goal)
        steps = [*self._steps(content)]
        if steps:
            yield self.say("steps")
            yield from (f"{at}. {text}" for at, text in enumerate(steps, 1))
        yield from self._branches(logic.get("branches", ()))
        yield from self._template(content.get("exec", {}).get("template", {}))

    def evidence(self, sources: Sequence[Source]) -> Iterator[str]:
        """Give the section that leads to live sources, and what lacks evidence."""
        found = [one for source in sources for one in evidence_of(source.content)]
        if found:
            yield ""
            yield self.say("sources")
            places = (one["ref"] or one["episode_id"] for one in found)
            yield from (f"- {place}" for place in dict.fromkeys(places))
        for source in sources:
            if source.require_evidence and not evidence_of(source.content):
                yield ""
                yield self.say("no_evidence", source.content["name"])

    def _text(self, key: str) -> str:
        return _WORDS[key][self._at]

    def _steps(self, content: Mapping[str, Any]) -> Iterator[str]:
        path = content.get("logic", {}).get("path", ())
        for step in path:
            text = step["action"]
            if tool := step.get("tool"):
                text += f" ({tool})"
            if verify := step.get("verify"):
                text += f" · {self.say('verify', verify)}"
            yield text
        if not path:
            for step in content.get("exec", {}).get("workflow", ()):
                yield f"{step['name']} ({step['provider']})"

    def _branches(self, branches: Sequence[Mapping[str, str]]) -> Iterator[str]:
        if branches:
            yield self.say("branches")
        for one in branches:
            why = f" ({one['why']})" if one.get("why") else ""
            yield self.say("branch", one["if"], one["then"]) + why

    def _template(self, template: Mapping[str, Any]) -> Iterator[str]:
        texts = [text for text in template.values() if isinstance(text, str)]
        if texts:
            yield self.say("template")
            yield from texts
