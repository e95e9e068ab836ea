"""The index of a snapshot: as columns, what a list of all experiences shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from experience_pack.model import Json
from experience_pack.snapshot.blocks import encode, pack_block
from experience_pack.snapshot.row import SnapshotRow

_COLUMNS = (
    "id",
    "name",
    "description",
    "kind",
    "category",
    "level",
    "score",
    "tags",
    "updated",
    "words",
    "family",
)


class _Numbers(dict[str, int]):
    """Names by the order in which they were first asked for."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number

    def counted(self, column: Iterable[int]) -> dict[str, int]:
        """Give how often each name stands in a column of numbers."""
        counts = Counter(column)
        return {name: counts[number] for name, number in self.items()}


class Index:
    """Columns of what the list shows, sorts by and searches."""

    def __init__(self) -> None:
        self._kinds, self._categories = _Numbers(), _Numbers()
        self._levels, self._tags = _Numbers(), _Numbers()
        self._families = _Numbers()
        self._parents: list[str] = []
        self._stems: list[str] = []
        self._columns: dict[str, list[Json]] = {name: [] for name in _COLUMNS}

    @property
    def size(self) -> int:
        """Give how many rows there are."""
        return len(self._stems)

    def add(self, rows: Sequence[SnapshotRow]) -> None:
        """Take more rows."""
        tags = self._tags
        for name, values in (
            ("id", [row.id for row in rows]),
            ("name", [row.name for row in rows]),
            ("description", [row.about for row in rows]),
            ("kind", [self._kinds[row.kind] for row in rows]),
            ("category", [self._categories[row.category] for row in rows]),
            ("level", [self._levels[row.level] for row in rows]),
            ("score", [round(row.score, 4) for row in rows]),
            ("tags", [[tags[tag] for tag in row.tags] for row in rows]),
            ("updated", [row.updated_at for row in rows]),
            ("words", [row.words for row in rows]),
            ("family", [self._families[row.family] for row in rows]),
        ):
            self._columns[name] += values
        self._parents += [row.parent_id for row in rows]
        self._stems += [row.stem for row in rows]

    def packed(self, *, stems: bool = False) -> str:
        """Give the columns as a block, with `stems` also the names of their files."""
        more = {"stem": self._stems} if stems else {}
        return pack_block(encode({**self.columns(), **more}))

    def columns(self) -> dict[str, Json]:
        """Give the columns, and the names that their numbers mean.

        Kind, category, level, family and tags are numbers of names, parent that of
        a row.
        """
        place = {identity: at for at, identity in enumerate(self._columns["id"])}
        return {
            **self._columns,
            "parent": [place.get(parent, -1) for parent in self._parents],
            "families": list(self._families),
            "kinds": list(self._kinds),
            "categories": list(self._categories),
            "levels": list(self._levels),
            "tag_names": list(self._tags),
        }

    def counts(self) -> dict[str, Json]:
        """Give how many rows there are, in all and of each kind, category, level."""
        return {
            "experiences": self.size,
            "kinds": self._kinds.counted(self._columns["kind"]),
            "categories": self._categories.counted(self._columns["category"]),
            "levels": self._levels.counted(self._columns["level"]),
        }
