"""A scripted model on loopback: the wire formats of four vendors, and their log."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

ANSWER = "the scripted model answers"
GENERATES = re.compile(
    r"/(responses|chat/completions|messages)$|[:](stream)?generateContent",
    re.IGNORECASE,
)
DIRECTIVE = re.compile(r"CALL ([\w-]+) (\{.*?\})")
"""A prompt that holds this has the model call that tool of the server."""


STARTING = 3.0


class Asked(NamedTuple):
    """One request that reached the model."""

    path: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


class Model:
    """What was asked, and how tools are called in the host's own naming."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.port = 0
        self.requests: list[Asked] = []

    @property
    def generated(self) -> list[Asked]:
        """Give the requests that a model would have had to answer."""
        return [one for one in self.requests if GENERATES.search(one.path)]

    def called(self, body: dict[str, Any]) -> tuple[str, str] | None:
        """Give the tool and arguments to call, unless its result is there already."""
        text = json.dumps(body, ensure_ascii=False)
        results = ("tool_result", "function_call_output", '"role": "tool"')
        if any(one in text for one in (*results, "functionResponse")):
            return None
        found = DIRECTIVE.search(text.replace("\\", ""))
        if not found or "tools" not in body:
            return None
        if found[1] not in json.dumps(body["tools"]):
            time.sleep(STARTING)  # some hosts ask before their servers have started
        return self.tool.format(found[1]), found[2]


@contextmanager
def model_of(tool: str) -> Iterator[Model]:
    """Serve a model on loopback for a block."""
    model = Model(tool)

    class Handler(_Handler):
        scripted = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    scripted: Model
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing on the screen."""

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        data = self.rfile.read(size)
        try:
            body = json.loads(data)
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        self.scripted.requests.append(Asked(path, body))
        for suffix, speak in _SPEECH:
            if path.endswith(suffix):
                events = speak(body, self.scripted.called(body))
                self._send(_sse(events, named="chat" not in suffix), _EVENTS)
                return
        self._send(b"{}", "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


_EVENTS = "text/event-stream"

Call = tuple[str, str] | None


def _sse(events: list[dict[str, Any]], *, named: bool) -> bytes:
    lines = []
    for one in events:
        if named and "type" in one:
            lines.append(f"event: {one['type']}\n")
        lines.append(f"data: {json.dumps(one)}\n\n")
    return "".join(lines).encode()


def _anthropic(_: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": ANSWER}
    stop = "end_turn"
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": call[1]}
        stop = "tool_use"
    ended = {"stop_reason": stop, "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": usage},
        {"type": "message_stop"},
    ]


def _responses(_: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    if call:
        space, name = call[0].rsplit("/", 1)
        item: dict[str, Any] = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": name,
            "namespace": space,
            "arguments": call[1],
        }
    else:
        text = {"type": "output_text", "text": ANSWER, "annotations": []}
        item = {
            "type": "message",
            "id": "m_1",
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
    response = {"id": "r_1", "object": "response", "status": "completed"}
    done = {**response, "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]


def _chat(_: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        head = {"id": "c_1", "object": "chat.completion.chunk", "created": 1}
        return {**head, "model": "scripted", "choices": [choice]}

    if call:
        function = {"name": call[0], "arguments": call[1]}
        said = {"index": 0, "id": "call_1", "type": "function", "function": function}
        return [
            chunk({"role": "assistant", "tool_calls": [said]}),
            chunk({}, "tool_calls"),
        ]
    return [chunk({"role": "assistant", "content": ANSWER}), chunk({}, "stop")]


def _gemini(_: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    part: dict[str, Any] = {"text": ANSWER}
    if call:
        part = {"functionCall": {"name": call[0], "args": json.loads(call[1])}}
    content = {"role": "model", "parts": [part]}
    counted = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "usageMetadata": counted}]


_SPEECH = (
    ("/responses", _responses),
    ("/chat/completions", _chat),
    ("/messages", _anthropic),
    (":streamGenerateContent", _gemini),
)
"""How a path ends, and who answers there."""
