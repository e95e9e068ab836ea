"""Write what waits in the outbox to the cards, one touched file at a time."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from experience_pack.errors import ExperiencePackError, FormatError, VersionError
from experience_pack.formats.names import card_path, numbered, path_key
from experience_pack.model import short_id, without_collector
from experience_pack.store import Reader, cards, experiences, outbox, versions
from experience_pack.store.cards import CardState
from experience_pack.workspace.files import write_file
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror.report import Report
from experience_pack.workspace.mirror.scan import (
    file_sha256,
    read_card,
    settled,
    signature,
)

_BULK = 20  # from here on cards are rebuildable bulk, written without fsync
_BATCH = 500


class _Due(NamedTuple):
    """One card that waits to be written, or removed where `stored` is None."""

    waiting: outbox.Waiting
    stored: experiences.Card | None
    state: CardState | None


Watch = Callable[[Sequence[Any]], Iterable[Any]]
"""Gives the items it gets, one after another; a person may look on."""


@without_collector()
def drain(
    folder: Folder,
    report: Report | None = None,
    *,
    force: bool = False,
    watch: Watch = iter,
) -> int:
    """Write every card that waits; give how many were written or removed.

    A file that a person changed since is never written over (with `force` it is):
    the card stays in the outbox with the reason, and `report` names the conflict.
    """
    report = report if report is not None else Report()
    waiting = outbox.waiting(folder.store, outbox.CARD)
    if not waiting:
        return 0
    durable = len(waiting) < _BULK
    writer = _Writer(folder, report, durable=durable, force=force)
    for at in watch(range(0, len(waiting), _BATCH)):
        writer.write_batch(waiting[at : at + _BATCH])
    return writer.count


class _Writer:
    def __init__(
        self, folder: Folder, report: Report, *, durable: bool, force: bool
    ) -> None:
        self._root = folder.cards
        self._store = folder.store
        self._report = report
        self._durable = durable
        self._force = force
        self._states = cards.by_experience(self._store)
        self._taken = {
            path_key(state.path): state.experience_id for state in self._states.values()
        }
        self._names = _Names(self._store)
        self.count = 0

    def write_batch(self, waiting: Sequence[outbox.Waiting]) -> None:
        done: list[outbox.Waiting] = []
        failed: list[tuple[outbox.Waiting, str]] = []
        written: list[CardState] = []
        for due in self._due(waiting):
            try:
                state = self._write(due)
            except ExperiencePackError as error:
                failed.append((due.waiting, str(error)))
                continue
            if state is not None:
                written.append(state)
            done.append(due.waiting)
        with self._store.transaction() as tx:
            cards.put_all(tx, self._checked(written))
            gone = [one.subject for one in done if one.subject not in self._states]
            cards.forget(tx, gone)
            outbox.done(tx, done)
            for item, reason in failed:
                outbox.failed(tx, item, reason)

    def _due(self, waiting: Sequence[outbox.Waiting]) -> Iterator[_Due]:
        subjects = [item.subject for item in waiting]
        stored = {one.id: one for one in experiences.cards_many(self._store, subjects)}
        self._names.load(subjects)
        for item in waiting:
            yield _Due(item, stored.get(item.subject), self._states.get(item.subject))

    def _write(self, due: _Due) -> CardState | None:
        """Write one card; give its new state, or None where it has none."""
        if due.stored is None:
            self._remove(due)
            return None
        if due.state is not None and due.state.digest == due.stored.digest:
            return None
        self._refuse_to_lose(due)
        path = self._path(due.stored.id, due.state)
        data = due.stored.text.encode("utf-8")
        target = self._root / path
        write_file(target, data, durable=self._durable)
        if due.state is not None and due.state.path != path:
            (self._root / due.state.path).unlink(missing_ok=True)
            self._taken.pop(path_key(due.state.path), None)
        self._report.add("written", path, due.stored.id)
        self.count += 1
        state = CardState(
            due.stored.id,
            path,
            due.stored.digest,
            hashlib.sha256(data).hexdigest(),
            signature(target),
        )
        self._states[due.stored.id] = state
        return state

    def _remove(self, due: _Due) -> None:
        if due.state is None:
            return
        self._refuse_to_lose(due)
        (self._root / due.state.path).unlink(missing_ok=True)
        del self._states[due.state.experience_id]
        self._taken.pop(path_key(due.state.path), None)
        self._report.add("removed", due.state.path, due.state.experience_id)
        self.count += 1

    def _refuse_to_lose(self, due: _Due) -> None:
        if due.state is None or self._force:
            return
        found = file_sha256(self._root / due.state.path)
        if found not in (None, due.state.sha256):
            path, identity = due.state.path, due.state.experience_id
            detail = "the card was edited by hand, and the store changed too"
            self._report.add("conflict", path, identity, detail)
            raise ConflictError(f"{path}: {detail}")

    def _path(self, identity: str, state: CardState | None) -> str:
        """Give the path for a card: the one it has if a person chose it."""
        ending = f"-{short_id(identity)}.md"
        if state is not None and not state.path.endswith(ending):
            return state.path
        for path in self._names.paths(identity):
            owner = self._taken.get(path_key(path))
            occupied = owner is None and (self._root / path).exists()
            free = owner is None and not occupied
            if owner == identity or free or (occupied and self._ours(path, identity)):
                self._taken[path_key(path)] = identity
                return path
        raise AssertionError("an id always leads to a path of its own")

    def _ours(self, path: str, identity: str) -> bool:
        """Tell whether a file is a card that we wrote just before we were stopped."""
        try:
            card = read_card(self._root, path)
        except (FormatError, VersionError):
            return False
        known = versions.digests(self._store, identity)
        return card.experience.id == identity and card.digest in known

    def _checked(self, written: Sequence[CardState]) -> Iterator[CardState]:
        """Leave the signature out where a later change could go unnoticed."""
        for state in written:
            try:
                stat = signature(f"{self._root}/{state.path}")
            except OSError:
                stat = ""
            if stat != state.stat or not settled(stat, time.time_ns()):
                stat = ""
            yield state._replace(stat=stat)


class ConflictError(ExperiencePackError):
    """A card was edited since it was written."""

    exit_code = 11


class _Names:
    """Canonical paths of cards: `<category>/[<parent>/]<name>-<id>.md`."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._entries: dict[str, experiences.Entry] = {}

    def load(self, identities: Sequence[str]) -> None:
        self._entries = experiences.entries_of(self._store, identities)
        parents = {entry.parent_id for entry in self._entries.values()} - {""}
        self._entries.update(experiences.entries_of(self._store, sorted(parents)))

    def paths(self, identity: str) -> Iterator[str]:
        """Give the path, then longer ones for when it is taken."""
        entry = self._entries[identity]
        parent = self._entries.get(entry.parent_id)
        of_parent = (parent.name, parent.id) if parent else ("", "")
        return numbered(card_path(entry.name, identity, entry.category, of_parent))
