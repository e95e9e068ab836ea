"""Look through a workspace: what is damaged or out of step, and what mends it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import ExperiencePackError, IntegrityError
from experience_pack.packs.history import History
from experience_pack.packs.lock import read_lock, settle
from experience_pack.packs.releases import HISTORY
from experience_pack.store import (
    erasing,
    experiences,
    health,
    meanings,
    outbox,
    packs,
)
from experience_pack.workspace import models
from experience_pack.workspace.files import TEMPORARY
from experience_pack.workspace.folder import DATABASE, Folder
from experience_pack.workspace.mirror import drain, sync
from experience_pack.workspace.mirror.report import STATES

_STALE_SECONDS = 3600.0  # nothing of ours takes an hour to write one file
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Ill(NamedTuple):
    """What a finding of one kind means."""

    text: str
    hint: str
    """The next step."""
    mends: bool
    """`mend` does it."""
    attention: bool = True
    """It is to be mended; else it is only said."""


_FIX = "`experience-pack doctor --fix`"

KINDS: Mapping[str, Ill] = {
    "damaged": Ill(
        "the store is damaged",
        "`experience-pack backup restore FILE`; without a backup move exp.db away and "
        "run `experience-pack init`, which reads the cards",
        mends=False,
    ),
    "config": Ill("the settings cannot be read", "bring the file back", mends=False),
    "index": Ill("the search index is not what the experiences say", _FIX, mends=True),
    "renders": Ill("kept cards and skills are not what they say", _FIX, mends=True),
    "orphans": Ill("rows belong to nothing that is here", _FIX, mends=True),
    "compact": Ill("what was forgotten has bytes left in exp.db", _FIX, mends=True),
    "waiting": Ill("cards wait to be written", "`experience-pack sync`", mends=True),
    "cards": Ill(
        "cards and store do not agree", "`experience-pack sync` says more", mends=False
    ),
    "history": Ill(
        "a history is damaged; the store is not touched by that",
        "`experience-pack backup restore FILE`, or move the folder away and "
        "`pack commit` again",
        mends=False,
    ),
    "history-lock": Ill("a killed git left a lock in a history", _FIX, mends=True),
    "packs-lock": Ill(
        "packs.lock.json cannot be read", "bring it back with git", mends=False
    ),
    "packs-behind": Ill("the store waits to write packs.lock.json", _FIX, mends=True),
    "packs-differ": Ill(
        "packs.lock.json names other packs than the store has",
        "`experience-pack pack install`",
        mends=False,
    ),
    "model": Ill(
        "the model that compares meanings is damaged; words are compared",
        "`experience-pack model remove`, then `experience-pack model prepare`",
        mends=False,
    ),
    "vectors": Ill(
        "what is here has no meaning made of it yet",
        "nothing: the next request or import makes it",
        mends=False,
        attention=False,
    ),
    "hosts": Ill(
        "what was installed for a host is not in its settings any more",
        "`experience-pack host install` again, or `experience-pack host uninstall`",
        mends=False,
    ),
    "temporary": Ill("a killed process left unfinished files", _FIX, mends=True),
    "permissions": Ill("this user may not write here", "ask its owner", mends=False),
    "open": Ill("others may read your own workspace", _FIX, mends=True),
    "sqlite": Ill(
        "this SQLite can damage a log when a checkpoint races a writer",
        "nothing: our lock keeps them apart; other programs should not write here",
        mends=False,
        attention=False,
    ),
}
"""Every kind of finding, in the order in which it is looked for."""


class Finding(NamedTuple):
    """One thing that was found."""

    kind: str
    subject: str
    detail: str = ""


def examine(folder: Folder, *, user: bool = False) -> list[Finding]:
    """Give everything that is wrong with a workspace; nothing is written.

    `user` says that it is the user's own, which nobody else may read.
    """
    looks = (*_LOOKS, _open_to_others) if user else _LOOKS
    found = [one for look in looks for one in _look(look, folder)]
    return list(dict.fromkeys(found))


def mend(folder: Folder, *, user: bool = False) -> None:
    """Mend what can be made anew or has no owner; the rest is left as it is."""
    if user:
        folder.path.chmod(stat.S_IRWXU)
    stale = health.stale_derived(folder.store)
    with folder.locked():
        with folder.store.transaction() as tx:
            health.drop_orphans(tx)
            health.remake(tx, stale)
        for history in _histories(folder):
            history.prepare()
        for path in _temporaries(folder):
            _remove(path)
        drain(folder)
        if outbox.waiting(folder.store, erasing.COMPACT):
            erasing.compact(folder.store)
    settle(folder)


def is_ill(finding: Finding) -> bool:
    """Tell whether a finding is to be mended."""
    return KINDS[finding.kind].attention


_Found = Iterator[tuple[str, str, str]]


def _look(look: Callable[[Folder], _Found], folder: Folder) -> Iterator[Finding]:
    """Give what one look finds; where it cannot go on, the store is damaged."""
    try:
        for kind, subject, detail in look(folder):
            yield Finding(kind, subject, detail)
    except IntegrityError as error:
        yield Finding("damaged", DATABASE, str(error))


def _store(folder: Folder) -> _Found:
    orphans = health.orphans(folder.store)
    for one in orphans:
        yield "orphans", one.table, ", ".join(one.subjects)
    dropped = tuple(f" of {one.table} refers" for one in orphans)
    wrong = [
        text
        for text in health.faults(folder.store)
        if not any(words in text for words in dropped)
    ]
    for text in wrong:
        yield "damaged", DATABASE, text
    for item in outbox.waiting(folder.store, erasing.COMPACT):
        yield "compact", item.subject, ""
    for name in () if wrong else health.stale_derived(folder.store):
        yield name, DATABASE, ""


def _meanings(folder: Folder) -> _Found:
    model = models.status(models.default_folder())
    if model.state == models.DAMAGED:
        yield "model", model.id, ""
    if model.state != models.READY:
        return
    if waiting := meanings.count_due(folder.store, model.id):
        yield "vectors", DATABASE, f"{waiting} of {experiences.count(folder.store)}"


def _cards(folder: Folder) -> _Found:
    for item in outbox.waiting(folder.store, outbox.CARD):
        yield "waiting", item.subject, item.last_error
    for one in sync(folder, check=True).attention:
        yield "cards", one.path, one.detail or STATES[one.state].text


def _history(folder: Folder) -> _Found:
    for history in _histories(folder):
        for lock in history.locks():
            yield "history-lock", f"{HISTORY}/{history.path.name}", lock.name
        try:
            history.git("fsck", "--strict", "--no-dangling", "--no-progress")
        except ExperiencePackError as error:
            yield "history", f"{HISTORY}/{history.path.name}", str(error)


def _packs(folder: Folder) -> _Found:
    behind = outbox.waiting(folder.store, packs.LOCK)
    for item in behind:
        yield "packs-behind", item.subject, ""
    try:
        locked = read_lock(folder).packs
    except ExperiencePackError as error:
        yield "packs-lock", "packs.lock.json", str(error)
        return
    here = packs.all_of(folder.store)
    if not behind and locked != here:
        differ = sorted(
            name
            for name in locked.keys() | here.keys()
            if locked.get(name) != here.get(name)
        )
        yield "packs-differ", "packs.lock.json", ", ".join(differ)


def _leftovers(folder: Folder) -> _Found:
    for path in _temporaries(folder):
        yield "temporary", path.relative_to(folder.path).as_posix(), ""


def _rights(folder: Folder) -> _Found:
    for path in (folder.path, *sorted(folder.path.iterdir())):
        if not os.access(path, os.W_OK) and not path.is_symlink():
            yield "permissions", str(path), ""


def _sqlite(_: Folder) -> _Found:
    if health.is_exposed():
        yield "sqlite", f"SQLite {sqlite3.sqlite_version}", ""


def _open_to_others(folder: Folder) -> _Found:
    if os.name == "posix" and folder.path.stat().st_mode & _OTHERS:
        yield "open", str(folder.path), ""


_LOOKS: tuple[Callable[[Folder], _Found], ...] = (
    _store, _meanings, _cards, _history, _packs, _leftovers, _rights, _sqlite,
)  # fmt: skip


def _histories(folder: Folder) -> list[History]:
    return [History(path) for path in sorted((folder.path / HISTORY).glob("*.git"))]


def _temporaries(folder: Folder) -> list[Path]:
    """Give what nobody can be writing any more, the outermost of each."""
    oldest = folder.store.clock() - _STALE_SECONDS
    found = [
        path
        for path in sorted(folder.path.rglob(f"{TEMPORARY}*"))
        if path.lstat().st_mtime < oldest
    ]
    return [path for path in found if not any(one in found for one in path.parents)]


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
