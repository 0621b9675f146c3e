"""Parquet and Feather: a tidy or wide table with typed columns, read completely or not at all, after a child process that may crash has
tried."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from runoff.base.bounds import limit, refuse_beyond
from runoff.errors import DataError
from runoff.reading.formats.base import TABLE, Format, Source
from runoff.tables.labels import RawColumn
from runoff.tables.source import SourceTable

if TYPE_CHECKING:
    import polars as pl

SHORTEST = 12
"""The number of bytes of the smallest file of either format: a mark at both ends, and the length of the column description."""
STREAM = b"\xff\xff\xff\xff"
"""First bytes of Arrow's format of streams."""
SCRIPT = Path(__file__).with_name("_child.py")


@dataclass(slots=True)
class Child:
    """The process that tries to read, started with the first file and again after each crash."""

    lock: Lock = field(default_factory=Lock)
    process: subprocess.Popen[bytes] | None = None
    owner: int = 0

    def answer(self, request: dict[str, Any], content: bytes) -> dict[str, Any]:
        """Return the child's answer about a file."""
        with self.lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(OSError):  # it died before it had read all: then there is no answer
                process.stdin.write(json.dumps({**request, "bytes": len(content)}).encode() + b"\n")
                process.stdin.write(content)
                process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                self.close()
                return {"error": "the library that reads it stopped"}
            return dict(json.loads(line))

    def close(self) -> None:
        """End the process, if it is running."""
        if self.process is not None and self.owner == os.getpid():
            self.process.communicate()
            self.process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is not None and self.process.poll() is not None:
            self.close()
        if self.process is None or self.owner != os.getpid():
            self.owner = os.getpid()  # a fork has a copy of the pipes, but the answers would be its parent's
            # -P keeps the script's folder off the path, so that no file beside it is taken for a module of that name.
            command = [sys.executable, "-P", str(SCRIPT)]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        return self.process


CHILD = Child()
atexit.register(CHILD.close)


def read(source: Source, *, title: str, magic: bytes) -> SourceTable:
    """Return the columns of a file that begins and ends with `magic`."""
    import polars as pl

    frame = frame_of(source.data, source.place, title=title, magic=magic)
    columns = {
        own.name: RawColumn(own) if own.dtype.is_numeric() or own.dtype == pl.String else own.to_list() for own in frame
    }
    return SourceTable(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")


def frame_of(data: bytes, place: str, *, title: str, magic: bytes) -> pl.DataFrame:
    """Return the table of a file that begins and ends with `magic`; refuse a damaged one, and one beyond the bounds."""
    import polars as pl

    if title == "Feather" and data.startswith(STREAM):
        title = "Arrow stream"
    elif len(data) < SHORTEST or not (data.startswith(magic) and data.endswith(magic)):
        what = f"{place}: this is not a whole {title} file: its first and last bytes must be {magic.decode()}."
        raise DataError(what)
    # polars' readers end the whole process at some damaged files (a panic in Rust): the child is lost then and not
    # the session.
    request = {"kind": title, "most_columns": limit("columns"), "most_fields": limit("fields")}
    answer = CHILD.answer(request, data)
    if "error" in answer:
        raise DataError(f"{place}: the {title} file is damaged: {answer['error']}.")
    width, height = answer["columns"], answer["rows"]
    refuse_beyond("columns", width, f"{place}: the table has {width} columns")
    refuse_beyond("fields", width * height, f"{place}: the table has {height} rows of {width} columns")
    read_as = {"Parquet": pl.read_parquet, "Feather": pl.read_ipc, "Arrow stream": pl.read_ipc_stream}
    return read_as[title](data)


def _format(title: str, magic: bytes, *suffixes: str) -> Format:
    return Format(
        title=title,
        holds=TABLE,
        suffixes=suffixes,
        sniff=lambda data: data.startswith((magic, STREAM) if magic == b"ARROW1" else magic),
        read=partial(read, title=title.partition(" (")[0], magic=magic),
        wide=True,
        binary=True,
    )


PARQUET = _format("Parquet", b"PAR1", ".parquet", ".pq")
FEATHER = _format("Feather (Arrow IPC)", b"ARROW1", ".feather", ".arrow", ".arrows", ".ipc")
