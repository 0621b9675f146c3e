"""Files with typed columns, which polars reads: whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from runoff.base.limits import refuse_beyond
from runoff.errors import DataError
from runoff.io.formats.base import Source
from runoff.tables.tidy import Table

if TYPE_CHECKING:
    import polars as pl


def frame_table(
    source: Source, *, title: str, magic: bytes, least: int, scan: Callable[[io.BytesIO], pl.LazyFrame]
) -> Table:
    """Return the columns of a file that begins and ends with `magic` and has `least` bytes or more.

    Raises
    ------
    DataError
        It is truncated or damaged.
    """
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    if len(source.data) < least or not (source.data.startswith(magic) and source.data.endswith(magic)):
        raise DataError(
            f"{source.place}: this is not a whole {title} file: its first and last bytes must be {magic.decode()}."
        )
    try:
        lazy = scan(io.BytesIO(source.data))
        width, height = len(lazy.collect_schema()), int(lazy.select(pl.len()).collect().item())
    except (PolarsError, PanicException, OSError, ValueError) as error:
        raise _damaged(error, title, source.place) from error
    refuse_beyond("columns", width, f"{source.place}: the table has {width} columns")
    refuse_beyond("values", width * height, f"{source.place}: the table has {height} rows of {width} columns")
    try:
        frame = scan(io.BytesIO(source.data)).collect()
    except (PolarsError, PanicException, OSError, ValueError) as error:
        raise _damaged(error, title, source.place) from error
    columns = {name: frame[name].to_list() for name in frame.columns}
    return Table(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")


def _damaged(error: BaseException, title: str, place: str) -> DataError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return DataError(f"{place}: the {title} file is damaged: {reason}.")
