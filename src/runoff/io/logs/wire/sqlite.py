"""SQLite databases of logs: read as they lie, never written to, never waited for."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from runoff.errors import DataError
from runoff.io._paths import unreadable

MAGIC = b"SQLite format 3\0"
LARGEST = 1 << 30
"""Bytes of a database whose last rows are still in its log, which is read as a copy."""
MOST_WORK = 20_000
"""Times ten thousand instructions of SQLite's machine that one reading may take."""
LOGS = ("-wal", "-journal")
"""Files beside a database that has not taken in its last rows, or has taken in rows that may yet be withdrawn."""


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading.

    It is opened as a file that nobody changes, so that no lock and no file is made beside it; if it did change, what was read does not count.
    Where a log of unfinished changes lies beside it, both are copied to a temporary folder and read there.

    Raises
    ------
    DataError
        It cannot be read, is no whole database, takes too long, or changed while it was read; also what SQLite says while it is used.
    """
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        try:
            before, logs = _state(path), _logs(path)
            uri = _copied(path, logs, Path(folder)).as_uri() if logs else f"{path.resolve().as_uri()}?immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.set_progress_handler(_Patience().over, 10_000)
                yield connection
            if not logs and _state(path) != before:
                raise DataError(
                    f"{path}: this database changed while it was read; wait for what writes to it, or read a copy."
                )
        except OSError as error:
            raise unreadable(path, error) from error
        except (sqlite3.Error, UnicodeError, OverflowError, MemoryError) as error:
            reason = " ".join(str(error).split())[:120]
            raise DataError(
                f"{path}: this SQLite database cannot be read ({reason}); close what writes to it, or export it."
            ) from error


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of the columns of a table; none if there is no such table."""
    return frozenset(str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", [table]))


def holds(path: Path, tables: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a file is a database with these tables and columns; not, where it cannot be read."""
    try:
        with database(path) as connection:
            return all(columns(connection, table) >= wanted for table, wanted in tables.items())
    except DataError:
        return False


class _Patience:
    """Counts the calls of SQLite, and says when it is over."""

    def __init__(self) -> None:
        self.calls = 0

    def over(self) -> bool:
        self.calls += 1
        return self.calls > MOST_WORK


def _state(path: Path) -> tuple[int, int, bytes]:
    """Return size, time and head of a file, which change with what is in it."""
    status = path.stat()
    with open(path, "rb") as stream:
        return status.st_size, status.st_mtime_ns, stream.read(100)


def _logs(path: Path) -> list[Path]:
    """Return the logs beside a database that are not empty."""
    logs = [path.with_name(path.name + ending) for ending in LOGS]
    return [log for log in logs if log.is_file() and log.stat().st_size]


def _copied(path: Path, logs: list[Path], folder: Path) -> Path:
    if sum(file.stat().st_size for file in (path, *logs)) > LARGEST:
        raise DataError(
            f"{path}: its last rows lie in {logs[0].name}, and both are more than {LARGEST >> 30} GB; close what writes to it."
        )
    for file in (path, *logs):
        shutil.copyfile(file, folder / file.name)
    return folder / path.name
