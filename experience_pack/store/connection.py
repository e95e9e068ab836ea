"""One SQLite file: opening it safely, reading, and writing in transactions."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from experience_pack import model
from experience_pack.clock import Clock, system_clock, timestamp
from experience_pack.errors import (
    AccessError,
    ExperiencePackError,
    IntegrityError,
    LockedError,
    NotFoundError,
    StorageError,
    VersionError,
)
from experience_pack.formats.versions import ANALYZER, RENDERER
from experience_pack.store.locks import WAIT_SECONDS, FileLock
from experience_pack.store.migrations import (
    APPLICATION_ID,
    MIGRATIONS,
    SCHEMA_VERSION,
    statements,
    version_name,
)
from experience_pack.store.space import is_full

Row = tuple[Any, ...]

_CHECKPOINT_BYTES = 4_000_000  # a longer log is folded in when a command ends
_CLOSE_WAIT = 2.0  # seconds; a log that stays behind is read at the next start


_USED = (
    "SELECT schema_version + (SELECT count(*) FROM sqlite_master) "
    "FROM pragma_schema_version"
)
"""Above zero as soon as a database ever had a table, however damaged it is."""


class Reader(Protocol):
    """What can be asked: a store, or a transaction that is under way."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Give all rows of a query."""
        ...

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """Give the first row of a query, or None."""
        ...


class _Block:
    """A block of statements on one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Give all rows of a query."""
        return self._store.rows(sql, values)

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """Give the first row of a query, or None."""
        return self._store.row(sql, values)


class Transaction(_Block):
    """A write that is under way; it commits when its block ends."""

    def __init__(self, store: Store, now: str) -> None:
        super().__init__(store)
        self.now = now

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement; give the row id that it inserted, if it did."""
        with Translated(self._store.path):
            return self._store.connection.execute(sql, values).lastrowid or 0

    def run_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows."""
        with Translated(self._store.path):
            self._store.connection.executemany(sql, values)


class Snapshot(_Block):
    """One state of a store, and tables that are gone when its block ends."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement on a table of its own; give how many rows it changed."""
        with Translated(self._store.path):
            return self._store.connection.execute(sql, values).rowcount


class Store:
    """The experiences of one workspace. All SQL lives in this package."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path | None,
        clock: Clock,
        *,
        lockable: bool = True,
    ) -> None:
        self.connection = connection
        self.path = path
        self.clock = clock
        self._guard = threading.RLock()
        self._lock = FileLock(Path(f"{path}-lock")) if path and lockable else None
        self._under_way = False

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        clock: Clock = system_clock,
    ) -> Store:
        """Open a file, migrating an older one; with `create` make it if need be.

        Where this user may not write, the store can still be read.

        A newer major schema is a `VersionError` and a file that is no store of
        ours an `IntegrityError`; neither is touched. A missing file without
        `create` is a `NotFoundError`.
        """
        if not create and not path.exists():
            raise NotFoundError(f"there is no store at {path}")
        read_only = path.exists() and not _writable(path)
        connection = _connect(path, read_only=read_only)
        store = cls(connection, path, clock, lockable=not read_only)
        try:
            with Translated(path):
                store._prepare(read_only=read_only)
        except ExperiencePackError:
            store.connection.close()
            raise
        return store

    @classmethod
    def in_memory(cls, *, clock: Clock = system_clock) -> Store:
        """Give an empty store that lives as long as the object."""
        connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False
        )
        store = cls(connection, None, clock)
        store._prepare(read_only=False)
        return store

    def copied(self) -> Store:
        """Give a copy in memory of all that is here; writing to it changes nothing.

        There must be no transaction under way: SQLite would wait for its end.
        """
        if self._under_way:
            raise RuntimeError("a transaction is under way in this store")
        connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False
        )
        with Translated(self.path):
            self.connection.backup(connection)
        store = Store(connection, None, self.clock)
        store._prepare(read_only=False)
        return store

    def stamp(self) -> str:
        """Give a text that is another one after any write, of whoever it was."""
        others = self.connection.execute("PRAGMA data_version").fetchone()[0]
        return f"{others}-{self.connection.total_changes}"

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Give all rows of a query."""
        with Translated(self.path):
            return self.connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """Give the first row of a query, or None."""
        with Translated(self.path):
            found: Row | None = self.connection.execute(sql, values).fetchone()
        return found

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[Transaction]:
        """Write all that happens in the block, or nothing if it raises.

        With `durable=False` (audit rows) a killed process loses nothing, a power
        cut may lose the last rows; no fsync is waited for.
        """
        with self._guard, self._shared_lock():
            if self._under_way:
                raise RuntimeError("a transaction is under way in this store")
            level = "FULL" if durable else "NORMAL"
            with Translated(self.path):
                self.connection.execute(f"PRAGMA synchronous={level}")
                self.connection.execute("BEGIN IMMEDIATE")
            self._under_way = True
            try:
                yield Transaction(self, timestamp(self.clock()))
                with Translated(self.path):
                    self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            finally:
                self._under_way = False

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Show one state of the store, whatever others write before the block ends."""
        with self._guard:
            if self._under_way:
                raise RuntimeError("a transaction is under way in this store")
            with Translated(self.path):
                self.connection.execute("BEGIN")
            self._under_way = True
            try:
                yield Snapshot(self)
            finally:
                self._under_way = False
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep every writer away for the block; `LockedError` after 30 s."""
        if self._lock is None:
            yield
            return
        with self._guard, self._lock.alone(WAIT_SECONDS) as alone:
            if not alone:
                raise LockedError(f"{self.path} is being written by another process")
            yield

    def close(self) -> None:
        """Close in order: no writer may be at work while the log is folded in."""
        if self._lock is None:
            self.connection.close()
            return
        with self._lock.alone(_CLOSE_WAIT) as alone:
            if alone and self._log_size() > _CHECKPOINT_BYTES:
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self.connection.close()
        self._lock.close()

    @property
    def writable(self) -> bool:
        """Tell whether this user may write here."""
        return self.path is None or self._lock is not None

    @property
    def installation(self) -> str:
        """Give the random id of this installation."""
        found = self.row("SELECT value FROM meta WHERE key = 'installation'")
        assert found is not None
        return str(found[0])

    @property
    def workspace_id(self) -> str:
        """Give the random id of this workspace; remaps are derived from it."""
        found = self.row("SELECT value FROM meta WHERE key = 'workspace'")
        assert found is not None
        return str(found[0])

    def _shared_lock(self) -> Any:
        if self._lock is None:
            return threading.Lock()
        return self._lock.shared()

    def _log_size(self) -> int:
        try:
            return Path(f"{self.path}-wal").stat().st_size
        except OSError:
            return 0

    def _prepare(self, *, read_only: bool) -> None:
        # the first statement on any file, before anything could change it
        found = self.connection.execute("PRAGMA user_version").fetchone()[0]
        _check_version(found, self.path)
        self._refuse_foreign(found)
        self.connection.execute("PRAGMA trusted_schema=OFF")
        self.connection.execute("PRAGMA foreign_keys=ON")
        if read_only:
            return
        if self.path is not None:
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA wal_autocheckpoint=0")
        if found < SCHEMA_VERSION:
            self._migrate()

    def _refuse_foreign(self, version: int) -> None:
        """Refuse a file that has a version but not our mark, or was ever used."""
        sql = "PRAGMA application_id" if version else _USED
        found = self.connection.execute(sql).fetchone()[0]
        if found != (APPLICATION_ID if version else 0):
            raise IntegrityError(f"{self.path} is a database, but no store of ours")

    def _migrate(self) -> None:
        with self.transaction() as tx:
            found = self.connection.execute("PRAGMA user_version").fetchone()[0]
            for version, script in MIGRATIONS:
                if version > found:
                    for statement in statements(script):
                        tx.run(statement)
            tx.run(f"PRAGMA application_id={APPLICATION_ID}")
            tx.run(f"PRAGMA user_version={SCHEMA_VERSION}")
            if found == 0:
                _name_installation(tx)


def _name_installation(tx: Transaction) -> None:
    installation = model.new_id("ins")
    tx.run_many(
        "INSERT INTO meta(key, value) VALUES (?, ?)",
        [
            ("installation", installation),
            ("workspace", model.new_id("ws")),
            ("renderer", RENDERER),
            ("analyzer", ANALYZER),
        ],
    )
    tx.run("INSERT INTO installations VALUES (?, 1, ?)", (installation, tx.now))


def _check_version(found: int, path: Path | None) -> None:
    if found < 0 or found // 100 > SCHEMA_VERSION // 100:
        raise VersionError(
            f"{path} has store schema {version_name(found)}; "
            f"this release reads up to {SCHEMA_VERSION // 100}.x"
        )


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    with Translated(path):
        mode = "rwc"
        if read_only:
            # without a log a read-only folder needs `immutable`, which is unsafe with
            mode = "ro" if Path(f"{path}-wal").exists() else "ro&immutable=1"
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=WAIT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )


def _writable(path: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return all(
        os.access(one, os.W_OK, effective_ids=effective) for one in (path, path.parent)
    )


_KINDS_OF_TROUBLE: Sequence[tuple[str, type[ExperiencePackError], str]] = (
    ("locked", LockedError, "is locked by another process"),
    ("busy", LockedError, "is locked by another process"),
    ("readonly", AccessError, "may not be written"),
    ("unable to open", AccessError, "cannot be opened"),
    ("full", StorageError, "has no space left to grow"),
    ("disk i/o", StorageError, "could not be read or written"),
)
"""A word of SQLite's message, the error it is for us, and how we say it."""


class Translated:
    """A block in which what SQLite raises, on hostile files too, becomes ours."""

    __slots__ = ("_path",)

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Raise our error in place of SQLite's; a fault of ours passes as it is."""
        if isinstance(error, sqlite3.ProgrammingError):
            return
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):
            raise _translation(error, self._path or Path(":memory:")) from error


def _translation(error: Exception, path: Path) -> ExperiencePackError:
    message = str(error).lower()
    if "disk i/o" in message and is_full(path.parent):
        message = "full"
    for word, kind, sentence in _KINDS_OF_TROUBLE:
        if word in message and isinstance(error, sqlite3.OperationalError):
            return kind(f"{path} {sentence} ({error})")
    return IntegrityError(
        f"{path} is damaged ({error})",
        hint="Run `experience-pack doctor`; the cards hold the same experiences.",
    )
