"""Arrays by algorithm → table: what npz, npy and JSON share. Never a pickled object."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._tidy import Table
from runoff.errors import DataError
from runoff.io.formats.base import structural

AXES = ("run", "task", "step")
SHAPES = {1: "(n_runs,)", 2: "(n_runs, n_tasks)", 3: "(n_runs, n_tasks, n_steps)"}


def load(data: bytes, place: str) -> Any:
    """Return what NumPy reads of the bytes, refusing pickled objects unread."""
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except MemoryError:
        raise
    except Exception as error:  # NumPy names no error of its own: a damaged file may raise any
        raise damaged(error, place) from error


def damaged(error: Exception, place: str) -> DataError:
    """Return the refusal for what NumPy could not read."""
    if "pickle" in str(error).casefold():
        return DataError(
            f"{place}: the array holds pickled Python objects, which are never loaded; save plain numbers (dtype float64)."
        )
    return DataError(
        f"{place}: this is not a whole NumPy file: {str(error).splitlines()[0] if str(error) else error!r}."
    )


def arrays_table(arrays: Mapping[str, NDArray[Any]], place: str) -> Table:
    """Return the table of {algorithm: array} with the axes run, task, step; absent axes have one entry.

    Raises
    ------
    DataError
        An array holds no numbers, has no or more than three axes, or disagrees with the others.
    """
    for name, array in arrays.items():
        _check(name, array, place)
    shapes = {name: array.shape[1:] for name, array in arrays.items()}
    first = next(iter(shapes))
    for name, shape in shapes.items():
        if shape != shapes[first]:
            raise DataError(
                f"{place}: algorithms {first!r} and {name!r} differ in tasks or steps: shapes {arrays[first].shape} and {arrays[name].shape}; "
                "all axes but the first (runs) must agree."
            )
    parts = [_columns(name, array) for name, array in arrays.items()]
    columns = {role: [entry for part in parts for entry in part[role]] for role in parts[0]}
    axes = SHAPES[arrays[first].ndim]
    return structural(place, columns, f"arrays {axes}: the first axis is taken as runs")


def _check(name: str, array: NDArray[Any], place: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise DataError(f"{place}: array {name!r} must hold numbers, not {getattr(array, 'dtype', 'raw bytes')}.")
    if array.ndim not in SHAPES:
        raise DataError(
            f"{place}: array {name!r} must have a shape {' or '.join(SHAPES.values())}, but its shape is {array.shape}."
        )
    if array.size == 0:
        raise DataError(f"{place}: array {name!r} has no scores (shape {array.shape}).")


def _columns(name: str, array: NDArray[Any]) -> dict[str, list[Any]]:
    index = dict(zip(AXES, np.indices(array.shape).reshape(array.ndim, -1), strict=False))
    columns: dict[str, list[Any]] = {
        "algorithm": [name] * array.size,
        "run": list(map(str, index["run"].tolist())),
        "score": array.astype(np.float64).ravel().tolist(),
    }
    if "task" in index:
        columns["task"] = [f"task {t + 1}" for t in index["task"].tolist()]
    if "step" in index:
        columns["step"] = (index["step"] + 1.0).tolist()
    return columns
