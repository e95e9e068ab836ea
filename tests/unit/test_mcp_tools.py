from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from experience_pack.api.workspace import Workspace
from experience_pack.cli.run import run
from experience_pack.hosts.mcp.calls import listed, size_of
from experience_pack.hosts.mcp.tools import PROFILES, TOOLS
from experience_pack.packs.source import bundle_of, files_of_bundle
from experience_pack.runtime.request import before_llm
from tests.mcp_host import accept, call, fill

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/mcp/tools.json").read_text("utf-8")
)
SEED = Path(__file__).parents[2] / "experience_pack"
CHANGES = re.compile(
    r"(?:dec|goal|epi|exp|ins)_[0-9a-z]{26,}|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{64}"
)
"""What no two runs have in common: ids, times, digests that hold times."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    project = tmp_path_factory.mktemp("filled") / "project"
    return project, fill(project)


@pytest.fixture
def two(filled: tuple[Path, dict[str, Any]], tmp_path: Path) -> tuple[Path, Path]:
    """The same workspace twice: for the tool, and for the command."""
    sides = tmp_path / "tool" / "project", tmp_path / "command" / "project"
    for side in sides:
        shutil.copytree(filled[0], side)
    return sides


def told(value: Any) -> Any:
    """Give a value without what no two runs have in common."""
    if isinstance(value, dict):
        return {key: told(part) for key, part in value.items()}
    if isinstance(value, list):
        return [told(part) for part in value]
    if isinstance(value, float):
        return round(value, 3)
    return CHANGES.sub("…", value) if isinstance(value, str) else value


def unconfirmed(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Give what a model adds: no person has confirmed it."""
    (one,) = found
    return {**one, "origin": {"type": "llm_compiled"}}


def imported(found: dict[str, Any]) -> dict[str, Any]:
    ids = {one["source_id"]: one["id"] for one in found["items"]}
    return {"counts": found["counts"], "ids": ids, "receipt": found["receipt"]}


def families(found: dict[str, Any]) -> list[dict[str, Any]]:
    def size(nodes: list[dict[str, Any]]) -> int:
        return sum(1 + size(node["children"]) for node in nodes)

    return [{"family": name, "members": size(tree)} for name, tree in found.items()]


def of_file(found: dict[str, Any]) -> Any:
    text = Path(found["file"]).read_text("utf-8")
    if found["file"].endswith(".md"):
        return text
    return bundle_of(files_of_bundle(json.loads(text), "bundle"))


VIEWS: Mapping[str, Callable[[Any], Any]] = {
    "before_llm": before_llm,
    "unconfirmed": unconfirmed,
    "only": lambda found: found[0],
    "ids": lambda found: [one["id"] for one in found],
    "families": families,
    "tree": lambda found: found["文件"],
    "file": of_file,
    "imported": imported,
}
"""How a command's answer is the tool's, where it holds more or has another home."""


def commanded(
    row: Mapping[str, Any],
    names: Mapping[str, str],
    capsys: pytest.CaptureFixture[str],
) -> Any:
    words = [str(names.get(word, word)) for word in row["cli"]]
    capsys.readouterr()
    run([*words, "--json"])
    found = json.loads(capsys.readouterr().out)
    return VIEWS[row["as"]](found) if "as" in row else found


def by_hand(row: Mapping[str, Any], project: Path) -> Any:
    """Give what the Python interface says, where there is no command yet."""
    with Workspace(project).runtime() as core:
        found = getattr(core, row["api"])(**row["arguments"])
        if row.get("as") == "compiled" and isinstance(found, str):
            from experience_pack.store import experiences

            return experiences.get(core.store, found).to_dict()
        return found


def prepared(side: Path, names: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the placeholders of a row stand for on the command's side."""
    (side / "new.json").write_text(
        json.dumps(
            {
                "id": "exp_new",
                "name": "备份",
                "kind": "process",
                "origin": {"type": "user_confirmed"},
            }
        ),
        "utf-8",
    )
    (card,) = (side / ".experience/experiences").rglob("publish-a-release-*.md")
    text = card.read_text("utf-8").replace(
        "# Publish a release\n", "# Publish a release\n\nHow we release.\n", 1
    )
    (side / "edited.md").write_text(text, "utf-8")
    files = {"$NEW": "new.json", "$EDITED": "edited.md", "$BUNDLE": "bundle.json"}
    return {**names, **files}


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row['tool'].removeprefix('experience_')}"
)
def test_a_tool_answers_as_the_command_does(
    row: dict[str, Any],
    filled: tuple[Path, dict[str, Any]],
    two: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tooled, ordered = two
    names = {**filled[1], "$PROJECT": str(tooled)}
    arguments = {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in row["arguments"].items()
    }
    monkeypatch.setenv("EXPERIENCE_PACK_REVIEW_NON_INTERACTIVE", "true")
    answer = call(tooled, row["tool"], arguments, elicitation_callback=accept)
    monkeypatch.chdir(ordered)
    if "api" in row:
        expected = by_hand(row, ordered)
    else:
        expected = commanded(row, prepared(ordered, names), capsys)

    assert not answer.is_error, answer.content
    structured = answer.structured_content
    plain = expected if isinstance(expected, dict) else {"result": expected}
    there = json.dumps(told(structured), ensure_ascii=False, sort_keys=True)
    here = json.dumps(told(plain), ensure_ascii=False, sort_keys=True)
    assert there.replace(str(tooled), "") == here.replace(str(ordered), "")

    (tool,) = (one for one in TOOLS if one.name == row["tool"])
    jsonschema.validate(structured, dict(tool.gives))


def test_every_tool_of_the_document_has_a_row() -> None:
    names = [tool.name for tool in TOOLS]

    assert len(names) == len(set(names)) == 40
    assert {row["tool"] for row in ROWS} == set(names)


def test_what_a_model_reads_of_the_tools_stays_small() -> None:
    sizes = {
        name: size_of(
            [one.model_dump(by_alias=True, exclude_none=True) for one in listed(tools)]
        )
        for name, tools in PROFILES.items()
    }

    assert len(PROFILES["core"]) <= 10
    assert sizes["core"] <= 10_000, sizes
    assert sizes["full"] <= 36_000, sizes


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_says_what_a_host_has_to_know(tool: Any) -> None:
    (shown,) = listed([tool])

    assert shown.title
    assert shown.description
    assert "\n" not in shown.description
    assert len(shown.description) <= 100
    hints = shown.annotations
    assert hints is not None
    assert hints.open_world_hint is False
    assert not (hints.read_only_hint and hints.destructive_hint)
    jsonschema.Draft202012Validator.check_schema(shown.input_schema)
    assert shown.output_schema is not None
    jsonschema.Draft202012Validator.check_schema(shown.output_schema)
