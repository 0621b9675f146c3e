"""One NumPy array: the runs (by task, by step) of one algorithm, named by the file."""

from __future__ import annotations

from runoff.errors import DataError
from runoff.io.formats._arrays import arrays_table, load
from runoff.io.formats.base import Format, Source
from runoff.tables.tidy import Table


def read(source: Source) -> Table:
    """Return the table of a saved array; pickled objects are never loaded.

    Raises
    ------
    DataError
        The file is damaged or holds something other than numbers.
    """
    array = load(source.data, source.place)
    if hasattr(array, "files"):
        raise DataError(f"{source.place}: this is an archive of arrays (.npz), not a single array (.npy).")
    return arrays_table({None: array}, source.place)


NPY = Format(
    title="NumPy array",
    holds="the runs, by task and step, of one algorithm, named by the file",
    suffixes=(".npy",),
    sniff=lambda data: data.startswith(b"\x93NUMPY"),
    read=read,
    binary=True,
)
