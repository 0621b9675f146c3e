"""Text tables of a log → series."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from runoff.base.arrays import Floats, Ints
from runoff.io.logs.base import Part, Wish
from runoff.io.logs.rows import Tabled, columns_of, tabled
from runoff.io.logs.wire.lines import table


def table_series(
    part: Part,
    wish: Wish,
    separator: str = ",",
    *,
    names: Sequence[str] | None = None,
    prefix: str = "",
    own: Callable[[Ints], Floats] | None = None,
) -> Tabled:
    """Return the series of a table; `prefix` is put before their names, behind that of the part; `names` and `own` as in `table` and `tabled`.

    Raises
    ------
    DataError
        The file cannot be read as a table.
    """
    rows = table(part.path, separator, names=names)
    series = tabled(columns_of(rows.records()), wish, prefix=part.prefix + prefix, own=own)
    return replace(series, happened=(*rows.happened, *series.happened))
