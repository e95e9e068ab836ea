from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.hosts.mcp.framing import Fault, Frames, framed, message_of
from tests.mcp_host import fill

ROOT = Path(__file__).parents[2]
FAULTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/mcp/faults.json").read_text("utf-8")
)
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def text_of(row: dict[str, Any]) -> bytes:
    """Give a row's frame; `times` says how often a part stands in it."""
    text: str = row["frame"]
    for part, number in row.get("times", {}).items():
        text = text.replace(f"<{part}>", part * number)
    return text.encode("utf-8")


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row["what"])
def test_a_frame_that_is_no_message_gets_its_code(row: dict[str, Any]) -> None:
    found = message_of(text_of(row))

    assert isinstance(found, Fault), found
    assert (found.code, found.id) == (row["code"], row["id"])


@pytest.mark.parametrize("headed", [False, True])
@pytest.mark.parametrize("cut", [1, 7, 10_000])
def test_frames_are_told_by_themselves(headed: bool, cut: int) -> None:
    messages = [b'{"a":"\xe6\xb5\xb7"}', b"{}", b'{"b":[1,\n2]}' if headed else b"[]"]
    stream = b"".join(framed(one, headed=headed) for one in messages)
    frames = Frames()
    pieces = [stream[at : at + cut] for at in range(0, len(stream), cut)]

    assert [one for piece in pieces for one in frames.feed(piece)] == messages
    assert frames.headed is headed


def test_other_headers_and_a_change_of_framing_are_understood() -> None:
    frames = Frames()
    stream = (
        b"Content-Type: application/json\r\ncontent-length: 2\r\nX-Other: 1\r\n\r\n{}"
        b'\n{"a":1}\r\n'
    )

    found = [*frames.feed(b"Content-Length: 2\r\n\r\n[]" + stream)]

    assert found == [b"[]", b"{}", b'{"a":1}']
    assert not frames.headed


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("frames") / "project"
    fill(made)
    return made


def served(project: Path, data: bytes, *options: str) -> bytes:
    """Give what the server says to some bytes; it has to end in order."""
    done = subprocess.run(
        [sys.executable, "-m", "experience_pack", "mcp", *options],
        input=data,
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def lines_of(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_strict_client_of_headers_is_answered_with_headers(project: Path) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "experience_request", "arguments": {"text": "整理文档"}},
    }
    data = b"".join(
        framed(json.dumps(one, ensure_ascii=False).encode(), headed=True)
        for one in (HELLO, asked)
    )
    rest = served(project, data)
    found = []
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        assert header.startswith(b"Content-Length: ")
        size = int(header.removeprefix(b"Content-Length: "))
        found.append(json.loads(rest[:size]))
        rest = rest[size:]

    assert [one["id"] for one in found] == [0, 1]
    assert found[1]["result"]["structuredContent"]["decision"] == "assist"


def test_a_newer_client_needs_no_handshake(project: Path) -> None:
    discover = {"method": "server/discover", "params": {"_meta": ENVELOPE}}
    called = {
        "method": "tools/call",
        "params": {
            "name": "experience_stats",
            "arguments": {},
            "_meta": ENVELOPE,
        },
    }
    asked = [
        {"jsonrpc": "2.0", "id": f"x-{at}", **one}
        for at, one in enumerate((discover, called))
    ]
    data = b"".join(json.dumps(one).encode() + b"\n" for one in asked)
    found = {
        one["id"]: one for one in lines_of(served(project, data, "--profile=full"))
    }

    assert "2026-07-28" in found["x-0"]["result"]["supportedVersions"]
    assert found["x-1"]["result"]["structuredContent"]["experiences"] == 6


def test_an_unknown_method_is_answered_at_once(project: Path) -> None:
    """Claude Code opens with a method that an older server does not know."""
    asked = {"jsonrpc": "2.0", "id": "probe", "method": "server/unheard", "params": {}}
    data = json.dumps(asked).encode() + b"\n" + json.dumps(HELLO).encode() + b"\n"
    found = {one["id"]: one for one in lines_of(served(project, data))}

    assert found["probe"]["error"]["code"] == -32601
    assert found[0]["result"]["protocolVersion"] == "2025-06-18"


def noise(random: random.Random, number: int) -> Iterator[tuple[bytes, str | None]]:
    """Give frames, and the id that has to be answered, if there is one."""
    for at in range(number):
        identity = f"id-{at}"
        good = {
            "jsonrpc": "2.0",
            "id": identity,
            "method": random.choice(["tools/call", "tools/list", "ping", "no/such"]),
            "params": random.choice(
                [{}, {"name": "experience_stats"}, {"x": "\ud800"}]
            ),
        }
        row = random.choice(FAULTS)
        broken = bytearray(json.dumps(good).encode())
        broken[random.randrange(len(broken))] = random.randrange(32, 256)
        yield from random.choice(
            (
                [(json.dumps(good).encode(), identity)],
                [(text_of(row), None)] if len(text_of(row)) < 10_000 else [],
                [(bytes(broken), None)],
                [(random.randbytes(random.randrange(1, 60)).replace(b"\n", b""), None)],
            )
        )


def test_the_server_outlives_ten_thousand_frames(project: Path) -> None:
    sent = list(noise(random.Random(8), 10_000))
    last = {"jsonrpc": "2.0", "id": "last", "method": "tools/list", "params": {}}
    frames = [json.dumps(HELLO).encode(), *(frame for frame, _ in sent)]
    data = b"\n".join([*frames, json.dumps(last).encode(), b""])
    found = lines_of(served(project, data))
    answered = {one["id"] for one in found}

    assert all(one["jsonrpc"] == "2.0" for one in found)
    assert all(("result" in one) != ("error" in one) for one in found)
    assert {identity for _, identity in sent if identity} <= answered
    assert found[-1]["id"] == "last"
    assert found[-1]["result"]["tools"]
