"""Parquet and Feather: a tidy or wide table with typed columns, which polars reads whole or not at all."""

from __future__ import annotations

import io
from functools import partial

from runoff.base.files import refuse_beyond
from runoff.errors import DataError
from runoff.io.formats.base import TABLE, Format, Source
from runoff.tables.tidy import Table

SHORTEST = 12
"""Bytes of the smallest file of either format: a mark at both ends, and the length of what describes the columns."""


def read(source: Source, *, title: str, magic: bytes) -> Table:
    """Return the columns of a file that begins and ends with `magic`."""
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    if len(source.data) < SHORTEST or not (source.data.startswith(magic) and source.data.endswith(magic)):
        what = f"{source.place}: this is not a whole {title} file: its first and last bytes must be {magic.decode()}."
        raise DataError(what)
    scan = pl.scan_parquet if title == "Parquet" else pl.scan_ipc
    try:
        # The size is read from the file's description first, so that a table beyond the limits is refused unpacked.
        lazy = scan(io.BytesIO(source.data))
        width, height = len(lazy.collect_schema()), int(lazy.select(pl.len()).collect().item())
        refuse_beyond("columns", width, f"{source.place}: the table has {width} columns")
        refuse_beyond("values", width * height, f"{source.place}: the table has {height} rows of {width} columns")
        frame = scan(io.BytesIO(source.data)).collect()
    except DataError:
        raise
    except (PolarsError, PanicException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: the {title} file is damaged: {reason}.") from error
    columns = {name: frame[name].to_list() for name in frame.columns}
    return Table(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")


def _format(title: str, magic: bytes, *suffixes: str) -> Format:
    return Format(
        title=title,
        holds=TABLE,
        suffixes=suffixes,
        sniff=lambda data: data.startswith(magic),
        read=partial(read, title=title.partition(" (")[0], magic=magic),
        wide=True,
        binary=True,
    )


PARQUET = _format("Parquet", b"PAR1", ".parquet", ".pq")
FEATHER = _format("Feather (Arrow IPC)", b"ARROW1", ".feather", ".arrow")
