"""The array types, one name each: a type says what the numbers are, the docstring says their shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import DataError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Words = NDArray[np.uint32]
"""Random bits, 32 per word."""
Words64 = NDArray[np.uint64]
"""Random bits, or sets of runs, 64 per word."""
Positions = NDArray[np.uint32]
"""Unsigned indices: numba then omits the check for negative ones."""
Counts = NDArray[np.int32]
"""How often each score was drawn."""
SmallCounts = NDArray[np.uint8]
"""Counts in one byte each, for studies."""
GroupMask = NDArray[np.int8]
"""Which algorithm each run is assigned to."""
Flags = NDArray[np.uint8]
"""Zeros and ones as bytes: compiled loops read them faster than bools."""
Bytes = NDArray[np.uint8]
"""The content of a file."""
NestedCells = dict[tuple[int, int], tuple[list[str], Floats]]
"""(algorithm, task) -> (run labels, scores)."""
CellName = tuple[str, str]
Episodes = dict[CellName, dict[str, Floats]]
"""The scores of the episodes of each run, by (algorithm, task), then run."""
# The least normal double: below it numbers lose digits before they become 0.
SMALLEST = float(np.finfo(np.float64).tiny)
"""A p-value is at least this: however far out the data lie, it is never 0."""


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, closed for writing."""
    array.flags.writeable = False
    return array


def median_of(values: Floats) -> float:
    """Return the median (n,), by a sort: numpy.median takes six times as long for a cell of few runs."""
    return float(medians_of(values))


def medians_of(rows: Floats) -> Floats:
    """Return the median of each row, (…, n) to (…).

    >>> medians_of(np.array([[8.0, 1.0, 2.0, 4.0], [3.0, 3.0, 1.0, 0.0]])).tolist()
    [3.0, 2.0]
    """
    ordered, n = np.sort(rows, axis=-1), rows.shape[-1]
    # Halves are added, for the sum of two scores near the largest double would be infinite.
    return np.asarray(ordered[..., (n - 1) // 2] / 2 + ordered[..., n // 2] / 2)


BESIDE = 0.05
"""How far beyond 0 and 1 a score may lie that is still taken for a share of 1: noise, or a bonus, takes one there."""


def of_shares(values: Floats) -> bool:
    """Return whether all values are shares of 1, within five hundredths, so that no single score decides what unit all of them have."""
    return bool(np.all((values >= -BESIDE) & (values <= 1 + BESIDE)))


def is_masked(values: Any) -> bool:
    """Return whether an array, or one inside a list, masks some of its values."""
    if isinstance(values, list | tuple):
        return any(
            is_masked(value)
            for value in values
            if isinstance(value, list | tuple | np.ma.MaskedArray | np.ma.core.MaskedConstant)
        )
    return values is np.ma.masked or bool(np.ma.is_masked(values))


def masked_values(name: str) -> DataError:
    """Return the refusal of masked values."""
    return DataError(f"{name} holds masked values; if a run failed, enter the score that counts for it.")
