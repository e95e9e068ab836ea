"""The private socket on which a running process answers hooks of its workspace."""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from experience_pack.api.core import Core
from experience_pack.errors import ExperiencePackError
from experience_pack.hosts.approvals import Approvals
from experience_pack.hosts.hooks.answer import answered, payload_of, written
from experience_pack.hosts.hooks.place import SOCKET

_log = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds between two looks whether the place is free: another process of the same
workspace may have had it, and ended."""

_LARGEST = 16 * 1024 * 1024
_PATIENCE = 2.0  # seconds for a hook to finish its sentence
_LONGEST_ADDRESS = 100  # bytes; the system takes 103 to 107


class Listener:
    """Answers hooks in a thread of its own, on a store of its own."""

    def __init__(
        self, workspace: Path, opener: Callable[[], Core], approvals: Approvals
    ) -> None:
        self._path = workspace / SOCKET
        self._opener = opener
        self._approvals = approvals
        self._core: Core | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="hooks")

    def start(self) -> None:
        """Begin to listen, as soon as no other process does."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening and give the place free."""
        self._over.set()
        with suppress(OSError):
            ask(self._path, b"")
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        while not self._over.is_set():
            listening = _bound(self._path)
            if listening is not None:
                self._listen(listening)
            self._over.wait(AGAIN)
        if self._core is not None:
            self._core.close()

    def _listen(self, listening: socket.socket) -> None:
        own = os.fstat(listening.fileno()).st_ino, _inode(self._path)
        with listening:
            listening.settimeout(AGAIN)
            while not self._over.is_set() and _inode(self._path) == own[1]:
                with suppress(TimeoutError):
                    self._serve(listening.accept()[0])
        if _inode(self._path) == own[1]:
            self._path.unlink(missing_ok=True)

    def _serve(self, asking: socket.socket) -> None:
        with asking, suppress(OSError):
            asking.settimeout(_PATIENCE)
            asking.sendall(self._reply(_read(asking)))

    def _reply(self, question: bytes) -> bytes:
        """Give code and text; nothing where we do not know, so that the hook does."""
        host, _, rest = question.partition(b"\0")
        event, _, data = rest.partition(b"\0")
        try:
            if host == _APPROVALS:
                return self._codes()
            if not host:
                return b""
            return self._hooked(host.decode(), event.decode(), data)
        except (ExperiencePackError, UnicodeDecodeError) as error:
            _log.warning("a hook got no answer: %s", error)
        except Exception:  # noqa: BLE001  # the outermost handler of a hook
            _log.exception("a hook got no answer")
        return b""

    def _hooked(self, host: str, event: str, data: bytes) -> bytes:
        if self._core is None:
            self._core = self._opener()
        found = answered(self._core, host, event, payload_of(data))
        return b"%d\0%s" % (found.code, written(found))

    def _codes(self) -> bytes:
        listed = [
            {"code": one.code, "text": one.text} for one in self._approvals.listed()
        ]
        return json.dumps(listed, ensure_ascii=False).encode("utf-8")


_APPROVALS = b"?approvals"


def waiting_approvals(workspace: Path) -> list[Mapping[str, str]]:
    """Give `code` and `text` of what waits in the workspace's running process."""
    try:
        found = ask(workspace / SOCKET, _APPROVALS + b"\0")
    except OSError:
        return []
    listed: list[Mapping[str, str]] = json.loads(found) if found else []
    return listed


def ask(path: Path, question: bytes) -> bytes:
    """Put a question to the process that listens; an `OSError` where none does."""
    with socket.socket(socket.AF_UNIX) as asking, _addressed(path) as address:
        asking.settimeout(_PATIENCE)
        asking.connect(address)
        asking.sendall(question)
        asking.shutdown(socket.SHUT_WR)
        return _read(asking)


def _read(asking: socket.socket) -> bytes:
    parts, size = [], 0
    while size < _LARGEST and (part := asking.recv(1 << 16)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _bound(path: Path) -> socket.socket | None:
    """Give a listening socket; None while another process has the place."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    try:
        if path.is_socket():
            with suppress(ConnectionError):
                ask(path, b"")
                return None
            path.unlink()
        found = socket.socket(socket.AF_UNIX)
        with _addressed(path) as address:
            found.bind(address)
        path.chmod(0o600)
        found.listen()
    except OSError as error:
        _log.info("hooks are not answered here: %s", error)
        return None
    return found


@contextmanager
def _addressed(path: Path) -> Iterator[str]:
    """Give a path that fits into an address, through the folder's own number if not."""
    text = str(path)
    if len(os.fsencode(text)) <= _LONGEST_ADDRESS:
        yield text
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
