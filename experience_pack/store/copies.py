"""Copies of a store as one file: made while others write, checked, taken over.

A live database is never copied, renamed or written over: both directions go through
SQLite's backup API (sqlite.org/backup.html), so whoever has it open sees the state
before or the state after.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from experience_pack import model
from experience_pack.errors import IntegrityError, VersionError
from experience_pack.store.connection import Store, Transaction, Translated
from experience_pack.store.migrations import (
    MIGRATIONS,
    SCHEMA_VERSION,
    statements,
    version_name,
)
from experience_pack.store.standings import here


class TableSum(NamedTuple):
    """What a table holds."""

    rows: int
    sha256: str
    """Over every row as Python writes it, in the order of the primary key."""


def copy_to(store: Store, path: Path) -> None:
    """Write what the store holds at one moment to a new file without a log."""
    with Translated(path), closing(sqlite3.connect(path)) as target:
        store.connection.backup(target)
        target.execute("PRAGMA journal_mode=DELETE").fetchall()


def check_copy(path: Path) -> dict[str, TableSum]:
    """Give what every table of a copy holds, once the copy is known to be sound.

    A newer schema, or none of ours, is a `VersionError`; tables that we did not
    define, a damaged page or a reference to nothing an `IntegrityError`. The file is
    not written to.
    """
    with Translated(path), _opened(path) as copy:
        _check_schema(copy, path)
        faults = faults_of(copy)
        if faults:
            raise IntegrityError(f"{path.name}: {faults[0]}", hint=_HINT)
        return _sums(copy)


def take_over(store: Store, path: Path) -> None:
    """Have the store hold what a checked copy holds, and nothing else.

    One transaction while every other writer waits; a writer that does not finish
    within 30 s is a `LockedError`.
    """
    with (
        store.alone(),
        Translated(store.path),
        closing(sqlite3.connect(path)) as copy,
    ):
        store.connection.execute("PRAGMA synchronous=FULL")
        copy.backup(store.connection)


def make_own(path: Path) -> None:
    """Bring a copy to this release's schema and give it an installation id of its own.

    The counters and rights here stay with it; the id that it had stays one of mine.
    """
    store = Store.open(path)
    try:
        with store.transaction() as tx:
            _rename_installation(tx)
    finally:
        store.close()


def faults_of(connection: sqlite3.Connection) -> list[str]:
    """Give what is wrong with pages, indexes and references, in words."""
    said = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    lost = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [text for text in said if text != "ok"] + [
        f"row {row} of {table} refers to nothing in {parent}"
        for table, row, parent, _ in lost
    ]


_HINT = "Nothing was written. Use another backup: `experience-pack backup list`."
_MASTER = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    # a copy has no log and nobody writes to it, which `immutable` needs
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA cell_size_check=ON")
        yield connection


def _check_schema(copy: sqlite3.Connection, path: Path) -> None:
    found = copy.execute("PRAGMA user_version").fetchone()[0]
    if found not in dict(MIGRATIONS):
        raise VersionError(
            f"{path.name} has store schema {version_name(found)}; "
            f"this release reads 1.0 to {version_name(SCHEMA_VERSION)}"
        )
    if copy.execute(_MASTER).fetchall() != _tables_of(found):
        raise IntegrityError(f"{path.name} has other tables than ours", hint=_HINT)


def _tables_of(version: int) -> list[tuple[str, ...]]:
    """Give what the database of a schema version defines."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for step, script in MIGRATIONS:
            if step <= version:
                for statement in statements(script):
                    fresh.execute(statement)
        return fresh.execute(_MASTER).fetchall()


def _sums(connection: sqlite3.Connection) -> dict[str, TableSum]:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' "
        "AND name NOT LIKE 'sqlite%' ORDER BY 1"
    ).fetchall()
    return {name: _sum(connection, name) for (name,) in tables}


def _sum(connection: sqlite3.Connection, table: str) -> TableSum:
    digest = hashlib.sha256()
    rows = 0
    for row in connection.execute(f"SELECT * FROM {table}"):
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
        rows += 1
    return TableSum(rows, digest.hexdigest())


def _rename_installation(tx: Transaction) -> None:
    before, after = here(tx), model.new_id("ins")
    tx.run("INSERT INTO installations VALUES (?, 1, ?)", (after, tx.now))
    tx.run(
        "UPDATE standing SET installation = ? WHERE installation = ?", (after, before)
    )
    tx.run("UPDATE meta SET value = ? WHERE key = 'installation'", (after,))
