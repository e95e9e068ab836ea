"""An MCP server and a dashboard as they are started, asked over and over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from typing import Any

ROOT = Path(__file__).parents[2]
_PAUSE = 0.05  # seconds between two questions, as of a busy host
_START: Mapping[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a host", "version": "1"},
}

Ask = Callable[[int], None]
"""Asks once and holds the answer to what it has to be."""


@contextmanager
def asked(ask: Ask) -> Iterator[list[int]]:
    """Ask over and over until the block ends; give a list with the number asked."""
    done, count, faults = Event(), [0], list[BaseException]()

    def go_on() -> None:
        try:
            while not done.is_set():
                ask(count[0])
                count[0] += 1
                time.sleep(_PAUSE)
        except BaseException as fault:  # noqa: BLE001  # raised again below
            faults.append(fault)

    thread = Thread(target=go_on)
    thread.start()
    try:
        yield count
    finally:
        done.set()
        thread.join()
    if faults:
        raise faults[0]


@contextmanager
def _started(project: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "experience_pack", *words],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def mcp_server(project: Path) -> Iterator[Ask]:
    """Give a host of an MCP server that asks what is known about a task."""
    with _started(project, "mcp") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines, answers = process.stdin, process.stdout

        def say(message: Mapping[str, Any]) -> None:
            lines.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            lines.flush()

        def ask(number: int) -> None:
            arguments = {"name": "experience_request", "arguments": {"text": "请求"}}
            say({"id": number, "method": "tools/call", "params": arguments})
            answer = json.loads(answers.readline())
            assert answer["id"] == number, answer
            assert not answer["result"].get("isError"), answer

        say({"id": "start", "method": "initialize", "params": _START})
        assert "result" in json.loads(answers.readline())
        say({"method": "notifications/initialized"})
        yield ask


@contextmanager
def dashboard(project: Path) -> Iterator[Ask]:
    """Give a browser of the live dashboard that loads everything."""
    with _started(project, "site", "serve", "--port", "0", "--json") as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.rstrip() == "}":
                break
        found = json.loads(said)
        port = int(found["address"].rstrip("/").rpartition(":")[2])

        def ask(number: int) -> None:
            _ = number
            connection = HTTPConnection("127.0.0.1", port, timeout=30)
            given = {"Authorization": f"Bearer {found['code']}"}
            connection.request("GET", "/api/snapshot", headers=given)
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            answer.read()
            connection.close()

        yield ask
