"""The snapshot document: the one JSON that file, site, dashboard and viewer read.

A reader opens it in two steps. The index holds, as columns, what a list of all
experiences shows and searches. The blocks hold everything else, a few hundred
kilobytes each, and are only decoded when one of their experiences is opened; so
a hundred thousand experiences cost a browser no more than their index.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from experience_pack.model.record import Json

FORMAT = "snapshot"
VERSION = (1, 1)

BLOCK_CHARS = 192 * 1024
"""Characters after which a block is closed: deflate gains under 1 % beyond it, and a
browser inflates and parses that much in about 3 ms when an experience is opened."""

DEFLATE_LEVEL = 5
"""zlib level: on random sentences 5 writes 18 % less than 1 for 1.6 times its CPU
time; 6 saves 3 % more, but takes 1.4 times as long as 5."""

DESCRIPTION_CHARS = 140
"""How much of a description the list carries; a row shows no more than this."""

COLUMNS = (
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
    "parent",
)
"""The index in the order in which `_Index.add` gives a row; kind, category, level
and tags are numbers of the names that stand beside the columns."""

DECISION_KEYS = (
    "id",
    "decision",
    "input",
    "class_name",
    "tier",
    "sources",
    "feedback_rating",
    "created_at",
    "skipped",
)
"""What of a decision leaves the house: candidates and rejections may quote the
request that the mask hides."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class SnapshotRow(NamedTuple):
    """One experience as the store gives it to a snapshot."""

    id: str
    """Identity; what deep links and relations name."""
    content: str
    """JSON text of the content, defaults left out."""
    name: str
    """Short title."""
    description: str
    """What it is and when it helps."""
    kind: str
    """One of `KINDS`, or one that this release does not know."""
    category: str
    """Area of work."""
    family: str
    """Group of variants of the same task; empty if it has none."""
    tags: tuple[str, ...]
    """Tags of the context it belongs to."""
    words: str
    """More text to be found by: keywords, triggers, family."""
    level: str
    """`automatic`, `learning`, `raw` or `sleeping`."""
    score: float
    """Confidence, 0 to 1."""
    updated_at: str
    """Time of the last change."""
    parent_id: str
    """Id of the more general variant; empty if it has none."""
    standing: Mapping[str, Json]
    """What was earned here, for the detail view."""
    versions: Sequence[Mapping[str, Json]]
    """Newest first: `{id, note, created_at, changes}`, a change being `{path, op,
    before?, after?}`."""
    backlinks: Sequence[tuple[str, str]]
    """`(relation, id)` of every experience that points here."""


def build_document(  # noqa: PLR0913 - one keyword for each part of the document
    rows: Iterable[SnapshotRow],
    *,
    title: str,
    generated_at: str,
    language: str,
    decisions: Sequence[Mapping[str, Json]] = (),
    activity: Mapping[str, Json] | None = None,
    goals: Sequence[Mapping[str, Json]] = (),
    mask_len: int = 80,
    episodes: Mapping[str, Mapping[str, Json]] | None = None,
) -> dict[str, Json]:
    """Give the document as plain JSON values; rows are read once, in their order.

    `language` is `en`, `zh`, or empty for the reader's own. Requests in decisions
    are cut to `mask_len` characters, 0 hides them. An episode travels in the block
    of each experience that cites it.
    """
    index = _Index()
    details = _Details(episodes or {})
    for row in rows:
        index.add(row)
        details.add(row)
    details.close()
    return {
        "format": FORMAT,
        "version": list(VERSION),
        "title": title,
        "generated_at": generated_at,
        "language": language,
        "counts": index.counts(),
        "index": pack_block(_encode(index.columns())),
        "starts": details.starts,
        "blocks": details.blocks,
        "decisions": [masked(decision, mask_len) for decision in decisions],
        "activity": dict(activity or {}),
        "goals": [*goals],
        "mask_len": mask_len,
    }


def pack_block(text: str) -> str:
    """Give JSON text as base64 of raw deflate (RFC 1951)."""
    squeezed = zlib.compress(text.encode(), DEFLATE_LEVEL, wbits=-zlib.MAX_WBITS)
    return b64encode(squeezed).decode("ascii")


def open_block(block: str) -> Json:
    """Give the JSON value of an index or detail block."""
    return json.loads(zlib.decompress(b64decode(block), wbits=-zlib.MAX_WBITS))


def masked(decision: Mapping[str, Json], length: int) -> dict[str, Json]:
    """Give what may leave the house of a decision, its request cut."""
    found = {key: decision[key] for key in DECISION_KEYS if key in decision}
    request = found.get("input", "")
    if len(request) > length:
        found["input"] = request[:length] + "…"
    return found


class _Numbers(dict[str, int]):
    """Names by the order in which they were first asked for."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number

    def counted(self, column: Iterable[int]) -> dict[str, int]:
        """Give how often each name stands in a column of numbers."""
        counts = Counter(column)
        return {name: counts[number] for name, number in self.items()}


class _Index:
    """Columns of what the list shows, sorts by and searches."""

    def __init__(self) -> None:
        self.kinds, self.categories = _Numbers(), _Numbers()
        self.levels, self.tags = _Numbers(), _Numbers()
        self.families = _Numbers()
        self.rows: list[tuple[Json, ...]] = []

    def add(self, row: SnapshotRow) -> None:
        self.rows.append(
            (
                row.id,
                row.name,
                shortened(row.description),
                self.kinds[row.kind],
                self.categories[row.category],
                self.levels[row.level],
                round(row.score, 4),
                [self.tags[tag] for tag in row.tags],
                row.updated_at,
                row.words,
                self.families[row.family],
                row.parent_id,
            )
        )

    def columns(self) -> dict[str, Json]:
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(COLUMNS)
        named: dict[str, Json] = dict(zip(COLUMNS, columns, strict=True))
        place = {identity: at for at, identity in enumerate(named["id"])}
        named["parent"] = [place.get(parent, -1) for parent in named["parent"]]
        return {
            **named,
            "families": list(self.families),
            "kinds": list(self.kinds),
            "categories": list(self.categories),
            "levels": list(self.levels),
            "tag_names": list(self.tags),
        }

    def counts(self) -> dict[str, Json]:
        return {
            "experiences": len(self.rows),
            "kinds": self.kinds.counted(row[3] for row in self.rows),
            "categories": self.categories.counted(row[4] for row in self.rows),
            "levels": self.levels.counted(row[5] for row in self.rows),
        }


def shortened(text: str) -> str:
    """Give as much of a description as a list carries."""
    if len(text) <= DESCRIPTION_CHARS:
        return text
    return text[: DESCRIPTION_CHARS - 1].rstrip() + "…"


class _Details:
    """Blocks of everything that is read one experience at a time."""

    def __init__(self, episodes: Mapping[str, Mapping[str, Json]]) -> None:
        self.starts: list[int] = []
        self.blocks: list[str] = []
        self._episodes = episodes
        self._count = 0
        self._open()

    def _open(self) -> None:
        self._rows: list[str] = []
        self._cited: dict[str, Mapping[str, Json]] = {}
        self._size = 0

    def add(self, row: SnapshotRow) -> None:
        """Add a row; its content is text already and is not parsed again."""
        earned = _encode(
            {
                "standing": row.standing,
                "versions": row.versions,
                "backlinks": row.backlinks,
            }
        )
        text = f'{{"content":{row.content},{earned[1:]}'
        self._rows.append(text)
        self._size += len(text) + self._cite(row.content)
        self._count += 1
        if self._size >= BLOCK_CHARS:
            self.close()

    def _cite(self, content: str) -> int:
        """Take along the episodes that a content names; give their length."""
        if not self._episodes or '"episode_id' not in content:
            return 0
        found = self._episodes.keys() & set(content.split('"')) - self._cited.keys()
        self._cited.update((name, self._episodes[name]) for name in sorted(found))
        return sum(len(self._episodes[name].get("text", "")) for name in found)

    def close(self) -> None:
        """Pack what has gathered since the last block, if anything has."""
        if not self._rows:
            return
        rows = ",".join(self._rows)
        self.starts.append(self._count - len(self._rows))
        self.blocks.append(
            pack_block(f'{{"rows":[{rows}],"episodes":{_encode(self._cited)}}}')
        )
        self._open()
