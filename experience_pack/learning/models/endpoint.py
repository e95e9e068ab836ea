"""An OpenAI-compatible endpoint as a model, over the standard library.

The key is read from an environment variable at the moment of the question. It goes
into one header of one request: no redirect is followed, and whatever comes back is
freed of it before anybody sees it.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from threading import Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from experience_pack.errors import (
    AccessError,
    ExperiencePackError,
    RefusedError,
    StorageError,
    UsageError,
)
from experience_pack.formats.strict_json import loads
from experience_pack.text.redaction import redact

MOST_BYTES = 1_000_000
"""Of a reply; what is longer is not read."""

PATH = "/chat/completions"

_CHUNK = 1 << 16
_COMPLAINT = 200  # characters of a server's own words that a person is shown
_BUSY = (408, 409, 425, 429, *range(500, 600))
"""Statuses after which the same question may be answered (RFC 9110, RFC 6585)."""


class EndpointModel:
    """A chat endpoint, such as `https://api.openai.com/v1`."""

    def __init__(self, url: str, name: str, key_env: str, timeout: float) -> None:
        """Take the address, the model's name and the NAME of the key's variable."""
        self._url = _checked(url)
        self._name = name
        self._key_env = key_env
        self._timeout = timeout

    def __call__(self, system: str, prompt: str) -> str:
        """Ask once.

        A server that is not there, late or busy is a `StorageError`, one that does
        not take the key an `AccessError`, and any other answer that is none a
        `RefusedError`.
        """
        key = self._key()
        try:
            status, data = self._posted(_body(self._name, system, prompt), key)
        except (OSError, http.client.HTTPException) as error:
            raise StorageError(
                f"{self._url.netloc} gave no answer ({type(error).__name__})",
                hint="Look at `model.endpoint` and `model.timeout`, then try again.",
            ) from error
        reply = data.decode("utf-8", "replace")
        if key:
            reply = reply.replace(key, "‹secret:model key›")
        if status != http.client.OK:
            raise self._failure(status, reply)
        return _content(reply, self._url.netloc)

    def _key(self) -> str:
        if not self._key_env:
            return ""
        key = os.environ.get(self._key_env, "").strip()
        if not key.isascii() or not key.isprintable() or not key:
            raise UsageError(
                f"the environment variable {self._key_env} holds no key",
                hint="Set it, or `experience-pack config set model.key_env NAME`.",
            )
        return key

    def _posted(self, body: bytes, key: str) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        with closing(self._connection()) as connection:
            connection.connect()
            with _deadline(connection.sock, self._timeout):
                connection.request("POST", _path(self._url), body, headers)
                with closing(connection.getresponse()) as response:
                    return response.status, _read(response, self._url.netloc)

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname, self._url.port
        assert host is not None
        if self._url.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            host, port, timeout=self._timeout, context=context
        )

    def _failure(self, status: int, reply: str) -> ExperiencePackError:
        said = f"{self._url.netloc} answered {status}{_complaint(reply)}"
        if status in _BUSY:
            return StorageError(said, hint="Try again later.")
        if status in (401, 403):
            hint = f"Look at the key in the variable {self._key_env or 'model.key_env'}"
            return AccessError(said, hint=f"{hint}.")
        if 300 <= status < 400:
            hint = "Set `model.endpoint` to the address that it stands for."
            return RefusedError(f"{said}; redirects are not followed", hint=hint)
        return RefusedError(said, hint="Look at `model.endpoint` and `model.name`.")


def _checked(url: str) -> SplitResult:
    """Give an address that a key and a conversation may be sent to."""
    parts = urlsplit(url)
    fault = None
    if "@" in parts.netloc or parts.query or parts.fragment:
        fault = "has a user, a query or a fragment"
    elif not parts.hostname:
        fault = "names no server"
    elif parts.scheme != "https" and not (
        parts.scheme == "http" and _is_loopback(parts.hostname)
    ):
        fault = "is neither https nor http on this machine itself"
    else:
        try:
            _ = parts.port
        except ValueError:
            fault = "has no port that there can be"
    if fault:
        raise UsageError(
            f"model.endpoint {fault}",
            hint="As `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`.",
        )
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _path(url: SplitResult) -> str:
    path = url.path.rstrip("/")
    return path if path.endswith(PATH) else path + PATH


def _body(name: str, system: str, prompt: str) -> bytes:
    messages = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": prompt})
    document = {"model": name, "messages": messages, "stream": False}
    return json.dumps(document).encode("ascii")


@contextmanager
def _deadline(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Cut a connection off at a time, however slowly it drips."""

    def cut() -> None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read(response: http.client.HTTPResponse, server: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := response.read1(_CHUNK):
        size += len(part)
        if size > MOST_BYTES:
            raise RefusedError(
                f"{server} sent more than {MOST_BYTES:,} bytes; the rest was not read"
            )
        parts.append(part)
    if response.length:
        raise http.client.IncompleteRead(b"".join(parts), response.length)
    return b"".join(parts)


def _content(reply: str, server: str) -> str:
    """Give the text of a chat completion; a refusal of the model's has none."""
    found: Any = loads(reply, f"the reply of {server}")
    for step in ("choices", 0, "message"):
        found = _at(found, step)
    content = found.get("content") if isinstance(found, Mapping) else None
    if content is None and isinstance(found, Mapping):
        return ""
    if not isinstance(content, str):
        raise RefusedError(
            f"{server} gave no chat completion",
            hint="`model.endpoint` has to speak OpenAI's chat completions.",
        )
    return content


def _at(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and len(value) > step else None
    return value.get(step) if isinstance(value, Mapping) else None


def _complaint(reply: str) -> str:
    """Give a server's own words about what it refused, as far as it has any."""
    try:
        found = _at(_at(loads(reply, "reply"), "error"), "message")
    except ExperiencePackError:
        return ""
    if not isinstance(found, str):
        return ""
    return f": {redact(found[:_COMPLAINT]).text}"
