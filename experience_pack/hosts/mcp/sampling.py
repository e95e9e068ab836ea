"""A client's own model, where it offers sampling, for tools that ask one."""

from __future__ import annotations

import anyio.from_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from experience_pack.errors import StorageError
from experience_pack.hosts.mcp.person import Context
from experience_pack.model.replies import Model

MOST_TOKENS = 4_000
"""Of an answer; a page, several times what any of our questions asks for."""


ANSWER_SECONDS = 120.0
"""A model's 90 seconds, and a person who has to allow it first."""


def sampler(context: Context) -> Model | None:
    """Give the client's model for one call; None where it offers none.

    It is called from the thread of a long tool, while the call waits. On connections
    of 2026-07-28 a server cannot ask in between, so there is none.
    """
    stated = context.session.client_capabilities
    if stated is None or stated.sampling is None:
        return None
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return None

    def ask(system: str, prompt: str) -> str:
        return anyio.from_thread.run(_sampled, context, system, prompt)

    return ask


async def _sampled(context: Context, system: str, prompt: str) -> str:
    said = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    params = types.CreateMessageRequestParams(
        messages=[said], system_prompt=system or None, max_tokens=MOST_TOKENS
    )
    try:
        answer = await context.session.send_request(
            types.CreateMessageRequest(params=params),
            types.CreateMessageResult,
            request_read_timeout_seconds=ANSWER_SECONDS,
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )
    except MCPError as error:
        raise StorageError("the client's model gave no answer") from error
    if not isinstance(answer.content, types.TextContent):
        raise StorageError("the client's model gave no text")
    return answer.content.text
