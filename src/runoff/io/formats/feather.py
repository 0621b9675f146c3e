"""Feather (Arrow IPC file): a tidy or wide table with typed columns."""

from __future__ import annotations

import io

from runoff._tidy import Table
from runoff.errors import DataError
from runoff.io.formats.base import Format, Source

MAGIC = b"ARROW1"


def read(source: Source) -> Table:
    """Return the columns of a Feather file.

    Raises
    ------
    DataError
        It is truncated or damaged.
    """
    import polars as pl

    if not (source.data.startswith(MAGIC) and source.data.endswith(MAGIC)):
        raise DataError(f"{source.place}: this is not a whole Feather file: its first and last bytes must be ARROW1.")
    try:
        frame = pl.read_ipc(io.BytesIO(source.data))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: the Feather file is damaged: {reason}.") from error
    columns = {name: frame[name].to_list() for name in frame.columns}
    return Table(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")


FEATHER = Format(
    title="Feather (Arrow IPC)",
    holds="a tidy table (one row per run, or per run and step), or a wide one (one column per algorithm)",
    suffixes=(".feather", ".arrow"),
    sniff=lambda data: data.startswith(MAGIC),
    read=read,
    wide=True,
    binary=True,
)
