"""What the dashboard shows and takes once the token was right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from experience_pack.errors import FormatError, LockedError
from experience_pack.formats.canonical import digest
from experience_pack.formats.card import render_experience
from experience_pack.learning import review
from experience_pack.model import Json
from experience_pack.packs.scan import scan
from experience_pack.snapshot.live import LiveSnapshot
from experience_pack.store import experiences, standings
from experience_pack.workspace.folder import Folder

MOST_WAITING = 50
"""Texts that wait and are listed at once: more is nobody's reading for one sitting."""


class Data:
    """A workspace as the dashboard reads it, and writes the one thing that it may."""

    def __init__(self, folder: Folder) -> None:
        self._store = folder.store
        self.live = LiveSnapshot(
            folder.store,
            title=folder.name,
            language=str(folder.config["language"]),
            mask_len=int(folder.config["mask_len"]),
            error_budget=float(folder.config["error_budget"]),
        )

    def waiting(self) -> dict[str, Json]:
        """Give `{count, items}` of what waits for a person, with its exact text."""
        found = review.waiting(self._store, standings.seen_here(self._store))
        listed = [one.id for one in islice(found, MOST_WAITING)]
        return {"count": len(found), "items": [self._item(one) for one in listed]}

    def _item(self, identity: str) -> dict[str, Json]:
        one = experiences.get(self._store, identity)
        flags = [f"{flag.path}: {flag.excerpt} ({flag.rule})" for flag in scan([one])]
        return {
            "id": one.id,
            "name": one.name,
            "kind": one.kind,
            "digest": digest(one.content()),
            "text": render_experience(one),
            "look_twice": flags,
        }

    def approve(self, said: Json) -> dict[str, Json]:
        """Approve the text with a digest; another one by now is a `LockedError`."""
        if not isinstance(said, Mapping):
            raise FormatError("the request", [("", "expected an object")])
        identity, read = said.get("id"), said.get("digest")
        if not isinstance(identity, str) or not isinstance(read, str):
            raise FormatError("the request", [("", "expected id and digest as texts")])
        one = experiences.get(self._store, identity)
        if digest(one.content()) != read:
            raise LockedError(f"{one.name} changed while it was read")
        with self._store.transaction() as tx:
            review.confirm_exact(self._store, tx, one)
        return {"approved": one.id}
