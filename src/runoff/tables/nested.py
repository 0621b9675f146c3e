"""Scores given as {algorithm: array} or {algorithm: {task: [scores]}} → labelled cells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import as_floats, check_finite
from runoff.errors import DataError
from runoff.tables.indexed import column_names

Cells = dict[tuple[int, int], tuple[list[str], Floats]]
"""(algorithm, task) -> (run labels, scores)."""


def nested_cells(scores: object, tasks: Sequence[str] | None) -> tuple[list[str], list[str], Cells]:
    """Return the names of algorithms and tasks, and the cells.

    Raises
    ------
    DataError
        No mapping, no algorithm, a name that stands twice, arrays that disagree in their number of tasks, text, NaN, infinity, masked values.
    """
    if not isinstance(scores, Mapping):
        raise DataError(f"from_dict takes {{algorithm: array or {{task: scores}}}}, not {type(scores).__name__}.")
    if not scores:
        raise DataError("from_dict was given no algorithm.")
    algorithms = _distinct("algorithm", scores)
    by_task = [_by_task(name, given, tasks) for name, given in zip(algorithms, scores.values(), strict=True)]
    names = list(dict.fromkeys(task for cells in by_task for task in cells))
    grid: Cells = {}
    for a, cells in enumerate(by_task):
        for task, values in cells.items():
            where = f"algorithm {algorithms[a]!r}, task {task!r}"
            cell = as_floats(where, values).ravel()
            check_finite(where, cell)
            grid[a, names.index(task)] = [str(r) for r in range(cell.size)], cell
    return algorithms, names, grid


def _distinct(noun: str, names: Iterable[Hashable]) -> list[str]:
    """Return names as text; refuse two that are one, for the second would take the place of the first."""
    found = [str(name) for name in names]
    twice = next((name for at, name in enumerate(found) if name in found[:at]), None)
    if twice is not None:
        raise DataError(f"the {noun} {twice!r} is named twice; give each a name of its own.")
    return found


def _by_task(algorithm: str, given: Any, tasks: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(zip(_distinct("task", given), given.values(), strict=True))
    named = column_names(given)
    if named and tasks is None:
        return dict(zip(_distinct("task", named), (given[name] for name in named), strict=True))
    array = as_floats(f"algorithm {algorithm!r}", given)
    if array.ndim not in (1, 2):
        raise DataError(f"algorithm {algorithm!r} must be an array (n_runs, n_tasks), but its shape is {array.shape}.")
    matrix = array[:, None] if array.ndim == 1 else array
    names = [f"task {t + 1}" for t in range(matrix.shape[1])] if tasks is None else _distinct("task", tasks)
    if len(names) != matrix.shape[1]:
        raise DataError(
            f"algorithm {algorithm!r} has {matrix.shape[1]} column(s) for {len(names)} task name(s); they must agree."
        )
    return dict(zip(names, np.asarray(matrix).T, strict=True))
