from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.api.workspace import Workspace
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.hooks.listen import Listener, ask, waiting_approvals
from experience_pack.hosts.hooks.place import SOCKET, WORKSPACE
from experience_pack.store import episodes
from experience_pack.workspace import location
from tests.mcp_host import EXPERIENCES

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parents[1] / "fixtures/hooks"
EVENTS: list[dict[str, Any]] = json.loads((FIXTURES / "events.json").read_text("utf-8"))
ENDS: list[dict[str, Any]] = json.loads((FIXTURES / "ends.json").read_text("utf-8"))

TRANSCRIPTS = {
    "$SCREEN": [{"type": "session_meta", "payload": {"originator": "codex_tui"}}],
    "$EXEC": [{"type": "session_meta", "payload": {"originator": "codex_exec"}}],
    "$CLAUDE": [
        {"type": "user", "message": {"role": "user", "content": "整理文档"}},
        {"type": "assistant", "message": {"role": "assistant", "content": []}},
        {
            "type": "user",
            "message": {"content": [{"type": "tool_result", "content": "x"}]},
        },
    ],
    "$CODEX": [
        {
            "type": "event_msg",
            "payload": {
                "type": "item_completed",
                "item": {
                    "type": "UserMessage",
                    "content": [{"type": "text", "text": "publish it"}],
                },
            },
        },
        {"type": "event_msg", "payload": {"type": "token_count"}},
    ],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "项目"
    made.mkdir()
    Workspace(made).init()
    with Workspace(made).runtime() as core:
        for one in EXPERIENCES:
            core.create_experience({**one, "origin": {"type": "user_confirmed"}})
        core.authorize_experience("exp_hello", score=0.9)
    for name, records in TRANSCRIPTS.items():
        lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in records)
        (made / name).write_text(lines, "utf-8")
    return made


@pytest.fixture
def listening(project: Path) -> Iterator[Approvals]:
    approvals = Approvals()
    workspace = project / WORKSPACE

    def opener() -> ExperienceRuntime:
        return ExperienceRuntime(workspace / "exp.db")

    listener = Listener(workspace, opener, approvals)
    listener.start()
    until = time.monotonic() + 5
    while not listens(workspace) and time.monotonic() < until:
        time.sleep(0.02)
    yield approvals
    listener.close()
    assert not (workspace / SOCKET).exists()


def listens(workspace: Path) -> bool:
    try:
        ask(workspace / SOCKET, b"")
    except OSError:
        return False
    return True


def hooked(project: Path, row: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    payload = json.dumps(row["payload"], ensure_ascii=False)
    for name in TRANSCRIPTS:
        payload = payload.replace(name, str(project / name))
    below = project / "src"
    below.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "experience_pack", "hook", row["host"], row["event"]],
        input=payload.encode(),
        capture_output=True,
        cwd=below,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=30,
        check=False,
    )


def fits(expected: Any, found: Any) -> bool:
    """Compare, where … in an expected text stands for anything."""
    if isinstance(expected, dict) and isinstance(found, dict):
        same = expected.keys() == found.keys()
        return same and all(fits(value, found[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(fits, expected, found))
    if isinstance(expected, str) and isinstance(found, str):
        pattern = ".*".join(re.escape(part) for part in expected.split("…"))
        return re.fullmatch(pattern, found, re.DOTALL) is not None
    return bool(expected == found)


def assert_said(row: dict[str, Any], done: subprocess.CompletedProcess[bytes]) -> None:
    code = row.get("code", 0)
    said = (done.stderr if code else done.stdout).decode()
    silent = (done.stdout if code else done.stderr).decode()
    text = isinstance(row["gives"], str)

    assert (done.returncode, silent) == (code, "")
    assert bool(said) == (row["gives"] is not None), said
    if said:
        assert fits(row["gives"], said.strip() if text else json.loads(said)), said


@pytest.mark.parametrize("row", EVENTS, ids=lambda row: f"{row['host']}-{row['event']}")
def test_an_event_is_answered_in_the_hosts_own_form(
    row: dict[str, Any], project: Path
) -> None:
    assert_said(row, hooked(project, row))


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("row", EVENTS[::4], ids=lambda row: row["host"])
def test_a_running_process_says_the_same(row: dict[str, Any], project: Path) -> None:
    assert_said(row, hooked(project, row))


@pytest.mark.parametrize("row", ENDS, ids=lambda row: f"{row['host']}-{row['event']}")
def test_a_finished_turn_becomes_an_episode(row: dict[str, Any], project: Path) -> None:
    with Workspace(project).runtime() as core:
        if row.get("asked"):
            core.request(row["payload"]["prompt"])
    done = hooked(project, row)
    with Workspace(project).runtime() as core:
        kept = [*episodes.entries(core.store, limit=10)]

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(kept) == (row["keeps"] is not None)
    for one in kept:
        assert fits(row["keeps"], one.text), one.text
        assert not one.user_validated
        assert one.meta["host"] == row["host"]
        assert one.meta.get("request") == row["request"]


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_a_broken_payload_is_passed_by(data: bytes, project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "experience_pack", "hook", "codex", "UserPromptSubmit"],
        input=data,
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=30,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_damaged_store_lets_the_host_go_on(project: Path) -> None:
    (project / WORKSPACE / "exp.db").write_bytes(b"no database" * 1000)

    done = hooked(project, EVENTS[0])

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_host_that_never_ends_its_sentence_is_let_go() -> None:
    words = [sys.executable, "-m", "experience_pack", "hook", "codex", "Stop"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as running:
        code = running.wait(20)

    assert code == 0
    assert time.monotonic() - began < 10


def test_a_hook_starts_without_what_it_does_not_need(project: Path) -> None:
    code = (
        "import sys, os\nfrom experience_pack.hosts.hooks import run\n"
        "os._exit = lambda code: sys.exit(0)\n"
        "try: run.main(['claude-code', 'UserPromptSubmit'])\n"
        "except SystemExit: pass\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(EVENTS[0]["payload"]).encode(),
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    heavy = {"click", "numpy", "jinja2", "jsonschema", "mcp", "asyncio", "dataclasses"}

    assert b"additionalContext" in done.stdout
    assert heavy.isdisjoint(re.findall(r"'([\w.]+)'", done.stderr.decode()))


def test_codes_are_handed_to_the_workspace_alone(
    project: Path, listening: Approvals
) -> None:
    listening.ask("exp", "Let 月度报告 execute?", "digest")
    (waiting,) = waiting_approvals(project / WORKSPACE)
    mode = (project / WORKSPACE / SOCKET).stat().st_mode

    assert re.fullmatch(r"\d{6}", waiting["code"])
    assert waiting["text"] == "Let 月度报告 execute?"
    assert mode & 0o077 == 0
    assert listening.settle("exp", "digest", waiting["code"])
    assert waiting_approvals(project / WORKSPACE) == []


@pytest.mark.usefixtures("listening")
def test_a_broken_question_does_not_end_the_listener(project: Path) -> None:
    place = project / WORKSPACE / SOCKET
    for question in (b"", b"\0", b"\xff\0\xff\0", b"codex\0UserPromptSubmit\0{"):
        ask(place, question)

    assert ask(place, b"pi\0input\0" + json.dumps({"prompt": "say hello"}).encode())


def test_the_workspace_is_named_the_same_everywhere() -> None:
    assert WORKSPACE == location.FOLDER
