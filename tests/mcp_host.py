"""A workspace with something of everything, and a client before its server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.client.client import Client

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.api.workspace import Workspace
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.mcp.server import make_server
from experience_pack.hosts.mcp.tool import UnattendedRuntime
from experience_pack.hosts.mcp.tools import TOOLS
from experience_pack.hosts.mcp.work import Workshop
from experience_pack.workspace.folder import open_folder

T = TypeVar("T")

METHOD = {"path": [{"action": "打标签 tag"}, {"action": "上传 upload"}]}
EXPERIENCES: list[dict[str, Any]] = [
    {
        "id": "exp_release",
        "name": "Publish a release",
        "kind": "process",
        "logic": {**METHOD, "references": ["docs/release.md"]},
        "match": {"tags": ["release"]},
    },
    {"id": "exp_tag", "name": "Tag a commit", "kind": "reference"},
    {
        "id": "exp_docs",
        "name": "整理文档",
        "kind": "process",
        "family": "文件",
        "logic": {"path": [{"action": "先分类"}]},
    },
    {
        "id": "exp_seals",
        "name": "整理海豹文件夹",
        "kind": "process",
        "parent_id": "exp_docs",
        "family": "文件",
    },
    {
        "id": "exp_month",
        "name": "月度报告",
        "kind": "result",
        "exec": {"template": {"reply": "本月支出 {expense} 元"}},
        "trigger": {"event": "月度报告"},
    },
    {
        "id": "exp_hello",
        "name": "say hello",
        "kind": "result",
        "exec": {"template": {"reply": "hello from the pack"}},
        "exemplars": ["say hello"],
    },
]


def fill(project: Path) -> dict[str, Any]:
    """Make a workspace with everything; give what its rows are called."""
    project.mkdir(parents=True)
    Workspace(project).init()
    with Workspace(project).runtime() as core:
        names = _filled(core)
    (project / "bundle.json").write_text(json.dumps(names["$BUNDLE"]), "utf-8")
    return names


def _filled(core: ExperienceRuntime) -> dict[str, Any]:
    for one in EXPERIENCES:
        core.create_experience({**one, "origin": {"type": "user_confirmed"}})
    core.authorize_experience("exp_hello", score=0.9)
    core.update_experience("exp_docs", note="fuller", description="找得到")
    episodes = [
        core.save_episode(
            "summary",
            f"总结 {number}",
            user_validated=True,
            meta={"signature": "周总结", "path": ["读", "写"]},
        )
        for number in range(3)
    ]
    decision = core.request("publish a release")["decision_id"]
    core.request("天气怎么样")
    return {
        "$EPISODE": episodes[0],
        "$GOAL": core.goal_add("完成文档", "all pages", ["docs"]),
        "$DECISION": decision,
        "$VERSION": core.get_versions("exp_docs")[-1]["id"],
        "$BUNDLE": core.export_experiences(["exp_tag"]),
    }


def workshop_of(project: Path) -> Workshop:
    """Give a workshop on a project's workspace."""
    return Workshop(lambda: UnattendedRuntime(open_folder(project)))


def with_client(
    project: Path,
    work: Callable[[Client], Awaitable[T]],
    *,
    approvals: Approvals | None = None,
    **options: Any,
) -> T:
    """Do something with a client that is connected to the project's server."""
    workshop = workshop_of(project)
    server = make_server(workshop, approvals or Approvals(), lambda: TOOLS)

    async def run() -> T:
        async with Client(server, **options) as client:
            return await work(client)

    try:
        return anyio.run(run)
    finally:
        workshop.close()


def call(
    project: Path, tool: str, arguments: dict[str, Any], **options: Any
) -> types.CallToolResult:
    """Call one tool and give its result."""

    async def work(client: Client) -> types.CallToolResult:
        return await client.call_tool(tool, arguments)

    return with_client(project, work, **options)


async def accept(*_: object) -> types.ElicitResult:
    """Say yes, as a person does in a form."""
    return types.ElicitResult(action="accept", content={"allow": True})
