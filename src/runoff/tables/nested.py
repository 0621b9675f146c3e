"""Data beyond a table of columns: nested mappings of scores, and pandas objects with row labels, levels or masks.

Mappings become labelled cells; row labels and column levels become columns; masks are refused, never silently ignored.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runoff.base.arrays import Floats, NestedCells, is_masked, masked_values
from runoff.base.validate import as_floats, check_finite
from runoff.errors import DataError
from runoff.tables.columns import listed
from runoff.tables.likely import plays
from runoff.tables.naming import spelled
from runoff.words.labels import is_summary, run_of
from runoff.words.words import kind

FEWEST = 6
"""The fewest neighbours whose order is tested."""
SHUFFLES = 2000
ROUNDING = 1e-12
SMOOTH = 0.5
"""The bound of von Neumann's ratio below which neighbours are alike; the ratio is 1 for a random order."""


def with_index(frame: Any) -> Any:
    """Return a frame with named row labels turned into columns, as by pandas' `reset_index`; a column of the same name stays.

    Named column levels become columns too, with one row per score, as by pandas' `melt`.
    """
    if not hasattr(frame, "reset_index"):
        return frame
    if getattr(frame.columns, "nlevels", 1) > 1:
        frame = _one_row_per_score(frame)
    # Names that are numbers, as pandas gives them to columns without one, would be places.
    if not all(isinstance(name, str) for name in frame.columns):
        frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    index = frame.index
    names = [name for name in index.names if name is not None and name not in frame.columns]
    if len(index.names) > 1 and None in index.names:
        raise DataError(
            f"the frame: its rows are labelled in {len(index.names)} levels, and one of them has no name; name them all, for example "
            "frame.rename_axis(['algorithm', 'task'])."
        )
    if not names:
        _refuse_summing(index)
    # pandas keeps the keys of groupby and pivot in the index, where they are labels of runs; an index without a name
    # counts rows.
    return frame.reset_index(level=names) if names else frame


def _refuse_summing(index: Any) -> None:
    """Refuse rows that are labelled as summaries, such as those of pandas' `describe`, because no column would show this."""
    labels = [label for label in index if isinstance(label, str)] if index.dtype.kind == "O" else []
    if any(map(is_summary, labels)):
        summing = [label for label in labels if is_summary(label) or re.fullmatch(r"count|[\d.]+%", label)]
        repair = (
            "give the score of every run" if len(summing) == len(index) else f"drop them: frame.drop(index={summing})"
        )
        raise DataError(f"the frame: its rows {listed(summing)} summarise runs and are not runs; {repair}.")


def _one_row_per_score(frame: Any) -> Any:
    """Return a pandas frame with named column levels reshaped to one row per score.

    Cells that a pivot left empty stay, and are refused as in a wide table, because a missing run cannot be distinguished from a failed one.
    """
    names = list(frame.columns.names)
    if None in names:
        raise DataError(
            f"the frame: its columns are labelled in {len(names)} levels, of which not all have a "
            "name: frame.rename_axis(columns=['algorithm', 'task'])."
        )
    return frame.melt(ignore_index=False, value_name="score")


def refuse_one_column(given: Any) -> None:
    """Refuse a Series, because a single column names no algorithm."""
    if type(given).__name__ != "Series":
        return
    levels = [str(name) for name in getattr(getattr(given, "index", None), "names", []) if name is not None]
    repair = (
        f"its labels ({', '.join(levels)}) become columns by series.reset_index(name='score')"
        if levels
        else "give the whole table, or {algorithm: series}"
    )
    raise DataError(f"a Series is one column, which does not name the algorithms of its scores: {repair}.")


def unmasked(name: str, column: Iterable[Any]) -> list[Any]:
    """Return a column as a list; refuse masked values."""
    if is_masked(column):
        raise masked_values(f"the frame: column {name!r}")
    return without_na(list(column))


def without_na(values: list[Any]) -> list[Any]:
    """Return values with None for each NA of pandas' nullable columns, which equals nothing and would otherwise become a name."""
    if all(kind.__name__ != "NAType" for kind in set(map(type, values))):
        return values
    return [None if type(value).__name__ == "NAType" else value for value in values]


AS_CURVES = "of learning curves name the axes, ro.load(data, dims='run,step')"
MANY = 10
"""The fewest columns of Python arrays that may be steps; fewer tasks are often written in the order of their scores."""


def nested_cells(scores: object, tasks: Sequence[str] | None) -> tuple[list[str], list[str], NestedCells]:
    """Return the names of algorithms and tasks, and the cells."""
    if not isinstance(scores, Mapping):
        raise DataError(f"from_dict takes {{algorithm: array or {{task: scores}}}}, not {type(scores).__name__}.")
    if not scores:
        raise DataError("from_dict was given no algorithm.")
    algorithms = _distinct("algorithm", scores)
    counted = next((name for name in algorithms if kind(name) in PROGRESS), None)
    if counted is not None:
        raise DataError(
            f"the key {counted!r} names no algorithm, and its values are not the steps of the others, which rise, one for each evaluation: "
            "give them so, or leave it out."
        )
    _refuse_counts(scores)
    by_task = [_by_task(name, given, tasks) for name, given in zip(algorithms, scores.values(), strict=True)]
    unnamed = {} if tasks is not None else {a: own for a, own in scores.items() if not isinstance(own, Mapping)}
    arrays = [as_floats(f"algorithm {a!r}", own) for a, own in unnamed.items() if not hasattr(own, "columns")]
    # Of arrays with 0 and 1 alone neighbours are alike by chance.
    many = [array for array in arrays if array.ndim == 2 and array.shape[1] >= MANY and np.unique(array).size > 2]
    if is_smooth([line for array in many for line in array]):
        raise DataError(
            f"the arrays have {many[0].shape[1]} columns, which would be tasks, but neighbours are alike, as along a learning curve: "
            f"{AS_CURVES}, or name the tasks, Scores.from_dict(…, tasks=[…])."
        )
    _refuse_unlike(algorithms, scores, by_task, tasks)
    names = list(dict.fromkeys(task for cells in by_task for task in cells))
    grid: NestedCells = {}
    for a, cells in enumerate(by_task):
        for task, values in cells.items():
            where = f"algorithm {algorithms[a]!r}, task {task!r}"
            array = as_floats(where, values)
            # An axis of evaluations would be pooled as runs.
            if array.ndim > 1 and array.size > max(array.shape):
                raise DataError(
                    f"{where} is an array of shape {array.shape}, not one score a run: {AS_CURVES}, or give array[:, -1]."
                )
            cell = array.ravel()
            check_finite(where, cell)
            grid[a, names.index(task)] = [str(r) for r in range(cell.size)], cell
    return algorithms, names, grid


def _refuse_counts(scores: Mapping[str, Any]) -> None:
    """Refuse (17, 20) beside (11, 20): as scores of two runs they would be 17 and 20, and are successes of 20 episodes as likely."""
    cells = [(f"algorithm {name!r}{where}", cell) for name, given in scores.items() for where, cell in _cells_of(given)]
    if len(cells) < 2 or not all(
        type(cell) is tuple and len(cell) == 2 and all(map(_is_count, cell)) for _, cell in cells
    ):
        return
    where, (k, n) = cells[0]
    if n >= 2 and {int(of) for _, (_, of) in cells} == {int(n)} and all(won <= of for _, (won, of) in cells):
        raise DataError(
            f"({k}, {n}) of {where} may be {k} successes in {n} episodes, or two scores: give [1] * {k} + [0] * {n - k} with "
            f"unit='episode', or the list [{k}, {n}]."
        )


def _cells_of(given: Any) -> Iterable[tuple[str, Any]]:
    """Return what an algorithm is given, by task where it has any, each with the words for its place."""
    return [(f", task {task!r}", cell) for task, cell in given.items()] if isinstance(given, Mapping) else [("", given)]


def _is_count(number: Any) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool) and int(number) >= 0


def _refuse_unlike(
    algorithms: Sequence[str],
    scores: Mapping[Any, Any],
    by_task: Sequence[Mapping[str, Any]],
    tasks: Sequence[str] | None,
) -> None:
    """Refuse arrays with different numbers of unnamed columns, because the third column of one may be the fourth of the other."""
    unnamed = [
        (name, len(cells))
        for name, cells, given in zip(algorithms, by_task, scores.values(), strict=True)
        if tasks is None and not isinstance(given, Mapping) and next(iter(cells), None) == "task 1"
    ]
    other = next(((name, n) for name, n in unnamed if n != unnamed[0][1]), None)
    if other is not None:
        (first, n), (second, m) = unnamed[0], other
        raise DataError(
            f"the array of {first!r} has {n} column(s), that of {second!r} {m}, and nobody has named their tasks, so that they cannot be "
            "matched: give {algorithm: {task: scores}}."
        )


def _distinct(noun: str, names: Iterable[Hashable]) -> list[str]:
    """Return names as text; refuse two equal names, because the second would replace the first."""
    # 1 and "1" are two keys of a dictionary and one name in every table.
    texts = [spelled(str(name)) for name in names]
    twice = next((name for at, name in enumerate(texts) if name in texts[:at]), None)
    if twice is not None:
        raise DataError(f"the {noun} {twice!r} is named twice; give each a name of its own.")
    return texts


def _by_task(algorithm: str, given: Any, tasks: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(given, Mapping):
        if all(run_of(str(name)) for name in given) and any(np.size(values) > 1 for values in given.values()):
            raise DataError(
                f"the keys {listed(list(map(str, given)), 3)} of algorithm {algorithm!r} name runs, not tasks, and each has several scores: "
                f"give an array of them, np.stack(list(runs.values())), and {AS_CURVES}."
            )
        return dict(zip(_distinct("task", given), given.values(), strict=True))
    named = list(getattr(given, "columns", ()))
    # a frame may have only numbers for the names of its columns
    if named and all(isinstance(name, str) for name in named) and tasks is None:
        return dict(zip(_distinct("task", named), (given[name] for name in named), strict=True))
    array = as_floats(f"algorithm {algorithm!r}", given)
    if array.ndim not in (1, 2):
        raise DataError(
            f"algorithm {algorithm!r} must be an array (n_runs, n_tasks), but its shape is {array.shape}; "
            f"{AS_CURVES.replace('run,', 'run,task,')}."
        )
    matrix = array[:, None] if array.ndim == 1 else array
    names = [f"task {t + 1}" for t in range(matrix.shape[1])] if tasks is None else _distinct("task", tasks)
    if len(names) != matrix.shape[1]:
        raise DataError(
            f"algorithm {algorithm!r} has {matrix.shape[1]} column(s) for {len(names)} task name(s); they must agree."
        )
    return dict(zip(names, np.asarray(matrix).T, strict=True))


PROGRESS = ("step", "iteration", "episode")
"""Kinds of keys that count the progress of training."""


def steps_beside(given: Mapping[Any, Any]) -> Hashable | None:
    """Return the key of the rising steps of the other entries of a dictionary of arrays; None of a table of runs, and without such a key.

    >>> steps_beside({"PPO": [[1.5, 2.5]], "steps": [100, 200]})
    'steps'
    """
    names = [str(name) for name in given]
    if any(plays(names, role, {}) for role in ("algorithm", "run", "score")):
        return None
    counts = [name for name in given if kind(str(name)) in PROGRESS and np.ndim(given[name]) == 1]
    return counts[0] if len(counts) == 1 < len(given) and bool((np.diff(given[counts[0]]) > 0).all()) else None


def is_smooth(lines: Sequence[Floats]) -> bool:
    """Return whether neighbouring numbers in lines are alike, by von Neumann's ratio compared with that of 2,000 permutations of the positions.

    All lines of the same length are permuted together, because runs share the peculiarities of a task.

    >>> is_smooth([np.linspace(0, 1, 50) ** 2]), is_smooth([np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0])])
    (True, False)
    """
    by_length: dict[int, list[Floats]] = {}
    for line in lines:
        if line.size >= FEWEST and np.ptp(line) > 0:
            # In units of its own spread, so that no run with large scores decides for all.
            by_length.setdefault(line.size, []).append((line - line.mean()) / line.std())
    return any(_smooth(np.array(group)) for group in by_length.values())


def _smooth(lines: Floats) -> bool:
    # A seed of its own: whether data are refused must not depend on the caller's.
    rng = np.random.default_rng(0)
    # (x_i − x_{i+1})² = x_i² + x_{i+1}² − 2 x_i x_{i+1}: the mean products of all pairs of places give the ratio of
    # every order without a look at the lines.
    products = lines.T @ lines / lines.shape[0]  # of places: their mean product over all lines
    places = np.arange(lines.shape[1])

    def ratio(order: np.ndarray) -> float:
        here, there = order[:-1], order[1:]
        squares = products[here, here] + products[there, there] - 2 * products[here, there]
        return float(squares.mean() / 2)

    own = ratio(places)
    # the order itself, and its reverse, may come again
    return own < SMOOTH and all(own <= ratio(rng.permutation(places)) + ROUNDING for _ in range(SHUFFLES))
