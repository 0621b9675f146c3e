"""Files with typed columns, which polars reads: whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from runoff._tidy import Table
from runoff.errors import DataError
from runoff.io.formats.base import Source

if TYPE_CHECKING:
    import polars as pl


def frame_table(
    source: Source, *, title: str, magic: bytes, least: int, read: Callable[[io.BytesIO], pl.DataFrame]
) -> Table:
    """Return the columns of a file that begins and ends with `magic` and has `least` bytes or more.

    Raises
    ------
    DataError
        It is truncated or damaged.
    """
    from polars.exceptions import PanicException, PolarsError

    if len(source.data) < least or not (source.data.startswith(magic) and source.data.endswith(magic)):
        raise DataError(
            f"{source.place}: this is not a whole {title} file: its first and last bytes must be {magic.decode()}."
        )
    try:
        frame = read(io.BytesIO(source.data))
    except (PolarsError, PanicException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: the {title} file is damaged: {reason}.") from error
    columns = {name: frame[name].to_list() for name in frame.columns}
    return Table(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")
