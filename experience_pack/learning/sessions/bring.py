"""Bring the sessions of a host in as episodes: a file is one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from experience_pack.clock import timestamp
from experience_pack.learning.served import SERVED, marked
from experience_pack.learning.sessions.events import SessionHost
from experience_pack.learning.sessions.read import (
    Reading,
    Stood,
    place_of,
    read,
    storable,
)
from experience_pack.learning.sessions.turns import Turn
from experience_pack.model import Episode
from experience_pack.model.ids import derived_id
from experience_pack.store import Reader, Store, Transaction, episodes, sessions
from experience_pack.text.redaction import redact, redact_values

CONVERSATION = "conversation"
"""Type of the episodes: one exchange, and no person has said that it is right."""

REQUEST_CHARS = 16_384  # a longer request is a document that was pasted
REPLY_CHARS = 65_536  # of a longer reply the end is kept: there is the outcome
STEPS = 200  # a longer trajectory comes up once


class Brought(NamedTuple):
    """What one file held, and what became of it."""

    path: Path
    new: int = 0
    changed: int = 0
    """Turns that had grown, or that a hook had kept without their steps."""
    gone: int = 0
    """Turns that the person took back since."""
    broken: Sequence[int] = ()
    """Numbers of lines that could not be read."""
    failure: str = ""
    """Why the file could not be read at all."""


def files_of(host: SessionHost, paths: Sequence[Path]) -> list[Path]:
    """Give the session files that paths name: files, and folders with all in them."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return found or [*host.files(Path.home())]


def of_project(host: SessionHost, files: Iterable[Path], root: Path) -> list[Path]:
    """Give those files whose session was in a project folder or below it."""
    return [path for path in files if _belongs(_place(path, host), root)]


def bring(
    store: Store, host: SessionHost, files: Iterable[Path], *, write: bool = True
) -> Iterator[Brought]:
    """Keep the turns of each file, and say what became of it; once more, nothing.

    Without `write` only that is said. What a person has validated is not removed.
    """
    for path in files:
        try:
            reading = read(path, host, _stood(store, host, path))
        except OSError as error:
            yield Brought(path, failure=error.strerror or str(error))
            continue
        if reading is None:
            yield Brought(path)
        elif write:
            with store.transaction() as tx:
                kept = _kept(tx, host, path, reading)
            yield kept
        else:
            yield _changes(store, host, path, reading).brought


class _Changes(NamedTuple):
    brought: Brought
    put: list[Episode]
    removed: list[str]


def _kept(tx: Transaction, host: SessionHost, path: Path, reading: Reading) -> Brought:
    changes = _changes(tx, host, path, reading)
    episodes.put_all(tx, changes.put)
    episodes.remove(tx, changes.removed)
    sessions.stands(tx, host.name, storable(str(path)), tuple(reading.stands))
    return changes.brought


def _changes(db: Reader, host: SessionHost, path: Path, reading: Reading) -> _Changes:
    session = reading.stands.session or storable(path.stem)
    known = episodes.of_session(db, session)
    by_turn = {one.meta["turn"]: one for one in known if "turn" in one.meta}
    hooked = [one for one in known if "turn" not in one.meta]
    put, new = [], 0
    for turn in reading.turns:
        made = _episode(host.name, session, turn)
        old = by_turn.get(turn.name) or _taken(hooked, made)
        new += old is None
        joined = _joined(old, made) if old else made
        if joined != old:
            put.append(marked(db, joined))
    removed = [
        one.id
        for name, one in by_turn.items()
        if name in reading.gone and not one.user_validated
    ]
    brought = Brought(path, new, len(put) - new, len(removed), reading.broken)
    return _Changes(brought, put, removed)


def _episode(host: str, session: str, turn: Turn) -> Episode:
    known: dict[str, Any] = {
        "host": host,
        "session": session,
        "turn": turn.name,
        "request": turn.request,
        "trajectory": turn.trajectory[:STEPS],
    }
    meta = redact_values({name: value for name, value in known.items() if value})
    return Episode(
        id=derived_id("epi", host, session, turn.name),
        type=CONVERSATION,
        text=redact(turn.reply).text[-REPLY_CHARS:],
        meta={**meta, "request": meta["request"][:REQUEST_CHARS]},
        created_at=_moment(turn.at),
    )


def _taken(hooked: list[Episode], made: Episode) -> Episode | None:
    """Take what a hook kept of the same turn out of the list; the first of several."""
    for one in hooked:
        if one.meta.get("request") == made.meta["request"]:
            hooked.remove(one)
            return one
    return None


def _joined(old: Episode, made: Episode) -> Episode:
    """Give what is known of a turn now; words about its text hold for the same text."""
    same = old.text == made.text
    said = {SERVED: old.meta[SERVED]} if same and SERVED in old.meta else {}
    return replace(
        made,
        id=old.id,
        user_validated=old.user_validated and same,
        meta={**made.meta, **said},
        created_at=old.created_at,
    )


def _stood(store: Store, host: SessionHost, path: Path) -> Stood | None:
    row = sessions.stood(store, host.name, storable(str(path)))
    return Stood(*row) if row else None


def _place(path: Path, host: SessionHost) -> str:
    try:
        return place_of(path, host)
    except OSError:
        return ""


def _belongs(place: str, root: Path) -> bool:
    if place == hashlib.sha256(str(root).encode()).hexdigest():
        return True  # all that Gemini CLI says of a project
    return bool(place) and Path(place).is_relative_to(root)


def _moment(stated: str) -> str:
    try:
        found = datetime.fromisoformat(stated)
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return timestamp(aware.timestamp())
    except (ValueError, OverflowError, OSError):
        return ""
