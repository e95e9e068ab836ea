"""What a host can read: cards, the snapshot, skills, and the viewer as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from experience_pack.errors import ExperiencePackError
from experience_pack.hosts.mcp.framing import INVALID_PARAMS
from experience_pack.hosts.mcp.person import Context
from experience_pack.hosts.mcp.tool import VIEWER, UnattendedRuntime
from experience_pack.hosts.mcp.work import Workshop

CARD = "experience://card/"
SNAPSHOT = "experience://snapshot"
SKILL = "skill://"

SKILLS_EXTENSION = "io.modelcontextprotocol/skills"
"""SEP-2640."""

APPS_EXTENSION = "io.modelcontextprotocol/ui"
"""MCP Apps."""

_HTML_APP = "text/html;profile=mcp-app"
_MARKDOWN = "text/markdown"
_SKILLS_A_PAGE = 100


class Resources:
    """Answers `resources/*` and `skills/*`."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def listed(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List what there is one of; cards and skills are found by their templates."""
        return types.ListResourcesResult(resources=[*_RESOURCES])

    async def templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """List the addresses that are made from an id or a name."""
        return types.ListResourceTemplatesResult(resource_templates=[*_TEMPLATES])

    async def read(
        self, _: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read one; an unknown address is an error of invalid parameters."""
        uri = str(params.uri)
        for start, mime, reader in _READERS:
            if uri.startswith(start):
                text = self._read(reader, unquote(uri.removeprefix(start)))
                content = types.TextResourceContents(uri=uri, mime_type=mime, text=text)
                return types.ReadResourceResult(contents=[content])
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})

    def _read(self, reader: Callable[[UnattendedRuntime, str], str], name: str) -> str:
        try:
            return reader(self._workshop.core(), name)
        except ExperiencePackError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    async def skills(
        self, _: Context, params: types.PaginatedRequestParams
    ) -> dict[str, Any]:
        """List approved methods as skills, a page at a time (SEP-2640)."""
        found = [*_skills(self._workshop.core())]
        start = int(params.cursor or 0) if (params.cursor or "0").isdecimal() else 0
        page = found[start : start + _SKILLS_A_PAGE]
        value: dict[str, Any] = {
            "skills": [_skill_listed(name, text) for name, text in page],
            "ttlMs": 0,
            "cacheScope": "private",
        }
        if start + _SKILLS_A_PAGE < len(found):
            value["nextCursor"] = str(start + _SKILLS_A_PAGE)
        return value

    async def skill(self, _: Context, params: SkillParams) -> dict[str, Any]:
        """Describe one skill by its address."""
        name = _skill_name(params.uri.removeprefix(SKILL))
        text = self._read(_skill_text, f"{name}/SKILL.md")
        return {"skill": _skill_listed(name, text)}


class SkillParams(types.RequestParams):
    """What `skills/get` names."""

    uri: str


def _card(core: UnattendedRuntime, name: str) -> str:
    from experience_pack.api.asking import note_served
    from experience_pack.api.named import resolve
    from experience_pack.formats.card import render_experience
    from experience_pack.store import experiences

    identity = resolve(core.store, name, part=False)
    card = render_experience(experiences.get(core.store, identity))
    return note_served(core, card)


def _snapshot(core: UnattendedRuntime, _: str) -> str:
    return json.dumps(core.dashboard(), ensure_ascii=False)


def _viewer(core: UnattendedRuntime, _: str) -> str:
    from experience_pack.site.inline import render_snapshot

    return render_snapshot(core.dashboard())


def _skills(core: UnattendedRuntime) -> Iterator[tuple[str, str]]:
    """Give `(name, text)` of what a person here approved and an agent can follow."""
    from experience_pack.learning import review
    from experience_pack.store import renders, standings

    known = standings.of_installation(core.store, core.store.installation)
    waiting = {one.id for one in review.waiting(core.store, known)}
    for identity, _, written in renders.of_all(core.store):
        if written.skill_name and identity not in waiting:
            yield written.skill_name, written.skill


def _skill_text(core: UnattendedRuntime, path: str) -> str:
    from experience_pack.api.asking import note_served
    from experience_pack.errors import NotFoundError

    name = _skill_name(path)
    for known, text in _skills(core):
        if known == name:
            return note_served(core, text)
    raise NotFoundError(f"there is no skill {name!r}")


def _skill_name(path: str) -> str:
    return path.removesuffix("/SKILL.md")


def _skill_listed(name: str, text: str) -> Mapping[str, Any]:
    from experience_pack.packs.interchange.front_matter import split_front_matter

    uri, data = f"{SKILL}{quote(name)}/SKILL.md", text.encode("utf-8")
    digest = f"sha256:{sha256(data).hexdigest()}"
    return {
        "uri": uri,
        "frontmatter": split_front_matter(text).values,
        "resources": [{"uri": uri, "digest": digest, "size": len(data)}],
    }


_READERS: tuple[tuple[str, str, Callable[[UnattendedRuntime, str], str]], ...] = (
    (CARD, _MARKDOWN, _card),
    (SNAPSHOT, "application/json", _snapshot),
    (SKILL, _MARKDOWN, _skill_text),
    (VIEWER, _HTML_APP, _viewer),
)
"""How an address begins, what is there, and who reads it."""

_RESOURCES = (
    types.Resource(
        uri=SNAPSHOT,
        name="snapshot",
        title="Everything that is here",
        description="The snapshot document that pages show.",
        mime_type="application/json",
    ),
    types.Resource(
        uri=VIEWER,
        name="viewer",
        title="The viewer",
        description="Everything that is here, as a page.",
        mime_type=_HTML_APP,
    ),
)

_TEMPLATES = (
    types.ResourceTemplate(
        uri_template=f"{CARD}{{id}}",
        name="card",
        title="One experience",
        description="An experience as its card, by id or name.",
        mime_type=_MARKDOWN,
    ),
    types.ResourceTemplate(
        uri_template=f"{SKILL}{{name}}/SKILL.md",
        name="skill",
        title="One skill",
        description="An approved method as an agent skill.",
        mime_type=_MARKDOWN,
    ),
)
