"""Publish the history of a pack to a git remote, and take in what others published.

Git runs in our repository only, by plumbing and fixed words. It asks nobody for a
password: a server that wants to know who you are knows you by your SSH key.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import (
    IntegrityError,
    NotFoundError,
    StorageError,
    UsageError,
)
from experience_pack.packs.address import address_of
from experience_pack.packs.history import BRANCH, TAGS, History, is_tag
from experience_pack.packs.layout import Files
from experience_pack.packs.remote import NETWORK, network_variables
from experience_pack.packs.tree import read_tree
from experience_pack.workspace.folder import Folder


class Pushed(NamedTuple):
    """What a remote has now that it had not before."""

    commit: str
    versions: int
    tags: tuple[str, ...]


def push(folder: Folder, history: History, remote: str, *, tags: bool) -> Pushed:
    """Publish the newest version, and with `tags` every tag, to a git remote.

    A remote that has versions which ours does not come from is a `UsageError`, as is
    a tag that means something else there; nothing is ever forced.
    """
    url = _url(folder, remote)
    head = history.head()
    if head is None:
        raise UsageError(
            f"{history.path.stem} has no recorded version",
            hint=f"`experience-pack pack commit {history.path.stem}` makes one.",
        )
    there = _references(history, url)
    new = _new_tags(history, there, remote) if tags else {}
    known = there.get(BRANCH)
    if known != head:
        _check_follows(history, known, remote)
    elif not new:
        return Pushed(head, 0, ())
    wanted = {f"{TAGS}{tag}": commit for tag, commit in new.items()}
    refspecs = [f"{commit}:{name}" for name, commit in {BRANCH: head, **wanted}.items()]
    quiet = ("--quiet", "--atomic", "--no-verify", "--recurse-submodules=no")
    _talk(history, remote, "push", *quiet, "--", url, *refspecs)
    return Pushed(head, len(history.log(since=known)), tuple(new))


def fetch(folder: Folder, history: History, remote: str) -> tuple[str, Files]:
    """Bring in what a remote has published; give its newest version and its files.

    Only objects come in, each checked.
    """
    url = _url(folder, remote)
    tip = _references(history, url).get(BRANCH)
    if tip is None:
        raise NotFoundError(f"{remote} has no branch main")
    quiet = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    _talk(history, remote, "fetch", *quiet, "--", url, BRANCH)
    return tip, read_tree(history.path, tip)


def is_repository(text: str) -> bool:
    """Tell whether a text names a repository: elsewhere, or a bare one here."""
    path = Path(text)
    if path.exists():
        return (path / "HEAD").is_file() and (path / "objects").is_dir()
    return ":" in text


def _url(folder: Folder, remote: str) -> str:
    address = address_of(remote, folder.path.parent, at_revision=False)
    if not address.git:
        raise UsageError(
            f"{remote} is no bare repository",
            hint=f"`git init --bare {remote}` makes one.",
        )
    return address.url


def _references(history: History, url: str) -> Mapping[str, str]:
    shown = _talk(history, url, "ls-remote", "--quiet", "--", url)
    rows = (line.split("\t", 1) for line in shown.decode("utf-8").splitlines())
    return {name: commit for commit, name in rows}


def _check_follows(history: History, known: str | None, remote: str) -> None:
    if known is None or history.is_ancestor(known):
        return
    raise UsageError(
        f"{remote} has versions that are not here",
        hint=_next_step(history, known, remote),
    )


def _next_step(history: History, known: str, remote: str) -> str:
    name = history.path.stem
    unfinished = history.merging()
    if unfinished and unfinished.theirs == known:
        return f"Decide what waits in `review list`, then `pack commit {name}`."
    return f"`experience-pack pack merge {name} {remote}` first."


def _new_tags(
    history: History, there: Mapping[str, str], remote: str
) -> dict[str, str]:
    found = {}
    for tag, commit in history.tags().items():
        known = there.get(f"{TAGS}{tag}^{{}}") or there.get(f"{TAGS}{tag}")
        if not is_tag(tag):
            raise UsageError(f"{tag!r:.200} is no name for a tag")
        if known not in (None, commit):
            raise UsageError(
                f"the tag {tag} is another version at {remote}",
                hint="A published tag stays; tag the version by a new name.",
            )
        if known is None:
            found[tag] = commit
    return found


def _talk(history: History, remote: str, *arguments: str) -> bytes:
    try:
        return history.git(*arguments, settings=NETWORK, variables=network_variables())
    except IntegrityError as error:
        said = str(error).partition("failed: ")[2]
        raise StorageError(
            f"{remote} could not be reached: {said}",
            hint="Look at the address, and at your right to it; git asks for no "
            "password here.",
        ) from error
