"""Bring cards and store together without losing a word of either."""

from __future__ import annotations

import time
from dataclasses import replace

from experience_pack.errors import AccessError, FormatError, VersionError
from experience_pack.learning import review
from experience_pack.model import new_id
from experience_pack.store import (
    Transaction,
    cards,
    experiences,
    outbox,
    tombstones,
    versions,
)
from experience_pack.store.cards import CardState
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror.judge import Digests, judge
from experience_pack.workspace.mirror.report import Report
from experience_pack.workspace.mirror.scan import CardFile, read_card, scan, settled
from experience_pack.workspace.mirror.writer import drain

TAKE = ("", "cards", "store")
"""Who wins where a person has to decide: nobody, the cards, or the store."""

_TAKEN_FROM_CARDS = ("older", "conflict", "deleted")


def sync(
    folder: Folder, *, check: bool = False, take: str = "", restore: bool = False
) -> Report:
    """Take in edited cards, write waiting ones, and report what needs a person.

    With `check` nothing is changed. `take` decides conflicts for the `cards` or the
    `store`; `restore` writes missing cards again.
    """
    assert take in TAKE
    report = Report(check=check)
    if check:
        _Sync(folder, report, take="").look()
        return report
    with folder.locked():
        run = _Sync(folder, report, take=take)
        run.look()
        run.store_findings()
        if restore:
            run.restore_missing()
        drain(folder, report, force=take == "store")
    return report


class _Sync:
    """One run: look at every card, collect what follows, store it at once."""

    def __init__(self, folder: Folder, report: Report, *, take: str) -> None:
        self._folder = folder
        self._store = folder.store
        self._report = report
        self._take = take
        self._known = cards.all_states(self._store)
        self._paths = {state.experience_id: path for path, state in self._known.items()}
        self._digests = experiences.digests(self._store)
        self._adopted: list[tuple[CardFile, str]] = []
        self._states: list[CardState] = []
        self._rewrite: list[str] = []
        self._missing: list[CardState] = []
        self._deleted = tombstones.all_of(self._store)

    def look(self) -> None:
        """Compare every card with the store."""
        found = scan(self._folder.cards)
        self._report.cards = len(found.files)
        for closed in found.closed:
            self._report.add("unreadable", closed, detail="may not be opened")
        unread = []
        for path, stat in found.files.items():
            state = self._known.get(path)
            if state is None or state.stat != stat or not state.stat:
                unread.append(path)
        for path in sorted(unread):
            self._look_at(path)
        self._look_for_missing(set(found.files), found.closed)

    def store_findings(self) -> None:
        """Store what the cards brought, in one transaction."""
        if not (self._adopted or self._states or self._rewrite):
            return
        with self._store.transaction() as tx:
            self._adopt(tx)
            cards.put_all(tx, map(_unless_fresh, self._states))
            outbox.put(tx, outbox.CARD, self._rewrite)

    def restore_missing(self) -> None:
        """Have every missing card written again."""
        for state in self._missing:
            self._report.settle("missing", state.path)
        identities = [state.experience_id for state in self._missing]
        with self._store.transaction() as tx:
            cards.forget(tx, identities)
            outbox.put(tx, outbox.CARD, identities)

    def _look_at(self, path: str) -> None:
        try:
            card = read_card(self._folder.cards, path)
        except (FormatError, VersionError) as error:
            self._report.add("broken", path, detail=str(error))
            return
        except AccessError as error:
            self._report.add("unreadable", path, detail=str(error))
            return
        state = self._known.get(path) or self._moved(card)
        if state is None and self._is_copy(card):
            return
        if state is not None and card.experience.id != state.experience_id:
            self._relabelled(card, state)
            return
        self._weigh(card, state)

    def _moved(self, card: CardFile) -> CardState | None:
        """Give the state of a card whose file was moved here by hand."""
        old = self._paths.get(card.experience.id)
        if old is None or (self._folder.cards / old).exists():
            return None
        self._report.add("moved", card.path, card.experience.id, f"was {old}")
        state = self._known.pop(old)._replace(path=card.path)
        self._known[card.path] = state
        self._paths[card.experience.id] = card.path
        self._states.append(state._replace(stat=""))
        return state

    def _is_copy(self, card: CardFile) -> bool:
        other = self._paths.get(card.experience.id)
        if other is None:
            return False
        self._report.add("duplicate", card.path, card.experience.id, f"as {other}")
        return True

    def _relabelled(self, card: CardFile, state: CardState) -> None:
        """Treat a card whose id was changed as broken: it is two things at once."""
        detail = f"its id was {state.experience_id}; put it back or move the file"
        self._report.add("broken", card.path, state.experience_id, detail)

    def _weigh(self, card: CardFile, state: CardState | None) -> None:
        identity = card.experience.id
        in_store = self._digests.get(identity) if identity else None
        if in_store is None and state is None:
            self._unknown(card)
            return
        mirrored = state.digest if state else None
        verdict = judge(
            Digests(card.digest, mirrored, in_store), self._older(identity, card.digest)
        )
        if verdict in ("same", "ahead"):
            self._states.append(_state_of(card))
            self._rewrite += [identity] if verdict == "ahead" else []
        elif verdict == "edited" or self._decided(verdict):
            self._report.add("edited", card.path, identity)
            self._adopted.append((card, "edited card"))
        elif self._take == "store":
            self._rewrite.append(identity)
        else:
            self._report.add(verdict, card.path, identity)

    def _decided(self, verdict: str) -> bool:
        return self._take == "cards" and verdict in _TAKEN_FROM_CARDS

    def _older(self, identity: str, card_digest: str) -> set[str]:
        if card_digest == self._digests.get(identity):
            return set()
        return versions.digests(self._store, identity)

    def _unknown(self, card: CardFile) -> None:
        """Take in a card that nobody here has seen, unless it was deleted here."""
        deleted = card.experience.id in self._deleted
        if deleted and self._take != "cards":
            self._report.add("deleted", card.path, card.experience.id)
            return
        self._report.add("added", card.path, card.experience.id)
        self._adopted.append((card, "new card"))
        if card.experience.id:
            self._paths[card.experience.id] = card.path

    def _adopt(self, tx: Transaction) -> None:
        by_note: dict[str, list[CardFile]] = {}
        for card, note in self._adopted:
            by_note.setdefault(note, []).append(_with_id(card))
        for note, found in by_note.items():
            experiences.save_all(tx, [card.experience for card in found], note)
            for card in found:
                before = self._digests.get(card.experience.id, "")
                review.carry_over(self._store, tx, card.experience, before)
            self._states += map(_state_of, found)
            self._rewrite += [card.experience.id for card in found if not card.digest]

    def _look_for_missing(self, present: set[str], closed: list[str]) -> None:
        pending = {one.subject for one in outbox.waiting(self._store, outbox.CARD)}
        for path, state in self._known.items():
            hidden = any(one == "." or path.startswith(f"{one}/") for one in closed)
            if path in present or hidden or state.experience_id in pending:
                continue
            if state.experience_id in self._digests:
                self._missing.append(state)
                self._report.add("missing", path, state.experience_id)


def _with_id(card: CardFile) -> CardFile:
    """Give a card that came without an id one; its file is then written again."""
    if card.experience.id:
        return card
    named = replace(card.experience, id=new_id())
    return replace(card, experience=named, digest="")


def _state_of(card: CardFile) -> CardState:
    return CardState(card.experience.id, card.path, card.digest, card.sha256, card.stat)


def _unless_fresh(state: CardState) -> CardState:
    """Have a card read again next time if it changed a moment ago."""
    if state.stat and not settled(state.stat, time.time_ns()):
        return state._replace(stat="")
    return state
