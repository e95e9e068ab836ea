"""Fingerprints of what was put into a model's input or shown as an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from experience_pack.clock import seconds
from experience_pack.store.connection import Reader, Transaction
from experience_pack.text.shingles import prints, stamp

MOST = 200_000
"""Fingerprints that are kept, the first served go first: about 1,000 methods of a
page each, 6 MB."""

_AT_ONCE = 500  # values of one question; SQLite takes at most 999 in old releases


def note(tx: Transaction, text: str) -> None:
    """Keep the fingerprints of a text that is being served; again, nothing changes."""
    whole = stamp(text)
    if _known(tx, [whole], _EVER):
        return
    found = prints(text)
    now = int(seconds(tx.now))
    values = dict.fromkeys([whole, *found.values] if found.values else [])
    known = _known(tx, [*values], _EVER)
    # an ignored row would use up a number, and the last line counts numbers
    tx.run_many(
        "INSERT INTO served (print, at) VALUES (?, ?)",
        [(one, now) for one in values if one not in known],
    )
    tx.run("DELETE FROM served WHERE seq <= (SELECT max(seq) FROM served) - ?", (MOST,))


def share(db: Reader, text: str, before: str = "") -> float:
    """Give how much of a text, 0 to 1, was served before a time, else ever."""
    found = prints(text)
    if not found.values:
        return 0.0
    moment = int(seconds(before)) if before else _EVER
    known = _known(db, found.values, moment)
    covered = {
        unit
        for value, span in zip(found.values, found.spans, strict=True)
        if value in known
        for unit in range(*span)
    }
    return sum(found.weights[unit] for unit in covered) / sum(found.weights)


_EVER = 2**62


def _known(db: Reader, values: Sequence[int], before: int) -> set[int]:
    return {row[0] for part in _parts(values) for row in _asked(db, part, before)}


def _asked(db: Reader, part: Sequence[int], before: int) -> Iterable[Sequence[int]]:
    marks = ", ".join("?" * len(part))
    sql = f"SELECT print FROM served WHERE print IN ({marks}) AND at <= ?"
    return db.rows(sql, (*part, before))


def _parts(values: Sequence[int]) -> Iterable[Sequence[int]]:
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))
