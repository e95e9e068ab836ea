"""The person's word before a tool acts: by a form, else by a code only they see."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from experience_pack.errors import RefusedError
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.mcp.tool import Question, Tool

Context = ServerRequestContext[Any, Any]

_KEY = "approval"

_FORM = {
    "type": "object",
    "properties": {
        "allow": {"type": "boolean", "title": "Allow", "description": "Yes, as shown."}
    },
    "required": ["allow"],
}


async def word_of(
    context: Context,
    params: types.CallToolRequestParams,
    question: Question,
) -> bool | types.InputRequiredResult | None:
    """Give what the person says, or what the client has to ask them first.

    None where the client cannot ask anybody. On a connection of 2026-07-28 the
    client comes back with the answer; before, it is asked while the call waits.
    """
    if not _can_ask(context):
        return None
    form = types.ElicitRequestFormParams(message=question.text, requested_schema=_FORM)
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answer = await context.session.elicit_form(
            form.message, form.requested_schema, context.request_id
        )
        return _allowed(answer)
    answers = params.input_responses or {}
    if params.request_state == question.digest and _KEY in answers:
        return _allowed(answers[_KEY])
    return types.InputRequiredResult(
        input_requests={_KEY: types.ElicitRequest(params=form)},
        request_state=question.digest,
    )


def settle_by_code(
    approvals: Approvals, tool: Tool, question: Question, code: str
) -> None:
    """Take a code for the person's word; without one a `RefusedError` says how."""
    subject = f"{tool.name} {question.digest}"
    if code and approvals.settle(subject, question.digest, code):
        return
    approvals.ask(subject, question.text, question.digest)
    wrong = "that code does not hold; " if code else ""
    raise RefusedError(
        f"{wrong}a person has to allow this, and this host cannot ask them",
        hint="Ask them to run `experience-pack review codes` in their own terminal "
        "and to tell you the code; call again with it as `code`.",
    )


def _can_ask(context: Context) -> bool:
    stated = context.session.client_capabilities
    asks = stated.elicitation if stated is not None else None
    return asks is not None and (asks.form is not None or asks.url is None)


def _allowed(answer: object) -> bool:
    return (
        isinstance(answer, types.ElicitResult)
        and answer.action == "accept"
        and (answer.content or {}).get("allow") is True
    )
