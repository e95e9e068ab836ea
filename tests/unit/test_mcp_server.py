from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from experience_pack.api.workspace import Workspace
from experience_pack.hosts.approvals import MOST_TRIES, VALID_SECONDS, Approvals
from experience_pack.hosts.mcp.tools import CORE
from experience_pack.resources import read_resource
from experience_pack.store import experiences, proposals
from tests.mcp_host import accept, call, fill, with_client
from tests.runtime_host import Clock

ERAS = ("legacy", "2026-07-28")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    fill(made)
    return made


async def decline(*_: object) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


async def unticked(*_: object) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"allow": False})


@pytest.mark.parametrize("ask", [{}, {"ask": True}], ids=["unasked", "declined"])
def test_work_that_came_back_is_only_proposed_without_a_word(
    ask: dict[str, bool], project: Path
) -> None:
    with Workspace(project).runtime() as core:
        before = core.list_experiences()
    call(project, "experience_auto_compile", ask, elicitation_callback=decline)

    with Workspace(project).runtime() as core:
        assert core.list_experiences() == before
        assert [one.content["name"] for one in proposals.pending(core.store)] == [
            "周总结"
        ]


@pytest.mark.parametrize("mode", ERAS)
def test_a_person_lets_it_execute_in_a_form(mode: str, project: Path) -> None:
    shown: list[str] = []

    async def look(_: object, params: Any) -> types.ElicitResult:
        shown.append(params.message)
        return await accept()

    arguments = {"exp_id": "月度报告", "score": 0.9}
    answer = call(
        project,
        "experience_authorize",
        arguments,
        mode=mode,
        elicitation_callback=look,
    )

    assert not answer.is_error, answer.content
    assert len(shown) == 1
    assert "本月支出 {expense} 元" in shown[0]
    with Workspace(project).runtime() as core:
        found = core.request("月度报告", {"expense": 5})
    assert found["decision"] == "execute"


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("word", [decline, unticked])
def test_what_a_person_refuses_stays_as_it_was(
    mode: str, word: Any, project: Path
) -> None:
    answer = call(
        project,
        "experience_authorize",
        {"exp_id": "月度报告"},
        mode=mode,
        elicitation_callback=word,
    )

    assert answer.is_error
    assert "did not allow" in str(answer.content)


@pytest.mark.parametrize("mode", ERAS)
def test_without_a_form_a_code_from_the_persons_terminal_is_needed(
    mode: str, project: Path
) -> None:
    approvals = Approvals()

    def asked(code: str = "") -> types.CallToolResult:
        arguments = {"exp_id": "月度报告", **({"code": code} if code else {})}
        tool = "experience_authorize"
        return call(project, tool, arguments, approvals=approvals, mode=mode)

    first = asked()
    (waiting,) = approvals.listed()

    assert first.is_error
    assert "review codes" in str(first.content)
    assert waiting.code not in str(first.content)
    assert asked(f"{(int(waiting.code) + 1) % 1_000_000:06}").is_error
    assert not asked(waiting.code).is_error
    assert asked(waiting.code).is_error  # a code holds once


def test_a_code_ends_with_its_time_its_tries_and_its_text() -> None:
    clock = Clock()
    approvals = Approvals(clock)

    def code_of(digest: str = "d") -> str:
        approvals.ask("s", "text", digest)
        (one,) = approvals.listed()
        return one.code

    code = code_of()
    assert code_of() == code
    assert not approvals.settle("s", "another text", code)
    clock.now += VALID_SECONDS
    assert not approvals.settle("s", "d", code)
    code = code_of()
    for _ in range(MOST_TRIES):
        assert not approvals.settle("s", "d", "no code")
    assert not approvals.settle("s", "d", code)


def approved(project: Path, identity: str) -> bool:
    with Workspace(project).runtime() as core:
        shown = core.store.row(
            "SELECT data FROM standing WHERE experience_id = ?", (identity,)
        )
        entry = experiences.entry(core.store, identity)
    assert entry is not None
    return shown is not None and json.loads(shown[0]).get("approved_digest") == (
        entry.digest
    )


def test_what_a_model_adds_or_edits_waits_for_a_person(project: Path) -> None:
    made = {"name": "备份", "kind": "process", "origin": {"type": "user_confirmed"}}
    created = call(project, "experience_create", {"experience": made})
    compiled = call(project, "experience_compile", {"source": "# 步骤\n\n1. 备份"})
    call(
        project, "experience_update", {"exp_id": "exp_tag", "fields": {"notes": "more"}}
    )

    assert created.structured_content["origin"]["type"] == "llm_compiled"
    assert not approved(project, created.structured_content["id"])
    assert not approved(project, compiled.structured_content["id"])
    assert not approved(project, "exp_tag")
    assert approved(project, "exp_release")


def test_a_person_confirms_what_a_model_adds(project: Path) -> None:
    made = {"name": "备份", "kind": "process"}
    created = call(
        project,
        "experience_create",
        {"experience": made, "ask": True},
        elicitation_callback=accept,
    )
    compiled = call(
        project,
        "experience_compile",
        {"source": {"支出": 5}, "ask": True},
        elicitation_callback=accept,
    )

    assert created.structured_content["origin"]["type"] == "user_confirmed"
    assert approved(project, created.structured_content["id"])
    assert approved(project, compiled.structured_content["id"])


def test_wrong_arguments_are_named_all_at_once(project: Path) -> None:
    arguments = {"limit": "3", "x": 1, "text": 7}
    answer = call(project, "experience_assoc_query", arguments)

    assert answer.is_error
    for fault in ("limit: expected integer", "x: is not known", "text: expected strin"):
        assert fault in str(answer.content)


def test_an_unknown_tool_is_an_error_of_the_protocol(project: Path) -> None:
    async def work(client: Client) -> int:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("experience_reflect", {})
        return refused.value.code

    assert with_client(project, work) == -32602


def test_what_there_is_can_be_read(project: Path) -> None:
    async def work(client: Client) -> dict[str, str]:
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.name for one in templates} == {"card", "skill"}
        addresses = [str(one.uri) for one in (await client.list_resources()).resources]
        addresses += ["experience://card/exp_docs", "experience://card/整理文档"]
        found = {}
        for address in addresses:
            (content,) = (await client.read_resource(address)).contents
            assert isinstance(content, types.TextResourceContents)
            found[address] = content.text
        return found

    found = with_client(project, work)

    assert found["experience://card/exp_docs"] == found["experience://card/整理文档"]
    assert "# 整理文档" in found["experience://card/exp_docs"]
    assert json.loads(found["experience://snapshot"])["title"] == "project"
    assert "<experience-viewer" in found["ui://experience/viewer.html"]


def test_an_unknown_address_is_refused(project: Path) -> None:
    async def work(client: Client) -> list[int]:
        codes = []
        for address in ("experience://card/nobody", "skill://no/SKILL.md", "file:///x"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(address)
            codes.append(refused.value.code)
        return codes

    assert with_client(project, work) == [-32602] * 3


def test_the_contract_is_a_prompt(project: Path) -> None:
    async def work(client: Client) -> str:
        (prompt,) = (await client.list_prompts()).prompts
        (message,) = (await client.get_prompt(prompt.name)).messages
        assert isinstance(message.content, types.TextContent)
        return message.content.text

    text = with_client(project, work)

    assert text == read_resource("site_templates", "workspace", "PROMPT_GUIDE.md")
    named = {name for name in CORE if name in text}
    assert {"experience_before_llm", "experience_feedback"} <= named


def test_a_workspace_that_is_made_later_is_found(tmp_path: Path) -> None:
    tmp_path.joinpath("new").mkdir()

    async def work(client: Client) -> list[bool]:
        said = [await client.call_tool("experience_stats", {})]
        place = {"directory": str(tmp_path / "new")}
        said.append(await client.call_tool("experience_project_init", place))
        said.append(await client.call_tool("experience_stats", {}))
        assert "experience-pack init" in str(said[0].content)
        return [one.is_error for one in said]

    assert with_client(tmp_path / "new", work) == [True, False, False]
