"""Start what a host was told to start, speak to it, and measure an answer."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from experience_pack.errors import StorageError
from experience_pack.hosts.installers import launch
from experience_pack.hosts.installers.hosts import PROJECT
from experience_pack.hosts.installers.launch import Launch
from experience_pack.hosts.installers.ledger import Install

_SECONDS = 30.0


class Health(NamedTuple):
    """How a configured server does."""

    version: str
    """Protocol version that was agreed on."""
    tools: int
    start_seconds: float
    """From the start of the process to its first answer."""
    answer_seconds: float
    """One request of a tool."""
    missing: tuple[str, ...]
    """Files in which what was written is not there any more."""


def examine(known: Install) -> Health:
    """Start the server as configured; one that does not speak is a `StorageError`."""
    from pathlib import Path

    from experience_pack.hosts.installers import edits

    project = Path(known.options.project) if known.options.scope == PROJECT else None
    started = launch.server(workspace=project, profile=known.options.profile)
    missing = [
        done.file
        for done in known.done
        if done.text not in (edits.read(Path(done.file)) or "")
    ]
    return _spoken(started, project or Path.cwd(), tuple(missing))


def _spoken(
    started: Launch, where: os.PathLike[str], missing: tuple[str, ...]
) -> Health:
    began = time.monotonic()
    with subprocess.Popen(  # noqa: S603  # our own command
        started.words,
        cwd=where,
        env={**os.environ, **started.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as running:
        speaker = _Speaker(running)
        hello = speaker.ask("initialize", _HELLO)
        start = time.monotonic() - began
        speaker.tell("notifications/initialized")
        tools = speaker.ask("tools/list", {})["tools"]
        asked = time.monotonic()
        speaker.ask("tools/call", {"name": "experience_goal_state", "arguments": {}})
        answer = time.monotonic() - asked
        assert running.stdin is not None
        running.stdin.close()
        running.wait(_SECONDS)
    return Health(hello["protocolVersion"], len(tools), start, answer, missing)


_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "experience-pack-doctor", "version": "1"},
}


class _Speaker:
    """Speaks JSON lines with a server, one request after the other."""

    def __init__(self, running: subprocess.Popen[bytes]) -> None:
        assert running.stdin is not None
        assert running.stdout is not None
        self._to, self._from = running.stdin, running.stdout
        self._number = 0

    def tell(self, method: str) -> None:
        """Send a notification."""
        self._send({"method": method})

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and give its result."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        line = self._from.readline()
        found = json.loads(line) if line else {}
        if "result" not in found:
            raise StorageError(
                f"the configured server did not answer {method}",
                hint="Start it by hand: `experience-pack mcp`; it says what is wrong.",
            )
        result: dict[str, Any] = found["result"]
        return result

    def _send(self, message: Mapping[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        try:
            self._to.write(line)
            self._to.flush()
        except BrokenPipeError:
            raise StorageError("the configured server ended at once") from None
