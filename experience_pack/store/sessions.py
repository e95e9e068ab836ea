"""How far the session files of hosts were read."""

from __future__ import annotations

from experience_pack.store.connection import Reader, Row, Transaction


def stood(db: Reader, host: str, path: str) -> Row | None:
    """Give `(inode, start, line, size, tail, session, place)` of a file, or None."""
    return db.row(
        "SELECT inode, start, line, size, tail, session, place FROM session_files "
        "WHERE host = ? AND path = ?",
        (host, path),
    )


def stands(tx: Transaction, host: str, path: str, values: Row) -> None:
    """Keep how far a file was read, in the order of `stood`."""
    tx.run(
        "INSERT OR REPLACE INTO session_files "
        "(host, path, inode, start, line, size, tail, session, place) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (host, path, *values),
    )
