"""Stores of tables and arrays: databases of SQLite, archives of NumPy, HDF5 files, those of netCDF before version 4, which is HDF5, and MATLAB's
files, which from version 7.3 on are HDF5 as well."""

from __future__ import annotations

import io
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.bounds import limit, refuse_beyond
from runoff.errors import DataError, RunoffError
from runoff.reading._known import meaning_of, says_nothing
from runoff.reading.formats.arrays import ARCHIVE, arrays_in, counts_along, load, names_role, table_of_arrays
from runoff.reading.formats.base import TABLE, Format, NotRuns, Source
from runoff.reading.formats.dimensions import MARKS, is_bare, is_coordinate, read_netcdf, table_along
from runoff.reading.formats.json_file import table_of_content
from runoff.reading.formats.related import fields_of, measuring, related
from runoff.tables.columns import listed, not_there, playing
from runoff.tables.likely import plays
from runoff.tables.source import SourceTable
from runoff.words.speech import option

SQLITE_MARK, HDF5_MARK, MATLAB_MARK = b"SQLite format 3\0", b"\x89HDF\r\n\x1a\n", b"MATLAB 5.0"
EVALUATIONS = {"timesteps", "results"}
"""Arrays of the evaluation file of a Stable-Baselines3 run."""


def read_sqlite(source: Source) -> SourceTable:
    """Return the rows of a table in a database, which is only read and never executed: views and triggers are ignored."""
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(source.data)
            database.execute("PRAGMA query_only = 1")
            return _rows(database, source)
    except RunoffError:
        raise  # a refusal is a ValueError as well
    except (sqlite3.Error, ValueError) as error:
        raise DataError(f"{source.place}: the database cannot be read: {error}.") from error


def _rows(database: sqlite3.Connection, source: Source) -> SourceTable:
    listing = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    names = sorted(str(name) for (name,) in listing)
    columns = {
        name: [str(info[1]) for info in database.execute(f"PRAGMA table_info({_quoted(name)})")] for name in names
    }
    if source.table is not None and source.table not in names:
        raise not_there(source.place, "table", source.table, names)
    likely = [source.table] if source.table is not None else measuring(columns, named=True)
    if (table := _together(database, columns, source)) is not None:
        return table
    if not names:
        raise NotRuns(f"{source.place}: this database holds no table.")
    likely = likely or (names if len(names) == 1 else [])  # of a single table its columns are asked about
    if not likely:
        ways = " or ".join(option("table", name) for name in names[:4])
        raise NotRuns(
            f"{source.place}: no table of this database has a column that is recognised as the score; found {listed(names)}; use {ways}, "
            "whichever holds the scores."
        )
    # `meta(key, value)` beside a table of runs says of no number whose it is.
    nameless = [name for name in likely if not playing(columns[name])]
    likely = [name for name in likely if name not in nameless] or likely
    likely.sort(key=lambda name: not plays(list(columns[name]), "algorithm", {}))
    if len(likely) > 1:
        raise DataError(
            f"{source.place}: {len(likely)} tables of this database may hold the runs ({listed(likely)}); name the one to read: "
            f"{option('table', likely[0])}."
        )
    name = likely[0]
    named = [other for other, own in columns.items() if plays(list(own), "algorithm", {})]
    if named and name not in named and source.table is None:
        raise DataError(
            f"{source.place}: table {name!r} holds scores, and table {named[0]!r} names the algorithms, but no column shows which rows belong "
            "together; write the id of a run as run_id into both, or all into one table."
        )
    rows = _of_table(database, name, columns[name], source.place)
    fields = {column: [row[i] for row in rows] for i, column in enumerate(columns[name])}
    table = SourceTable(columns=fields, place=f"{source.place}, table {name!r}", row=lambda index: f"row {index + 1}")
    left = [f"left out: table {other!r}, whose numbers no column names" for other in nameless if other != name]
    return table.warned(*left)


def _of_table(database: sqlite3.Connection, name: str, columns: Sequence[str], place: str) -> list[tuple[Any, ...]]:
    n_rows = int(database.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()[0])
    refuse_beyond("values", n_rows * len(columns), f"{place}: table {name!r} has {n_rows} rows")
    return database.execute(f"SELECT * FROM {_quoted(name)}").fetchall()


def _together(database: sqlite3.Connection, columns: Mapping[str, Sequence[str]], source: Source) -> SourceTable | None:
    """Return the table of several that belong together, as those of a tracker do; None of others."""
    if len(columns) < 2 or not any(plays(own, "algorithm", {}) for own in columns.values()):
        return None
    tables = {
        name: [dict(zip(own, row, strict=True)) for row in _of_table(database, name, own, source.place)]
        for name, own in columns.items()
    }
    if (whole := related(tables, source.place, source.table)) is None:
        return None
    rows, note = whole
    fields = {name: [row.get(name) for row in rows] for name in fields_of(rows)}
    return SourceTable(columns=fields, place=source.place, row=lambda index: f"joined row {index + 1}", notes=(note,))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# ── arrays below names ──────────


def read_hdf5(source: Source) -> SourceTable:
    """Return the table of the arrays of an HDF5 file: {algorithm: array}, or arrays below the names of algorithms, tasks and runs."""
    try:
        import h5py  # type: ignore[import-untyped]
    except ModuleNotFoundError as missing:
        raise DataError(
            f"{source.place}: this is an HDF5 file, which needs the package h5py: pip install h5py, or save its arrays with "
            "numpy.savez."
        ) from missing
    try:
        with h5py.File(io.BytesIO(source.data), "r") as file:
            items: dict[str, Any] = {}
            # Links are not followed: they may lead to other files.
            file.visititems(lambda name, item: items.update({name: item}))
            datasets = {tuple(name.split("/")): item for name, item in items.items() if isinstance(item, h5py.Dataset)}
            empty = [name for name, item in items.items() if isinstance(item, h5py.Group) and not len(item)]
            sizes = {names: math.prod(item.shape) for names, item in datasets.items()}
            refuse_beyond(
                "values", sum(sizes.values()), f"{source.place}: the arrays have {sum(sizes.values())} values"
            )
            matlab = any("MATLAB_class" in item.attrs for item in datasets.values())
            along = _dimensions(datasets)
            of_file = _of_file(file.attrs)
            texts = {names for names, item in datasets.items() if h5py.check_string_dtype(item.dtype) is not None}
            arrays = {
                names: np.array(item.asstr()[()], dtype=str) if names in texts else np.asarray(item[()])
                for names, item in datasets.items()
            }
    except DataError:
        raise
    except Exception as error:  # a damaged file may raise any
        raise DataError(f"{source.place}: the HDF5 file is damaged: {str(error)[:200]}.") from error
    if along:
        return table_along({names[0]: (own, arrays[names]) for names, own in along.items()}, source.place)
    # MATLAB stores the transpose of what it shows.
    shown = {names: array.T if matlab else array for names, array in arrays.items()}
    shown = {**of_file, **shown} if all(len(names) == 1 for names in shown) else shown
    table = _below_names(dict(chain.from_iterable(_of_struct(*item) for item in shown.items())), source)
    return table.warned(f"left out: groups {listed(empty)}, which hold nothing") if empty else table


def _of_file(attributes: Mapping[str, Any]) -> dict[tuple[str, ...], NDArray[Any]]:
    """Return what a file of HDF5 says of itself that names what its arrays are of."""
    return {
        (name,): np.array(value)
        for name, value in attributes.items()
        if isinstance(value, str | int | np.integer) and names_role(name)
    }


def _dimensions(datasets: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the dimensions of each array, as later versions of netCDF keep them; nothing of other files."""
    if not any(is_coordinate(item.attrs) for item in datasets.values()) or any(len(names) > 1 for names in datasets):
        return {}
    return {
        names: names
        if is_coordinate(item.attrs)
        else tuple(axis[0].name[1:] if len(axis) else "" for axis in item.dims)
        for names, item in datasets.items()
        if not is_bare(item.attrs)
    }


def read_mat(source: Source) -> SourceTable:
    """Return the table of the arrays of a MATLAB file, {algorithm: array (n_runs, n_tasks)}."""
    from scipy.io import loadmat, whosmat

    stream: Any = io.BytesIO(source.data)  # scipy takes a stream, whatever its stubs say
    try:
        sizes = [math.prod(shape) for _, shape, _ in whosmat(stream)]
        refuse_beyond("values", sum(sizes), f"{source.place}: the arrays have {sum(sizes)} values")
        content = loadmat(stream, simplify_cells=False)
    except DataError:
        raise
    except Exception as error:  # scipy names no error of its own
        raise DataError(f"{source.place}: the MATLAB file is damaged: {str(error)[:200]}.") from error
    arrays = {
        names: array
        for name, content in content.items()
        if not name.startswith("__")
        for names, array in _of_struct((name,), content)
    }
    size = sum(array.nbytes for array in arrays.values())
    refuse_beyond("bytes", size, f"{source.place}: unpacked, the arrays have {size} bytes, more than {limit('bytes')}")
    return _below_names(arrays, source)


def _of_struct(names: tuple[str, ...], array: NDArray[Any]) -> Iterator[tuple[tuple[str, ...], NDArray[Any]]]:
    """Yield the arrays in a value: those of the fields of a structure of MATLAB, or of a table of HDF5, below its name, of an array of
    structures as one of each field, and a cell array of texts as one of them."""
    if array.dtype.names:
        for field in array.dtype.names:
            own = array[field].item() if array.size == 1 else array[field]
            yield from _of_struct((*names, field), np.asarray(own))
    elif array.dtype.kind == "O" and all(
        np.size(cell) == 1 and np.asarray(cell).dtype.kind in "Ufiu" for cell in array.flat
    ):
        yield names, np.array([np.asarray(cell).item() for cell in array.flat]).reshape(array.shape)
    else:
        yield names, array


def _below_names(arrays: Mapping[tuple[str, ...], NDArray[Any]], source: Source) -> SourceTable:
    """Return the table of arrays by name, or below names of several levels, which are those of JSON."""
    if not arrays:
        raise NotRuns(f"{source.place}: the file holds no array.")
    if len({names[0] for names in arrays}) == 1 and says_nothing(next(iter(arrays))[0]) and min(map(len, arrays)) > 1:
        return _below_names({names[1:]: array for names, array in arrays.items()}, source)
    if all(len(names) == 1 for names in arrays):
        return table_of_arrays(_without_rows_alone({name: array for (name,), array in arrays.items()}), source)
    content: dict[str, Any] = {}
    levels = zip(*arrays, strict=False)
    # One score below the name of a run is its score; below that of a task it is one of a list.
    runs = any(meaning_of(names) == "run" or all(map(str.isdecimal, names)) for names in levels)
    for names, array in arrays.items():
        if array.dtype.kind in "OV":
            raise DataError(f"{source.place}: array {'/'.join(names)} must hold numbers, not {array.dtype}.")
        at = content
        for name in names[:-1]:
            at = at.setdefault(name, {})
        at[names[-1]] = (np.squeeze(array) if runs else np.atleast_1d(np.squeeze(array))).tolist()
    try:
        return table_of_content(content, source)
    except NotRuns:
        shown = listed(["/".join(names) for names in arrays], 4)
        raise NotRuns(
            f"{source.place}: arrays by algorithm, or scores by algorithm and task are needed; found {shown}."
        ) from None


def _without_rows_alone(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return arrays with one axis where MATLAB, which has no vectors, has two: all of them, or those of names, of runs and of steps."""
    lines = {name for name, array in arrays.items() if array.ndim == 1 or (array.ndim == 2 and 1 in array.shape)}
    along = {name for name in lines if arrays[name].dtype.kind == "U" or counts_along(name)}
    flat = lines if len(lines) == len(arrays) else along
    return {name: array.reshape(-1) if name in flat else array for name, array in arrays.items()}


# ── archives of NumPy ──────────


def read_npz(source: Source) -> SourceTable:
    """Return the table of an archive of arrays; pickled objects are never loaded."""
    archive = load(source.data, source.place)
    if set(getattr(archive, "files", ())) >= EVALUATIONS:
        what = f"{source.place}: these are the evaluations of one Stable-Baselines3 run (timesteps, results), not a dict of arrays by algorithm."
        raise NotRuns(what)
    arrays = arrays_in(archive, source.place)
    if not arrays:
        raise DataError(f"{source.place}: the archive holds no array.")
    # A nested dictionary that was flattened: `ppo/ant`, every name combined with every other.
    parts = {tuple(name.split("/")): array for name, array in arrays.items()}
    sides = [len({*side}) for side in zip(*parts, strict=False)]
    crossed = len({len(names) for names in parts}) == 1 < len(sides) and len(parts) == math.prod(sides)
    # Two numbers below the name of a run may be of tasks, of episodes or of evaluations.
    plain = len(sides) == 2 or all(array.size == 1 for array in parts.values())
    if crossed and plain and min(sides[:2]) > 1 and all(np.squeeze(array).ndim <= 2 for array in parts.values()):
        return _below_names(parts, source)
    return table_of_arrays(arrays, source)


SQLITE = Format(
    title="SQLite database",
    holds=TABLE,
    suffixes=(".sqlite", ".sqlite3", ".db"),
    sniff=lambda data: data.startswith(SQLITE_MARK),
    read=read_sqlite,
    wide=True,
    binary=True,
)
NPZ = Format(
    title="NumPy archive",
    holds="one array per algorithm",
    suffixes=(".npz",),
    sniff=lambda data: data.startswith(ARCHIVE),
    read=read_npz,
    binary=True,
)
HDF5 = Format(
    title="HDF5",
    holds="one array per algorithm, or scores below the names of algorithms and tasks",
    suffixes=(".h5", ".hdf5", ".hdf"),
    sniff=lambda data: data.startswith(HDF5_MARK) or HDF5_MARK in data[512:520],
    read=read_hdf5,
    binary=True,
)
MAT = Format(
    title="MATLAB",
    holds="one array per algorithm",
    suffixes=(".mat",),
    sniff=lambda data: data.startswith(MATLAB_MARK),
    read=lambda source: read_mat(source) if source.data.startswith(MATLAB_MARK) else read_hdf5(source),
    binary=True,
)
NETCDF = Format(
    title="netCDF",
    holds="arrays along named dimensions",
    suffixes=(".nc",),
    sniff=lambda data: data.startswith(MARKS),
    read=lambda source: read_netcdf(source) if source.data.startswith(MARKS) else read_hdf5(source),
    wide=True,
    binary=True,
)
