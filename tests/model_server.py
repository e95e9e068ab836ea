"""A scripted OpenAI-compatible server on loopback: good, bad and malicious answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

ANSWERS: Mapping[str, Mapping[str, Any]] = json.loads(
    (Path(__file__).parent / "fixtures" / "model" / "answers.json").read_text("utf-8")
)
"""Answers by name: `text`, or `body`, with `status`, `headers`, `repeat`, `drip`."""


@dataclass
class ModelServer:
    """What is answered in turn, the last one for ever, and what was asked."""

    answers: Sequence[Mapping[str, Any]]
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    stopped: Event = field(default_factory=Event)

    def prompts(self) -> list[str]:
        """Give the text of every question."""
        return [one["messages"][-1]["content"] for one in self.asked]


def say(text: str) -> dict[str, Any]:
    """Give the answer that is a text."""
    return {"text": text}


@contextmanager
def model_server(*answers: str | Mapping[str, Any]) -> Iterator[ModelServer]:
    """Serve answers, or those of `ANSWERS` that are named, until the block ends."""
    listed = [ANSWERS[one] if isinstance(one, str) else one for one in answers]
    script = ModelServer(listed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield script
    finally:
        script.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(script: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            script.asked.append(json.loads(self.rfile.read(size)))
            script.headers.append(dict(self.headers))
            at = min(len(script.asked), len(script.answers)) - 1
            self._answer(script.answers[at])

        def _answer(self, answer: Mapping[str, Any]) -> None:
            data = _data(answer, script.headers[-1].get("Authorization", ""))
            self.send_response(answer.get("status", 200))
            headers = {"Content-Length": str(len(data)), **answer.get("headers", {})}
            for name, value in headers.items():
                self.send_header(name, value.replace("{url}", script.url))
            self.end_headers()
            try:
                self._write(data, answer.get("drip", 0.0))
            except OSError:
                self.close_connection = True

        def _write(self, data: bytes, drip: float) -> None:
            if not drip:
                self.wfile.write(data)
                return
            for at in range(len(data)):
                self.wfile.write(data[at : at + 1])
                if script.stopped.wait(drip):
                    return

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Stay silent."""

    return Handler


def _data(answer: Mapping[str, Any], authorization: str) -> bytes:
    if "body" in answer:
        text = answer["body"]
        body = text if isinstance(text, str) else json.dumps(text)
    else:
        content = answer["text"] * answer.get("repeat", 1)
        message = {"role": "assistant", "content": content}
        body = json.dumps({"choices": [{"index": 0, "message": message}]})
    return body.replace("{authorization}", authorization).encode("utf-8")
