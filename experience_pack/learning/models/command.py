"""A program as a model: the prompt goes in on stdin, the answer comes on stdout."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

from experience_pack.errors import NotFoundError, RefusedError, StorageError, UsageError
from experience_pack.text.redaction import redact

MOST_BYTES = 1_000_000
"""Of output; a program that writes more is stopped."""

_COMPLAINT = 200  # characters of what it says on stderr that a person is shown
_COMPLAINT_BYTES = 10_000
_GRACE = 1.0  # seconds in which the last output is taken after the program's end


class CommandModel:
    """A program that answers, such as `claude -p` or `codex exec -`."""

    def __init__(self, command: str, timeout: float) -> None:
        """Take a command line; it is cut into words, and no shell reads it."""
        self._words = _words(command)
        self._timeout = timeout

    def __call__(self, system: str, prompt: str) -> str:
        """Run the program once.

        It runs in an empty folder, so that neither a project's files nor its hooks
        take part. A missing program is a `NotFoundError`, a failed, late or endless
        one a `StorageError`.
        """
        text = f"{system}\n\n{prompt}" if system else prompt
        with tempfile.TemporaryDirectory(prefix="experience-pack-") as place:
            return self._run(text.encode("utf-8", "replace"), place)

    def _run(self, data: bytes, place: str) -> str:
        with _started(self._found(), place) as process:
            said = _Reader(process.stdout, MOST_BYTES, lambda: _stop(process))
            complaint = _Reader(process.stderr, _COMPLAINT_BYTES, lambda: None)
            Thread(target=_write, args=(process, data), daemon=True).start()
            try:
                code = process.wait(self._timeout)
            except subprocess.TimeoutExpired as error:
                raise StorageError(
                    f"{self._words[0]} gave no answer in {self._timeout:g} seconds",
                    hint="Set `model.timeout`, or look whether it waits for something.",
                ) from error
            said.finish()
            complaint.finish()
        if said.full:
            raise RefusedError(
                f"{self._words[0]} wrote more than {MOST_BYTES:,} bytes and was stopped"
            )
        if code:
            raise StorageError(self._failure(code, complaint.text), hint=_HINT)
        return said.text

    def _found(self) -> list[str]:
        program = shutil.which(self._words[0])
        if program is None:
            raise NotFoundError(
                f"there is no program {self._words[0]}",
                hint="`experience-pack config set model.command '…'` names another.",
            )
        return [str(Path(program).absolute()), *self._words[1:]]

    def _failure(self, code: int, complaint: str) -> str:
        last = redact(complaint.strip().rpartition("\n")[2]).text[:_COMPLAINT]
        told = f": {last}" if last else ""
        return f"{self._words[0]} ended with {code}{told}"


_HINT = "Run it yourself with a short text on its input to see what it misses."


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        raise UsageError(f"model.command is no command line: {error}") from error
    if not words:
        raise UsageError("model.command is empty")
    return words


@contextmanager
def _started(words: list[str], place: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program in a group of its own, and leave nothing of it behind."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(  # noqa: S603 - the person's own command line
        words, cwd=place, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        yield process
    finally:
        _stop(process)
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Hand the prompt over; a program may end without having read all of it."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.write(data)
    with suppress(OSError):
        process.stdin.close()


class _Reader:
    """What a program writes, up to a limit; at the limit it is told."""

    def __init__(
        self, stream: IO[bytes] | None, most: int, full: Callable[[], None]
    ) -> None:
        assert stream is not None
        self._parts: list[bytes] = []
        self._most = most
        self._told = Event()
        self._thread = Thread(target=self._read, args=(stream, full), daemon=True)
        self._thread.start()

    @property
    def full(self) -> bool:
        """Tell whether the program wrote more than it may."""
        return self._told.is_set()

    @property
    def text(self) -> str:
        """Give what was written."""
        return b"".join(self._parts).decode("utf-8", "replace")

    def finish(self) -> None:
        """Wait for the rest; a child that still holds the pipe is not waited for."""
        self._thread.join(_GRACE)

    def _read(self, stream: IO[bytes], full: Callable[[], None]) -> None:
        size = 0
        with suppress(OSError, ValueError):
            while part := os.read(stream.fileno(), 1 << 16):
                size += len(part)
                if size > self._most:
                    self._told.set()
                    full()
                    return
                self._parts.append(part)
