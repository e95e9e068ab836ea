"""Writing files so that a reader sees the old one or the new one, never half."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from experience_pack.errors import (
    AccessError,
    ExperiencePackError,
    NotFoundError,
    StorageError,
)

TEMPORARY = ".xp-tmp-"
"""Start of every name that is only there while a file is written."""


def write_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file under a temporary name and put it in place of the old one.

    With `durable` the bytes are on the disk before the old file goes; without, a
    power cut may cost the file, which is right for what can be rebuilt.
    """
    write_parts(path, (data,), durable=durable)


def write_parts(path: Path, parts: Iterable[bytes], *, durable: bool = True) -> None:
    """Write a file as `write_file` does, piece by piece as the pieces are made."""
    with file_errors(path):
        temporary = path.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
        try:
            _write(temporary, parts, durable=durable)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(temporary, parts, durable=durable)
        try:
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def _write(path: Path, parts: Iterable[bytes], *, durable: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123  # an open descriptor
            file.writelines(parts)
            if durable:
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn what the file system says about `path` into errors of ours."""
    try:
        yield
    except OSError as error:
        raise os_error(error, path) from error


def os_error(error: OSError, path: Path | None = None) -> ExperiencePackError:
    """Give the error of ours for what the operating system says."""
    where = error.filename or path or "a file"
    reason = error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        return NotFoundError(f"{where} is not there")
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return AccessError(f"{where}: {reason}")
    return StorageError(f"{where}: {reason}")
