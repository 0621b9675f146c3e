"""SQLite databases of logs: read in place, never written to, never waited for."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from runoff.errors import DataError
from runoff.reading._paths import unreadable
from runoff.reading.logs.base import Folder

MAGIC = b"SQLite format 3\0"
ENDINGS = (".db", ".sqlite", ".sqlite3")
LARGEST = 1 << 30
"""The largest size in bytes of a database that is read from a copy because its last rows are still in its log."""
MOST_WORK = 20_000
"""The largest number of instructions of SQLite's machine in one reading, in units of ten thousand."""
LOGS = ("-wal", "-journal")
"""Endings of the files next to a database with rows that are not yet in it, or that may still be withdrawn."""


def databases(folder: Folder) -> list[str]:
    """Return the names of the databases in a folder."""
    return [name for name in folder.named(*ENDINGS) if folder.head(name).startswith(MAGIC)]


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading; refuse one that cannot be read, is incomplete, or takes too long, also while in use.

    It is opened as immutable, so that SQLite writes no lock and no file next to it; if it did change, the reading is refused.
    Where a log of unfinished changes lies beside it, both are copied to a temporary folder and read there.
    """
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        try:
            before = _state(path)
            # With a write-ahead log beside it the newest rows are in the log alone, and immutable=1 would pass it
            # over; opening both in place would write into the user's folder.
            logs = [path.with_name(path.name + ending) for ending in LOGS]
            logs = [log for log in logs if log.is_file() and log.stat().st_size]
            if logs and sum(file.stat().st_size for file in (path, *logs)) > LARGEST:
                message = f"{path}: its last rows are in {logs[0].name}, and both have more than {LARGEST >> 30} GB; close the writing program."
                raise DataError(message)
            for file in (path, *logs) if logs else ():
                shutil.copyfile(file, Path(folder, file.name))
            uri = Path(folder, path.name).as_uri() if logs else f"{path.resolve().as_uri()}?immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                # Names with broken bytes are shown with a mark in place of these and do not end the reading of all
                # runs.
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                # A database may bring views and triggers of its own, which must run no function that reaches out of
                # it.
                connection.execute("PRAGMA trusted_schema = OFF")
                calls = itertools.count(1)
                # A crafted or damaged file can make a query run for ever; the handler ends it after 200 million
                # instructions.
                connection.set_progress_handler(lambda: next(calls) > MOST_WORK, 10_000)
                yield connection
            if not logs and _state(path) != before:
                raise DataError(
                    f"{path}: this database changed while it was read; wait for the writing program, or read a copy."
                )
        except OSError as error:
            raise unreadable(path, error) from error
        except (sqlite3.Error, UnicodeError, OverflowError, MemoryError) as error:
            reason = " ".join(str(error).split())[:120]
            message = (
                f"{path}: this SQLite database cannot be read ({reason}); close the writing program, or export it."
            )
            raise DataError(message) from error


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of the columns of a table; none if there is no such table."""
    return frozenset(str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", [table]))


def holds(path: Path, tables: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a file is a readable database with these tables and columns."""
    try:
        with database(path) as connection:
            return all(columns(connection, table) >= wanted for table, wanted in tables.items())
    except DataError:
        return False


def _state(path: Path) -> tuple[int, int, bytes]:
    """Return size, time and head of a file, which change with what is in it."""
    status = path.stat()
    with open(path, "rb") as stream:
        return status.st_size, status.st_mtime_ns, stream.read(100)
