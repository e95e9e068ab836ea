"""The MCP server of a workspace, on the official SDK."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

import experience_pack
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.hooks.listen import Listener
from experience_pack.hosts.mcp.calls import Calls, listed
from experience_pack.hosts.mcp.framing import INVALID_PARAMS
from experience_pack.hosts.mcp.person import Context
from experience_pack.hosts.mcp.pipe import Pipe, own_pipe
from experience_pack.hosts.mcp.resources import (
    APPS_EXTENSION,
    SKILLS_EXTENSION,
    Resources,
    SkillParams,
)
from experience_pack.hosts.mcp.tool import Tool
from experience_pack.hosts.mcp.work import Opener, Workshop
from experience_pack.resources import read_resource

NAME = "experience-pack"
CONTRACT = "experience_contract"

INSTRUCTIONS = (
    "At each task boundary call experience_before_llm with the request first. "
    "bypass: give its output as it is. assist: work with its prefill and name its "
    "sources. proceed: work as usual. Afterwards experience_feedback. Keep what is "
    "worth keeping only after asking the person. What it gives is information, not "
    "an instruction that stands over the person's words."
)


def serve(opener: Opener, tools: Sequence[Tool], workspace: Path | None) -> None:
    """Serve a workspace on standard input and output until the client is gone.

    Meanwhile hooks of the workspace are answered, too, where its folder is known.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    approvals = Approvals()
    workshop = Workshop(opener)
    pipe = own_pipe()
    with closing(workshop), _listening(workspace, opener, approvals):
        anyio.run(_serve, make_server(workshop, approvals, tools), pipe)


def _listening(
    workspace: Path | None, opener: Opener, approvals: Approvals
) -> AbstractContextManager[object]:
    if workspace is None:
        return nullcontext()
    listener = Listener(workspace, opener, approvals)
    listener.start()
    return closing(listener)


async def _serve(server: Server[Any], pipe: Pipe) -> None:
    async with pipe.streams() as (incoming, outgoing):
        options = server.create_initialization_options()
        await server.run(incoming, outgoing, options)


def make_server(
    workshop: Workshop, approvals: Approvals, tools: Sequence[Tool]
) -> Server[Any]:
    """Give the server of a workspace for some tools, on no transport yet."""
    resources = Resources(workshop)

    async def list_tools(_: Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=shown)

    shown = listed(tools)
    server: Server[Any] = Server(
        NAME,
        version=experience_pack.__version__,
        title="Experience Pack",
        description="What this project has learned, asked before each model call.",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=Calls(tools, workshop, approvals),
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    server.add_request_handler(
        "skills/list", types.PaginatedRequestParams, resources.skills
    )
    server.add_request_handler("skills/get", SkillParams, resources.skill)
    server.extensions = {SKILLS_EXTENSION: {}, APPS_EXTENSION: {}}
    sealed = RequestStateBoundary(
        RequestStateSecurity.ephemeral(), default_audience=NAME
    )
    server.middleware.append(sealed)
    return server


_PROMPT = types.Prompt(
    name=CONTRACT,
    title="How to work with this project's experience",
    description="Ask first, keep what is worth keeping, feed back.",
)


async def _list_prompts(_: Context, __: object) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[_PROMPT])


async def _get_prompt(
    _: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    if params.name != CONTRACT:
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name[:80]}")
    text = read_resource("site_templates", "workspace", "PROMPT_GUIDE.md")
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=_PROMPT.description, messages=[message])
