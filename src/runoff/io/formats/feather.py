"""Feather (Arrow IPC file): a tidy or wide table with typed columns."""

from __future__ import annotations

from runoff.io.formats._frames import frame_table
from runoff.io.formats.base import Format, Source
from runoff.tables.tidy import Table

MAGIC = b"ARROW1"


def read(source: Source) -> Table:
    """Return the columns of a Feather file.

    Raises
    ------
    DataError
        It is truncated or damaged.
    """
    import polars as pl

    return frame_table(source, title="Feather", magic=MAGIC, least=12, scan=pl.scan_ipc)


FEATHER = Format(
    title="Feather (Arrow IPC)",
    holds="a tidy table (one row per run, or per run and step), or a wide one (one column per algorithm)",
    suffixes=(".feather", ".arrow"),
    sniff=lambda data: data.startswith(MAGIC),
    read=read,
    wide=True,
    binary=True,
)
