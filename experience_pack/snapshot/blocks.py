"""Blocks of everything in a snapshot that is read one experience at a time."""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence

from experience_pack.model import Json
from experience_pack.snapshot.row import SnapshotRow

BLOCK_CHARS = 192 * 1024
"""Characters after which a block is closed: deflate gains under 1 % beyond it, and a
browser inflates and parses that much in about 3 ms when an experience is opened."""

BLOCK_PLACES = 256
"""Places that share a block, about as many experiences as fill one: what is changed
in one then leaves the others as they are. 128 make a file 2 % larger, 512 none less."""

DEFLATE_LEVEL = 6
"""zlib level: on random sentences 5 writes 18 % less than 1 for 1.6 times its CPU
time; 6 saves 3 % more, but takes 1.4 times as long as 5."""

Episodes = Mapping[str, Mapping[str, Json]]
"""Episodes by id, as their JSON."""

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def divided(
    rows: Iterable[SnapshotRow], episodes: Episodes
) -> Iterator[list[SnapshotRow]]:
    """Give the rows of each block; a block ends with its places, or when it is full."""
    part: list[SnapshotRow] = []
    size, last = 0, -1
    for row in rows:
        if part and (row.place // BLOCK_PLACES != last or size >= BLOCK_CHARS):
            yield part
            part, size = [], 0
        part.append(row)
        size += row.size + _cited_chars(row, episodes)
        last = row.place // BLOCK_PLACES
    if part:
        yield part


def block_key(part: Sequence[SnapshotRow], facts: object) -> str:
    """Give the name of a block: other facts give it another name."""
    said = repr(facts).encode("utf-8", "replace")
    return f"{part[0].place}-{hashlib.sha256(said).hexdigest()[:16]}"


def pack_rows(rows: Sequence[SnapshotRow], episodes: Episodes) -> str:
    """Give rows as a block, with the episodes that they cite."""
    found = {name for row in rows for name in _cited(row, episodes)}
    cited = {name: episodes[name] for name in sorted(found)}
    text = ",".join(map(_row_text, rows))
    return pack_block(f'{{"rows":[{text}],"episodes":{encode(cited)}}}')


def pack_block(text: str) -> str:
    """Give JSON text as base64 of raw deflate (RFC 1951)."""
    squeezed = zlib.compress(text.encode(), DEFLATE_LEVEL, wbits=-zlib.MAX_WBITS)
    return b64encode(squeezed).decode("ascii")


def open_block(block: str) -> Json:
    """Give the JSON value of an index or detail block."""
    return json.loads(zlib.decompress(b64decode(block), wbits=-zlib.MAX_WBITS))


def _row_text(row: SnapshotRow) -> str:
    """Give a row; its content is text already and is not parsed again."""
    earned = encode(earned_of(row))
    return f'{{"content":{row.content},{earned[1:]}'


def earned_of(row: SnapshotRow) -> dict[str, Json]:
    """Give what a block says of an experience beside its content."""
    return {
        "standing": row.standing,
        "versions": row.versions,
        "backlinks": row.backlinks,
    }


def _cited(row: SnapshotRow, episodes: Episodes) -> set[str]:
    """Give the ids of the episodes that a row's content names."""
    if not episodes or '"episode_id' not in row.content:
        return set()
    return episodes.keys() & set(row.content.split('"'))


def _cited_chars(row: SnapshotRow, episodes: Episodes) -> int:
    return sum(len(episodes[name].get("text", "")) for name in _cited(row, episodes))
