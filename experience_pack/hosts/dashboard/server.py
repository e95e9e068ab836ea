"""The dashboard's server: loopback, one person, nothing kept of what was asked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from experience_pack.errors import (
    ExperiencePackError,
    LockedError,
    NotFoundError,
    RefusedError,
    StorageError,
)
from experience_pack.formats.strict_json import loads
from experience_pack.hosts.dashboard import shell
from experience_pack.hosts.dashboard.data import Data
from experience_pack.hosts.dashboard.guard import WRITING, Asked, House, refusal
from experience_pack.model import Json
from experience_pack.workspace.folder import Folder

MOST_BYTES = 64 * 1024
"""Of what a request brings: an id and a digest."""

MOST_AT_ONCE = 16
"""Requests that are answered at a time; a browser opens six."""

SECONDS = 15.0
"""How long a connection may say nothing."""

TOKEN_BYTES = 18

BLOCKS = "/api/blocks/"

HEADERS = {
    "Content-Security-Policy": shell.POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

STATUS: tuple[tuple[type[ExperiencePackError], int], ...] = (
    (NotFoundError, 404),
    (LockedError, 409),
    (RefusedError, 400),
    (ExperiencePackError, 500),
)
"""What an error of ours is to a browser; the first that fits."""


class Answer(NamedTuple):
    """What goes back."""

    status: int
    media: str = "text/plain"
    body: bytes = b""
    stamp: str = ""
    """A text that is the same while the body is."""


class Dashboard:
    """A server on a workspace; `serve` answers until it is closed."""

    def __init__(self, folder: Folder, port: int, *, writable: bool) -> None:
        """Take a port, 0 for any free one; one that is in use is a `StorageError`."""
        try:
            self._server = _Server(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise StorageError(
                f"port {port} cannot be used ({error.strerror})",
                hint="`--port 0` takes one that is free.",
            ) from error
        self.house = House(
            port=self._server.server_address[1],
            token=secrets.token_urlsafe(TOKEN_BYTES),
            writable=writable,
        )
        self._server.house = self.house
        self._server.routes = _Routes(folder, writable=writable)

    @property
    def address(self) -> str:
        """Give where a browser finds it."""
        return f"http://127.0.0.1:{self.house.port}/"

    def serve(self) -> None:
        """Answer until `close` is called by another thread, or a person interrupts."""
        self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Stop answering and give the port back, once what was begun is answered.

        Only then may the workspace be closed: SQLite does not survive that under a
        thread that reads.
        """
        self._server.shutdown()
        self._server.server_close()
        for _ in range(MOST_AT_ONCE):
            self._server.places.acquire(timeout=SECONDS)


class Query(NamedTuple):
    """A request that the guard has let through."""

    asked: Asked
    known: str
    """The stamp of what the browser has already."""
    accepts: str
    """The languages of its person, the best first."""
    body: Json = None


class _Routes:
    """Answers what the guard has let through."""

    def __init__(self, folder: Folder, *, writable: bool) -> None:
        self._data = Data(folder)
        self._writable = writable
        self._title = folder.name
        self._language = str(folder.config["language"])
        self._pages: Mapping[str, Callable[[Query], Answer]] = {
            "/": self._page,
            "/api/snapshot": self._snapshot,
            "/api/review": self._review,
        }

    def answer(self, query: Query) -> Answer:
        """Give an answer; a path that is not known is a 404."""
        path = query.asked.path
        if path in shell.ASSETS:
            return Answer(200, shell.ASSETS[path].media, shell.asset(path))
        if path.startswith(BLOCKS):
            return self._block(path.removeprefix("/"))
        found = self._pages.get(path)
        return found(query) if found else Answer(404)

    def _page(self, query: Query) -> Answer:
        language = self._language or ("zh" if query.accepts.startswith("zh") else "en")
        return Answer(200, "text/html", shell.page(self._title, language).encode())

    def _block(self, file: str) -> Answer:
        block = self._data.live.block(file)
        return Answer(404) if block is None else Answer(200, body=block.encode())

    def _snapshot(self, query: Query) -> Answer:
        stamp, document = self._data.live.document()
        known = stamp == query.known
        return Answer(304, stamp=stamp) if known else _json(document, stamp)

    def _review(self, query: Query) -> Answer:
        if query.asked.method in WRITING:
            return _json(self._data.approve(query.body))
        return _json({**self._data.waiting(), "writable": self._writable})


def _json(value: Mapping[str, Json], stamp: str = "") -> Answer:
    return Answer(200, "application/json", json.dumps(value).encode(), stamp)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = MOST_AT_ONCE
    house: House
    routes: _Routes

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.places = BoundedSemaphore(MOST_AT_ONCE)

    def handle_error(self, *_: object) -> None:
        """Say nothing: a browser that went away is no event."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "experience-pack"
    sys_version = ""
    timeout = SECONDS

    def _answer(self) -> None:
        with self.server.places:
            self._send(self._found())

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Give one answer to every method; the guard knows which it lets through."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _found(self) -> Answer:
        asked = self._asked()
        rule = refusal(self.server.house, asked)
        if rule is not None:
            self.close_connection = True  # what it brought was not read
            return Answer(rule.status, body=rule.says.encode())
        try:
            return self.server.routes.answer(
                Query(
                    asked,
                    known=self.headers.get("If-None-Match", "").strip('"'),
                    accepts=self.headers.get("Accept-Language", ""),
                    body=self._body() if asked.method in WRITING else None,
                )
            )
        except ExperiencePackError as error:
            status = next(status for kind, status in STATUS if isinstance(error, kind))
            return Answer(status, body=str(error).encode("utf-8", "replace"))

    def _asked(self) -> Asked:
        take: Callable[[str], str] = lambda name: self.headers.get(name, "")  # noqa: E731
        return Asked(
            method=self.command,
            path=urlsplit(self.path).path,
            host=",".join(self.headers.get_all("Host", [])),
            origin=take("Origin"),
            site=take("Sec-Fetch-Site"),
            authorisation=take("Authorization"),
            content=take("Content-Type"),
        )

    def _body(self) -> Json:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            self.close_connection = True
            raise RefusedError("the request has no length, or is too long")
        return loads(self.rfile.read(int(length)), "the request")

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if answer.stamp:
            self.send_header("ETag", f'"{answer.stamp}"')
        self.send_header("Content-Type", f"{answer.media}; charset=utf-8")
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        """Log nothing: a header could stand in it."""
