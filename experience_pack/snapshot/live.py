"""A snapshot that follows its store: its blocks are made when they are opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from experience_pack.model import Json
from experience_pack.snapshot.blocks import Episodes, block_key, earned_of, pack_rows
from experience_pack.snapshot.row import SnapshotRow
from experience_pack.snapshot.rows import cited_in, contents_of, snapshot_of
from experience_pack.store import Store


class LiveSnapshot:
    """The document of a store as it is now, and the blocks that it names."""

    def __init__(self, store: Store, **look: Any) -> None:
        """Take the keywords of `snapshot_of` that say how it looks."""
        self._store = store
        self._look = look
        self._lock = Lock()
        self._stamp = ""
        self._document: dict[str, Json] = {}
        self._parts: dict[str, list[SnapshotRow]] = {}
        self._episodes: Episodes = {}

    def document(self) -> tuple[str, Mapping[str, Json]]:
        """Give the document and a stamp that changes whenever the store does."""
        with self._lock:
            stamp = self._store.stamp()
            if stamp != self._stamp:
                self._read()
                self._stamp = stamp
            return self._stamp, self._document

    def _read(self) -> None:
        self._parts = {}
        with self._store.snapshot():
            self._episodes = cited_in(self._store)
            self._document = snapshot_of(self._store, **self._look, filed=self._filed)

    def block(self, file: str) -> str | None:
        """Give a block that the last document names; None if it is out of date."""
        with self._lock, self._store.snapshot():
            part = self._parts.get(file)
            if part is None or self._store.stamp() != self._stamp:
                return None
            return pack_rows(contents_of(self._store, part), self._episodes)

    def _filed(self, part: Sequence[SnapshotRow]) -> str:
        facts = [(row.digest, earned_of(row)) for row in part]
        name = f"api/blocks/{block_key(part, facts)}"
        self._parts[name] = [*part]
        return name
