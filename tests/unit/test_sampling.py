from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from experience_pack.api.workspace import Workspace
from tests.mcp_host import accept, call, fill

SOURCE = "月度支出 500 元 spent on travel 旅行。"
BETTER = json.dumps({"description": "每月支出 monthly spending"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    fill(tmp_path / "project")
    return tmp_path / "project"


def compiled(project: Path, sampled: Any, **options: Any) -> dict[str, Any]:
    answer = call(
        project,
        "experience_compile",
        {"source": SOURCE, **options.pop("given", {})},
        sampling_callback=sampled,
        **options,
    )
    assert not answer.is_error, answer.content
    return dict(answer.structured_content or {})


class Client:
    """A client whose model always says the same."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[types.CreateMessageRequestParams] = []

    async def __call__(
        self, _: object, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult:
        self.asked.append(params)
        return types.CreateMessageResult(
            role="assistant", content=types.TextContent(text=self.text), model="small"
        )


def test_a_clients_model_is_asked_where_it_offers_one(project: Path) -> None:
    client = Client(BETTER)
    found = compiled(project, client, mode="legacy")
    assert found["description"] == "每月支出 monthly spending"
    (params,) = client.asked
    assert SOURCE in str(params.messages[0].content)
    with Workspace(project).runtime() as core:
        assert core.stats()["llm_compile_count"] == 1


@pytest.mark.parametrize("text", ["", "no json", '{"description": 5}'])
def test_a_bad_answer_leaves_the_result_of_the_rules(text: str, project: Path) -> None:
    found = compiled(project, Client(text), mode="legacy")
    assert "月度支出" in found["name"]
    assert not found.get("description")


def test_a_client_that_refuses_leaves_the_result_of_the_rules(project: Path) -> None:
    async def refuse(*_: object) -> types.CreateMessageResult:
        raise MCPError(-1, "the person said no")

    assert "月度支出" in compiled(project, refuse, mode="legacy")["name"]


def test_what_a_person_confirms_is_what_they_have_read(project: Path) -> None:
    found = compiled(
        project,
        Client(BETTER),
        mode="legacy",
        given={"ask": True},
        elicitation_callback=accept,
    )
    assert not found.get("description")


def test_no_model_is_asked_where_a_server_cannot_ask(project: Path) -> None:
    client = Client(BETTER)
    compiled(project, client)
    assert client.asked == []
