"""What a host waits for: a hook from start to answer, and the MCP server."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from bench.harness import Aim, Figure
from bench.request_data import experiences, requests
from experience_pack.hosts.hooks.place import SOCKET
from experience_pack.store import experiences as stored
from experience_pack.workspace.folder import create

_ROOT = Path(__file__).parent.parent
_STARTS = 15
_CALLS = 300

SOCKET_AIM = Aim(most=2.0)
"""Issue 8: over the socket a hook costs no more than twice a process with one query."""

ALONE_AIM = Aim(most=3.0)
"""Issue 8: without a running process."""

START_AIM = Aim(most=1.2)
"""Issue 8: our imports beside the SDK's own."""

CALL_AIM = Aim(most=1.3)
"""Issue 8: a tool costs its request and the SDK, and little else."""

_QUERY = (
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); "
    "print(db.execute('SELECT rowid FROM words WHERE words MATCH ? "
    "ORDER BY bm25(words) LIMIT 10', (sys.argv[2],)).fetchall())"
)

_BARE = """
import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server


async def tools(context, params):
    schema = {"type": "object"}
    return types.ListToolsResult(tools=[types.Tool(name="t", input_schema=schema)])


async def call(context, params):
    return types.CallToolResult(content=[types.TextContent(text="ok")])


async def main():
    server = Server("bare", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (incoming, outgoing):
        options = server.create_initialization_options()
        await server.run(incoming, outgoing, options)


anyio.run(main)
"""
"""The least that the SDK can serve: the anchor of start and call."""


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the figures of hooks and server on so many experiences."""
    project, text = _filled(size, folder)
    words = _words(project, folder)
    yield from _hooks(project, words, text)
    yield from _server(project, folder, text)


def _filled(size: int, folder: Path) -> tuple[Path, str]:
    """Make a workspace; give its project and a request that something answers."""
    project = folder / "project"
    project.mkdir()
    made = create(project)
    pool = list(experiences(size))
    with made.store.transaction() as tx:
        stored.save_all(tx, pool, "bench")
    made.close()
    return project, next(one.text for one in requests(pool, 50) if one.truth)


def _words(project: Path, folder: Path) -> Path:
    """Make the anchor: the same names in SQLite's own full-text search."""
    import sqlite3

    place = folder / "words.db"
    source = sqlite3.connect(project / ".experience/exp.db")
    anchor = sqlite3.connect(place)
    anchor.execute("CREATE VIRTUAL TABLE words USING fts5(content)")
    rows = source.execute("SELECT content FROM versions")
    anchor.executemany("INSERT INTO words VALUES (?)", rows)
    anchor.commit()
    source.close()
    anchor.close()
    return place


def _hooks(project: Path, words: Path, text: str) -> Iterator[Figure]:
    payload = json.dumps({"prompt": text}, ensure_ascii=False)
    hook = [sys.executable, "-m", "experience_pack", "hook", "pi", "input"]
    first = text.split(maxsplit=1)[0] if text.split() else "x"
    query = [sys.executable, "-c", _QUERY, str(words), f'"{first}"']
    alone, anchor = _interleaved(hook, query, payload, project)
    yield _figure("hook alone", alone, anchor, ALONE_AIM, "one-shot FTS5 query")
    with _Server(_ours(), project) as server:
        server.hello()
        while not (project / ".experience" / SOCKET).exists():
            time.sleep(0.05)
        asked, anchor = _interleaved(hook, query, payload, project)
    yield _figure("hook asking", asked, anchor, SOCKET_AIM, "one-shot FTS5 query")


def _interleaved(
    ours: list[str], anchor: list[str], payload: str, project: Path
) -> tuple[float, float]:
    runs = [
        (_wall(ours, payload, project), _wall(anchor, "", project))
        for _ in range(_STARTS + 1)
    ][1:]
    return (
        1000 * statistics.median(one for one, _ in runs),
        1000 * statistics.median(one for _, one in runs),
    )


def _wall(words: list[str], payload: str, project: Path) -> float:
    """Give seconds from the start of a process to its end: what a host waits."""
    began = time.perf_counter()
    subprocess.run(
        words,
        input=payload.encode(),
        cwd=project,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


def _server(project: Path, folder: Path, text: str) -> Iterator[Figure]:
    bare = folder / "bare.py"
    bare.write_text(_BARE, "utf-8")
    anchor = [sys.executable, str(bare)]
    starts = [
        (_start(_ours(), project), _start(anchor, project)) for _ in range(_STARTS // 2)
    ][1:]
    ours = 1000 * statistics.median(one for one, _ in starts)
    theirs = 1000 * statistics.median(one for _, one in starts)
    yield _figure("mcp first reply", ours, theirs, START_AIM, "bare SDK server")

    arguments = {"text": text}
    with _Server(_ours(), project) as server, _Server(anchor, project) as other:
        server.hello()
        other.hello()
        calls = [
            (server.call("experience_before_llm", arguments), other.call("t", {}))
            for _ in range(_CALLS)
        ][_CALLS // 10 :]
    called = 1000 * statistics.median(one for one, _ in calls)
    trivial = 1000 * statistics.median(one for _, one in calls)
    both = trivial + _request(project, text)
    name = "request + trivial call"
    yield _figure("mcp before_llm", called, both, CALL_AIM, name)


def _request(project: Path, text: str) -> float:
    """Give milliseconds of a warm request in this process."""
    from experience_pack.api.workspace import Workspace

    with Workspace(project).runtime() as core:
        core.request(text)
        taken = []
        for _ in range(_CALLS):
            began = time.perf_counter()
            core.request(text)
            taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken)


def _ours() -> list[str]:
    return [sys.executable, "-m", "experience_pack", "mcp"]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(_ROOT)}


def _start(words: list[str], project: Path) -> float:
    began = time.perf_counter()
    with _Server(words, project) as server:
        server.hello()
        return time.perf_counter() - began


class _Server:
    """A server as a host starts it."""

    def __init__(self, words: list[str], project: Path) -> None:
        self._running = subprocess.Popen(
            words,
            cwd=project,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._running.stdin is not None
        self._running.stdin.close()
        self._running.wait(30)

    def hello(self) -> None:
        client = {"name": "bench", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self._ask("initialize", {**params, "clientInfo": client})
        self._tell({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, Any]) -> float:
        """Give seconds of one call."""
        began = time.perf_counter()
        self._ask("tools/call", {"name": tool, "arguments": arguments})
        return time.perf_counter() - began

    def _ask(self, method: str, params: Mapping[str, Any]) -> None:
        self._tell({"id": 1, "method": method, "params": params})
        assert self._running.stdout is not None
        assert b'"result"' in self._running.stdout.readline()

    def _tell(self, message: Mapping[str, Any]) -> None:
        assert self._running.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        self._running.stdin.write(line)
        self._running.stdin.flush()


def _figure(name: str, value: float, anchor: float, aim: Aim, what: str) -> Figure:
    return Figure(
        name=f"hosts {name}",
        value=value,
        unit="ms",
        aim=aim,
        anchor=what,
        anchor_value=anchor,
    )
