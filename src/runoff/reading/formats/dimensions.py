"""Arrays along named dimensions: files of netCDF before version 4, and those of HDF5 with scales of dimensions, which later versions are."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import DataError
from runoff.reading.formats.base import KEY, NotRuns, Source, structural
from runoff.tables.columns import NAMED, listed
from runoff.tables.likely import candidates
from runoff.tables.source import SourceTable
from runoff.words.words import kind

ROLES = (*NAMED, "step")
MARKS = b"CDF\1", b"CDF\2"
Variables = Mapping[str, tuple[tuple[str, ...], NDArray[Any]]]
"""Name -> the dimensions of an array, and the array."""


def read_netcdf(source: Source) -> SourceTable:
    """Return the table of the arrays of a netCDF file that have the most dimensions, with a column for each of these, as xarray lays it out."""
    from scipy.io import netcdf_file

    stream: Any = io.BytesIO(source.data)
    try:
        with netcdf_file(stream, mmap=False, maskandscale=True) as file:
            arrays: Mapping[str, Any] = file.variables  # whose stubs know no index of a number
            variables = {name: (tuple(own.dimensions), _filled(own[...])) for name, own in arrays.items()}
    except Exception as error:  # a damaged file may raise any
        raise DataError(f"{source.place}: the netCDF file is damaged: {str(error)[:200]}.") from error
    # The letters of a text stand along a dimension of their own.
    texts = {
        name: (own[:-1], _joined_letters(letters))
        for name, (own, letters) in variables.items()
        if letters.dtype.kind == "S"
    }
    return table_along(variables | texts, source.place)


def table_along(variables: Variables, place: str) -> SourceTable:
    """Return the table of the arrays that have the most dimensions; refuse dimensions of numbers that say nothing of what stands along them."""
    texts = [name for name, (_, array) in variables.items() if array.dtype.kind in "SUO"]
    most = max((own for name, (own, _) in variables.items() if name not in (*texts, *own)), key=len, default=())
    if not most:
        raise NotRuns(f"{place}: the file holds no array of scores along named dimensions.")
    along = {dimension: [name for name, (own, _) in variables.items() if own == (dimension,)] for dimension in most}
    arrays = {name: array for name, (own, array) in variables.items() if own == most and name not in (*texts, *most)}
    at = dict(zip(most, np.unravel_index(np.arange(math.prod(_shape(arrays))), _shape(arrays)), strict=True))
    columns: dict[str, Any] = {}
    for dimension, names in along.items():
        labels = {name: variables[name][1][at[dimension]].tolist() for name in names if name not in arrays}
        columns |= labels or {dimension: at[dimension].tolist()}
    left = [name for name in variables if name not in columns and name not in arrays]
    notes = (f"left out: {listed(left)}, which have fewer dimensions than the others",) * bool(left)
    roles = {name: next(iter(role for role in ROLES if candidates([name], role)), "") for name in columns}
    _refuse_unknown([name for name in most if name in columns and name not in texts and not roles[name]], place)
    # Of the names of several arrays, which measure nothing, their own name is that of what each is of.
    if (
        len(arrays) > 1
        and "algorithm" not in roles.values()
        and not any(map(kind, arrays))
        and "" not in roles.values()
    ):
        return _by_name(arrays, {roles[name]: own for name, own in columns.items()}, place).noted(*notes)
    columns |= {name: array.ravel().tolist() for name, array in arrays.items()}
    return SourceTable(columns=columns, place=place, row=lambda index: f"entry {index + 1}", notes=notes)


def _shape(arrays: Mapping[str, NDArray[Any]]) -> tuple[int, ...]:
    return next(iter(arrays.values())).shape


def _refuse_unknown(names: list[str], place: str) -> None:
    if names:
        raise DataError(
            f"{place}: nothing says what stands along {listed(names)}, algorithms, tasks, runs or steps; call the dimensions so, as "
            f"array.rename({names[0]}='run') of xarray does."
        )


def _by_name(arrays: Mapping[str, NDArray[Any]], along: Mapping[str, list[Any]], place: str) -> SourceTable:
    """Return the rows of arrays by name below each other, with the names along their dimensions by role."""
    columns: dict[str, Any] = {KEY: [name for name, array in arrays.items() for _ in range(array.size)]}
    for role, values in along.items():
        own = [float(value) for value in values] if role == "step" else list(map(str, values))
        columns[role] = own * len(arrays)
    columns["score"] = [score for array in arrays.values() for score in array.astype(np.float64).ravel().tolist()]
    return structural(place, columns, f"arrays along {', '.join(along)}")


def is_coordinate(attributes: Mapping[str, Any]) -> bool:
    """Return whether an array of HDF5 holds the names along a dimension."""
    return attributes.get("CLASS") == b"DIMENSION_SCALE"


def is_bare(attributes: Mapping[str, Any]) -> bool:
    """Return whether it stands for a dimension without names."""
    return is_coordinate(attributes) and b"not a netCDF variable" in (attributes.get("NAME") or b"")


def _filled(array: Any) -> NDArray[Any]:
    """Return an array with NaN where it is masked."""
    masked = np.any(np.ma.getmask(array))
    return np.asarray(array.astype(np.float64).filled(np.nan) if masked else array)


def _joined_letters(letters: NDArray[Any]) -> NDArray[Any]:
    """Return the texts along the last axis of an array of letters."""
    rows = letters.reshape(-1, letters.shape[-1])
    texts = [b"".join(row).decode("utf-8", "replace").strip() for row in rows.tolist()]
    return np.array(texts, dtype=str).reshape(letters.shape[:-1])
