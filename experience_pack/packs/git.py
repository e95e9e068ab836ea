"""Run git in repositories that we made, in an environment of our own.

No configuration, hook, filter, pager or editor of the user's or of a pack's takes
part, and the index of the user's project is never touched.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from experience_pack.errors import IntegrityError, RefusedError, StorageError
from experience_pack.packs.layout import HINT, MOST_BYTES
from experience_pack.store.space import is_full

SETTINGS: Mapping[str, str] = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
}
"""Settings that stand over whatever a repository says."""


MOST_SECONDS = 600.0
"""How long git may take; a history of 1,000 versions of 10,000 cards takes one minute,
so whoever takes longer hangs."""
MOST_FETCHED = MOST_BYTES
"""Bytes that git may bring in at once; they can be counted only when all are there."""
_LOOK_SECONDS = 0.5


def run_git(
    repository: Path,
    *arguments: str,
    stdin: bytes = b"",
    settings: Mapping[str, str] = SETTINGS,
    variables: Mapping[str, str] | None = None,
) -> bytes:
    """Run git in a bare repository; a failure is an `IntegrityError` with its words.

    One that does not end is stopped with a `StorageError`, one that brings in more
    than any pack may have with a `RefusedError`. `variables` are added to the
    environment, which has nothing of the user's but where programs are.
    """
    environment = {**_environment(repository, settings), **(variables or {})}
    with _readable(stdin) as given:
        process = _started(repository, arguments, given, environment)
    with process:
        try:
            out, err = _finished(process, repository, arguments[0])
        except BaseException:
            _stop(process)
            raise
    if process.returncode:
        said = err.decode("utf-8", "replace").strip() or f"exit {process.returncode}"
        if is_full(repository):
            raise StorageError(f"{repository} has no space left for git {arguments[0]}")
        raise IntegrityError(f"git {arguments[0]} failed: {said[:500]}")
    return out


def _started(
    repository: Path,
    arguments: Sequence[str],
    given: IO[bytes],
    environment: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603  # fixed words, no shell
            ["git", *arguments],  # noqa: S607
            cwd=repository,
            env=environment,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # what git started in turn can be stopped with it
        )
    except FileNotFoundError as error:
        raise StorageError(
            "git is not installed, which histories and repositories need",
            hint="Install git; everything else works without it.",
        ) from error


@contextlib.contextmanager
def _readable(data: bytes) -> Iterator[IO[bytes]]:
    """Give a file of what git reads.

    Through a pipe, Python 3.11 forgets what is left to write when it is interrupted
    to look at the clock, and git waits for ever.
    """
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _finished(
    process: subprocess.Popen[bytes], repository: Path, word: str
) -> tuple[bytes, bytes]:
    """Wait for git to end, and look now and then whether it may go on."""
    until = time.monotonic() + MOST_SECONDS
    while True:
        try:
            return process.communicate(timeout=_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                raise StorageError(
                    f"git {word} did not end in {MOST_SECONDS:g} seconds",
                    hint="Look whether the other side answers, then try again.",
                ) from None
            if _fetched(repository) > MOST_FETCHED:
                raise RefusedError(
                    f"git {word} brings more than {MOST_FETCHED:,} bytes", hint=HINT
                ) from None


def _fetched(repository: Path) -> int:
    """Give how many bytes are in packs that are not whole yet."""
    sizes = []
    for path in repository.glob("objects/pack/tmp_pack_*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # it is whole now
            continue
    return sum(sizes)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop git and whatever it started."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.killpg(process.pid, signal.SIGKILL)


def _environment(repository: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Give an environment in which git knows this repository and nothing else."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "HOME": str(repository),
        "GIT_DIR": str(repository),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CONFIG_COUNT": str(len(settings)),
        **{f"GIT_CONFIG_KEY_{at}": key for at, key in enumerate(settings)},
        **{f"GIT_CONFIG_VALUE_{at}": settings[key] for at, key in enumerate(settings)},
    }
