"""Where a pack comes from, as a person writes it and as the lock keeps it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from experience_pack.errors import NotFoundError, RefusedError, UsageError
from experience_pack.packs.layout import check_path

SCHEMES = ("https", "ssh", "file")
"""What a git source may be fetched by: encrypted, or from this machine."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCP = re.compile(r"(?:[\w.-]+@)?[A-Za-z0-9][A-Za-z0-9.-]+:(?!:)[^:]+")
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+/@-]{0,199}")

_HINT = "Name a folder, a file, or a repository by https://, ssh:// or user@host:path."


class Address(NamedTuple):
    """One source."""

    text: str
    """As the lock keeps it: an address, or a path relative to the project."""
    local: Path | None
    """Where it is on this machine; None for another one."""
    git: bool
    """Whether it is a repository, and read as one."""

    @property
    def url(self) -> str:
        """Give what git fetches from."""
        return self.text if self.local is None else self.local.as_uri()


def address_of(source: str, project: Path, *, at_revision: bool) -> Address:
    """Read what a person wrote; what could mean anything else is refused by name.

    A folder is read as it stands, unless it is a bare repository or a revision is
    asked for. A source that is not there is a `NotFoundError`.
    """
    for holds, fault in _FAULTS:
        if holds(source):
            raise RefusedError(f"the source {source!r:.200} {fault}", hint=_HINT)
    if _URL.match(source) and not source.lower().startswith("file://"):
        return Address(source, None, git=True)
    path = _local(source)
    if not path.exists() and _SCP.fullmatch(source):
        return Address(source, None, git=True)
    return _address_at(path, project, at_revision=at_revision)


def address_in_lock(text: str, project: Path, *, git: bool) -> Address:
    """Read a source as the lock has it, with the same care: it may be anybody's."""
    for holds, fault in _FAULTS:
        if holds(text):
            raise RefusedError(f"the source {text!r:.200} {fault}", hint=_HINT)
    if git and (_URL.match(text) or _SCP.fullmatch(text)):
        return Address(text, None, git=True)
    return Address(text, (project / text).resolve(), git=git)


def check_revision(revision: str) -> str:
    """Give a tag, branch or commit; what could be anything else is a `UsageError`."""
    odd = ".." in revision or "@{" in revision or revision.endswith((".lock", "/", "."))
    if not _REVISION.fullmatch(revision) or odd:
        raise UsageError(
            f"{revision!r:.200} cannot be a revision",
            hint="Name a tag, a branch or a commit.",
        )
    return revision


def check_folder(path: str) -> str:
    """Give the path of a folder inside a source; one that leads out is refused."""
    cleaned = path.strip("/") if path != "." else ""
    if path.startswith("/"):
        cleaned = path
    if cleaned:
        check_path(cleaned)
    return cleaned


def _local(source: str) -> Path:
    if source.lower().startswith("file://"):
        return Path(unquote(urlsplit(source).path))
    return Path(source).expanduser()


def _address_at(path: Path, project: Path, *, at_revision: bool) -> Address:
    if not path.exists():
        raise NotFoundError(f"there is nothing at {path}", hint=_HINT)
    path = path.resolve()
    bare = (path / "objects").is_dir() and (path / "HEAD").is_file()
    if at_revision and not (bare or (path / ".git").exists()):
        raise UsageError(
            f"{path} is no repository, so it has no revisions",
            hint="Leave --at out, or name the repository.",
        )
    text = Path(os.path.relpath(path, project.resolve())).as_posix()
    return Address(text, path, git=bare or at_revision)


def _scheme(source: str) -> str:
    return source.partition("://")[0].lower() if _URL.match(source) else ""


def _tells_password(source: str) -> bool:
    return bool(_scheme(source)) and urlsplit(source).password is not None


def _host_is_option(source: str) -> bool:
    host = urlsplit(source).netloc if _scheme(source) else source.partition(":")[0]
    return host.rpartition("@")[2].startswith("-")


_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda one: not one.strip(), "is empty"),
    (lambda one: one.startswith("-"), "looks like an option"),
    (lambda one: bool(_CONTROL.search(one)), "has a line break or control character"),
    (lambda one: bool(_HELPER.match(one)), "would run a program"),
    (
        lambda one: _scheme(one) not in ("", *SCHEMES),
        f"is reached by none of {', '.join(SCHEMES)}",
    ),
    (_tells_password, "holds a password, and the lock is shared"),
    (_host_is_option, "has a host that looks like an option"),
    (
        lambda one: _scheme(one) == "file" and bool(urlsplit(one).netloc),
        "names a file on another machine",
    ),
)
"""What is refused about a source, in the order in which it is looked for."""
