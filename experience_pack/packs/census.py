"""What a pack or a store holds, counted by table and field, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from experience_pack.formats.canonical import canonical
from experience_pack.formats.strict_json import loads
from experience_pack.model import Json, Omission, Record
from experience_pack.packs.incoming import Incoming
from experience_pack.store import Reader, census, experiences
from experience_pack.store.census import Rows

Holdings = Mapping[str, Rows]
"""Rows by table."""


class Compared(NamedTuple):
    """Two holdings side by side."""

    census: dict[str, Json]
    """As `Certificate.census` has it."""
    omissions: tuple[Omission, ...]
    """What is missing afterwards, without reasons yet."""


def of_incoming(incoming: Incoming) -> Holdings:
    """Give what a pack brings."""
    return {
        "experiences": {one.experience.id: one.text for one in incoming.prepared},
        "versions": {
            f"{one.experience.id} {one.digest}": "{}" for one in incoming.prepared
        },
        "standing": {
            f"{installation} {identity}": _text(standing)
            for (installation, identity), standing in incoming.standing
        },
        "episodes": {one.id: _text(one) for one in incoming.episodes},
        "tombstones": {one.id: _text(one) for one in incoming.tombstones},
    }


def of_store(db: Reader, members: Collection[str] | None = None) -> Holdings:
    """Give what a store holds: all of it, or what belongs to some experiences."""
    if members is None:
        return census.everything(db)
    found = experiences.get_many(db, [*members])
    cited = {episode for one in found.values() for episode in one.episodes()}
    areas = {one.category for one in found.values()}
    return {
        **census.owned_by(db, found),
        "episodes": census.shared(db, "episodes", sorted(cited)),
        "categories": census.shared(db, "categories", sorted(areas)),
    }


def compare(before: Holdings, after: Holdings) -> Compared:
    """Count both by table and field, and name what is only before."""
    counted = {
        table: _counts(rows, after.get(table, {})) for table, rows in before.items()
    }
    found = [
        one
        for table, rows in before.items()
        for one in _missing(table, rows, after.get(table, {}))
    ]
    return Compared(counted, tuple(found))


def _counts(before: Rows, after: Rows) -> dict[str, Json]:
    kept = {key: after[key] for key in before if key in after}
    first, second = _fields(before), _fields(kept)
    return {
        "rows": [len(before), len(kept)],
        "fields": {name: [first[name], second[name]] for name in sorted(first)},
    }


def _missing(table: str, before: Rows, after: Rows) -> Iterator[Omission]:
    gone = sum(key not in after for key in before)
    if gone:
        yield Omission(table=table, count=gone)
    lost: Counter[str] = Counter()
    for key, text in before.items():
        if key in after and after[key] != text:
            lost.update(_changed(text, after[key]))
    yield from (
        Omission(table=table, field=name, count=count)
        for name, count in sorted(lost.items())
    )


def _changed(before: str, after: str) -> Iterator[str]:
    first, second = dict(_leaves(before)), dict(_leaves(after))
    return (name for name, value in first.items() if second.get(name) != value)


def _fields(rows: Rows) -> Counter[str]:
    return Counter(name for text in rows.values() for name, _ in _leaves(text))


def _leaves(text: str) -> Iterator[tuple[str, Json]]:
    """Give the fields of a row that say something; parts of a part by its name too."""
    for key, value in loads(text, "row").items():
        if isinstance(value, dict) and value:
            yield from ((f"{key}.{name}", part) for name, part in value.items())
        elif value not in ("", None, [], {}):
            yield key, value


def _text(record: Record) -> str:
    return canonical(record.to_dict())
