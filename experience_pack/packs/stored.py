"""The files of a pack that still lie in a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from experience_pack.formats.names import path_key
from experience_pack.packs.layout import SKILLS, LazyFiles
from experience_pack.store import packing
from experience_pack.store.connection import Snapshot


class StoredFiles(LazyFiles):
    """Cards, skills and evidence, read when they are reached; beside what was made.

    It lasts as long as the snapshot.
    """

    def __init__(self, db: Snapshot) -> None:
        self._db = db
        self._made: dict[str, bytes] = {}
        packing.begin(db)

    def list(self, candidates: Iterable[str], part: str, seq: int) -> str:
        """List a row's text under the first path that is free; give the path."""
        for path in candidates:
            if packing.add(self._db, path, path_key(path), part, seq):
                return path
        raise AssertionError("candidates do not end")

    def make(self, path: str, data: bytes) -> None:
        """Add a file that no row has."""
        packing.add(self._db, path, path_key(path), packing.MADE, 0)
        self._made[path] = data

    def __getitem__(self, path: str) -> bytes:
        found = packing.text(self._db, path)
        if found is None:
            raise KeyError(path)
        return self._data(*found)

    def __iter__(self) -> Iterator[str]:
        return packing.paths(self._db)

    def __len__(self) -> int:
        return packing.count(self._db)

    def each(self) -> Iterator[tuple[str, bytes]]:
        """Give every path and its bytes, by path."""
        for text in packing.texts(self._db):
            yield text[0], self._data(*text)

    def _data(self, path: str, data: bytes | None, skill_name: str) -> bytes:
        """Give the bytes; a skill has to say the name of its folder."""
        if data is None:
            return self._made[path]
        if not skill_name or path == skill_path(skill_name):
            return data
        said, folder = f"name: {skill_name}\n", f"name: {path.split('/')[1]}\n"
        return data.replace(said.encode(), folder.encode(), 1)


def skill_path(name: str) -> str:
    """Give where the skill of a name is."""
    return f"{SKILLS}{name}/SKILL.md"
