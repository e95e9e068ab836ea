"""One call of a tool: arguments, the person's word, the work, the answer."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import anyio.from_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError

from experience_pack.errors import ExperiencePackError
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.mcp.framing import INVALID_PARAMS
from experience_pack.hosts.mcp.person import Context, settle_by_code, word_of
from experience_pack.hosts.mcp.sampling import sampler
from experience_pack.hosts.mcp.tool import Tool, checked
from experience_pack.hosts.mcp.work import Report, Workshop
from experience_pack.model.values import Json

_log = logging.getLogger(__name__)

_REPORT_EVERY = 0.25
"""Seconds between two reports of progress; a person sees no more of them."""

Result = types.CallToolResult | types.InputRequiredResult


class Calls:
    """Answers `tools/call` for the tools of a profile."""

    def __init__(
        self,
        tools: Callable[[], Sequence[Tool]],
        workshop: Workshop,
        approvals: Approvals,
    ) -> None:
        self._given = tools
        self._workshop = workshop
        self._approvals = approvals

    @cached_property
    def _tools(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in self._given()}

    async def __call__(
        self, context: Context, params: types.CallToolRequestParams
    ) -> Result:
        """Call a tool; what goes wrong in it is part of the answer, as MCP has it."""
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:80]}")
        try:
            return await self._called(context, tool, params)
        except ExperiencePackError as error:
            return _failed(error)
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001  # the outermost handler of a call
            _log.exception("%s failed", tool.name)
            return _failed(error, f"internal error: {type(error).__name__}")

    async def _called(
        self, context: Context, tool: Tool, params: types.CallToolRequestParams
    ) -> Result:
        given = checked(tool, params.arguments)
        if tool.asks is not None:
            code = given.pop("code", "")
            waits = await self._approved(context, tool, params, given, code)
            if waits is not None:
                return waits
        report, model = _reporter(context), sampler(context)
        value = await self._workshop.run(tool, given, report, model)
        return _answer(value)

    async def _approved(
        self,
        context: Context,
        tool: Tool,
        params: types.CallToolRequestParams,
        given: dict[str, Json],
        code: str,
    ) -> types.InputRequiredResult | None:
        """Put the person's word into the arguments, or give what has to be asked."""
        assert tool.asks is not None
        question = tool.asks(self._workshop.core(), **given)
        if question is None:
            return None
        word = await word_of(context, params, question)
        if isinstance(word, types.InputRequiredResult):
            return word
        if word is None and "code" in tool.takes["properties"]:
            settle_by_code(self._approvals, tool, question, code)
            word = True
        given["approved"] = bool(word)
        return None


def _answer(value: Json) -> types.CallToolResult:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    structured = value if isinstance(value, dict) else {"result": value}
    shown = value if isinstance(value, str) else text
    return types.CallToolResult(
        content=[types.TextContent(text=shown)], structured_content=structured
    )


def _failed(error: Exception, text: str = "") -> types.CallToolResult:
    hint = getattr(error, "hint", "")
    said = f"{text or error}\n{hint}".strip()
    return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)


def _reporter(context: Context) -> Report:
    """Give what tells the client of progress, where it asked for that."""
    token = (context.meta or {}).get("progress_token")
    if token is None:
        return _nothing
    last = time.monotonic()

    def report(steps: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _REPORT_EVERY:
            last = time.monotonic()
            anyio.from_thread.run(_progress, context, token, steps)

    return report


async def _progress(context: Context, token: str | int, steps: int) -> None:
    params = types.ProgressNotificationParams(
        progress_token=token, progress=steps, message=f"{steps:,} thousand steps"
    )
    await context.session.send_notification(
        types.ProgressNotification(params=params), context.request_id
    )


def _nothing(steps: int) -> None:
    _ = steps


def listed(tools: Sequence[Tool]) -> list[types.Tool]:
    """Give tools as `tools/list` shows them."""
    return [_listed(tool) for tool in tools]


def _listed(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=tool.hints.reads,
        destructive_hint=tool.hints.destroys,
        idempotent_hint=tool.hints.repeats,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.text,
        input_schema=dict(tool.takes),
        output_schema=dict(tool.gives),
        annotations=hints,
        _meta=_meta(tool),
    )


def _meta(tool: Tool) -> dict[str, Any] | None:
    return {"ui": {"resourceUri": tool.view}} if tool.view else None


def size_of(tools: Sequence[Mapping[str, Any]]) -> int:
    """Give the bytes that a list of tools takes on the wire."""
    return len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())
