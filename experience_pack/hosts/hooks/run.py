"""`hook HOST EVENT`: from the start of the process to the answer in milliseconds.

Every module that is loaded here is waited for at each prompt, so this one takes what
is built into the interpreter; the rest follows only where no process can be asked.
"""

from __future__ import annotations

import _socket
import _thread
import os
import sys
import time

from experience_pack.hosts.hooks.place import SOCKET, WORKSPACE

DEADLINE = 2.5
"""Seconds after which a host goes on without us: longer than a cold disk takes, and
well below the time limits that hosts set themselves."""

ANSWER = 1.0
"""Seconds that a running process has; then we answer ourselves."""

_CHUNK = 1 << 16


def main(words: list[str]) -> None:
    """Answer an event that a host hands over on stdin; never returns.

    Whatever goes wrong, the host goes on as if there were no hook: exit 0, nothing
    printed. Only Windsurf's way of showing an answer is an exit code of its own.
    """
    _thread.start_new_thread(_give_up, ())
    code, text = 0, b""
    try:
        host, event = words
        code, text = _answer(host, event, sys.stdin.buffer.read())
    except BaseException:  # a host must not notice our faults
        if os.environ.get("EXPERIENCE_PACK_DEBUG"):
            raise
    _leave(code, text)


def _leave(code: int, text: bytes) -> None:
    """End at once: nothing is closed in order, for the host waits."""
    try:
        os.write(2 if code else 1, text)
    finally:
        os._exit(code)


def _give_up() -> None:
    time.sleep(DEADLINE)
    os._exit(0)


def _answer(host: str, event: str, payload: bytes) -> tuple[int, bytes]:
    workspace = _near(os.getcwd())  # noqa: PTH109  # pathlib costs a millisecond each
    if workspace:
        reply = _asked(workspace, b"\0".join((*_words(host, event), payload)))
        if reply:
            code, _, text = reply.partition(b"\0")
            return int(code), text
    from experience_pack.hosts.hooks.alone import answer

    return answer(host, event, payload, workspace)


def _words(host: str, event: str) -> tuple[bytes, bytes]:
    return host.encode("utf-8", "replace"), event.encode("utf-8", "replace")


def _near(directory: str) -> str:
    """Give the workspace at or above a directory; empty where it takes more to tell."""
    while True:
        if os.path.isfile(os.path.join(directory, ".git")):  # noqa: PTH113, PTH118
            return ""
        found = os.path.join(directory, WORKSPACE)  # noqa: PTH118
        if os.path.isdir(found):  # noqa: PTH112
            return found
        parent = os.path.dirname(directory)  # noqa: PTH120
        if parent == directory:
            return ""
        directory = parent


def _asked(workspace: str, question: bytes) -> bytes:
    """Give what the workspace's running process says; empty where there is none."""
    try:
        back = os.getcwd()  # noqa: PTH109
        os.chdir(workspace)  # an address may be 100 bytes long, a folder's path longer
        asking = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        asking.settimeout(ANSWER)
        asking.connect(SOCKET)
        os.chdir(back)
        rest = memoryview(question)
        while rest:
            rest = rest[asking.send(rest) :]
        asking.shutdown(_socket.SHUT_WR)
        parts = []
        while part := asking.recv(_CHUNK):
            parts.append(part)
        return b"".join(parts)
    except (OSError, AttributeError):
        return b""
