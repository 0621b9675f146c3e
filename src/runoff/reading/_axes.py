"""The unnamed axes of arrays: the user's statement about them, and evidence in the numbers against the default reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError, OptionError
from runoff.reading._names import clues
from runoff.references import load_reference, registered
from runoff.tables.nested import is_smooth
from runoff.tables.source import SourceTable
from runoff.words.speech import option
from runoff.words.words import vocabulary, words

AXES = ("run", "task", "step")
"""The default axes of arrays."""
FEWEST_TASKS = 16
"""The number of tasks from which on a benchmark has more tasks than there usually are runs."""
FEWEST_STEPS = 8
"""The smallest number of evaluations that a learning curve usually has."""
CURVES = vocabulary("curve curves learning history returns rewards evaluations evals updates steps")
"""Words in names of arrays that hold learning curves."""
LONGEST = 100
"""The largest length of an axis that may be runs, or tasks without names: Atari has 57 games, Atari 100k has 100 runs."""


def parsed_axes(axes: str | None) -> tuple[str, ...] | None:
    """Return the axes in a text such as "run,step"."""
    if axes is None:
        return None
    names = tuple(name.strip() for name in axes.split(","))
    if not set(names) <= set(AXES) or len(set(names)) < len(names):
        raise OptionError(
            f"{option('dims', axes)}: the axes of an array are run, task or step, each at most once, in the order of its shape; for example "
            f"{option('dims', 'run,step')}."
        )
    return names


def axes_of(called: str, shape: tuple[int, ...], axes: tuple[str, ...] | None, place: str) -> tuple[str, ...]:
    """Return the axes of an array; refuse those that do not fit its shape."""
    if axes is not None and len(axes) != len(shape):
        raise OptionError(
            f"{place}: {option('dims', ','.join(axes))} names {len(axes)} axes, but {called} has the shape {shape}."
        )
    return AXES[: len(shape)] if axes is None else axes


def with_axes(table: SourceTable, axes: tuple[str, ...] | None) -> SourceTable:
    """Return the table of lists of scores with the axis that the user gives; refuse axes for a file without arrays or lists."""
    if axes is None or table.by_axes:
        return table
    if not table.entries or axes not in (("run",), ("step",)):
        what = "lists, which have one axis, run or step" if table.entries else "no arrays"
        raise OptionError(
            f"{table.place}: {option('dims', ','.join(axes))} cannot be used, because the file has {what}."
        )
    if axes == ("run",):
        return replace(table, by_axes=True)
    columns = table.others("run")
    columns["step"] = [float(run) + 1 for run in table.columns["run"]]
    return replace(table, columns=columns, entries=False, by_axes=True)


def refuse_matrices(matrices: Sequence[Floats], called: str, place: str, score: str) -> None:
    """Refuse arrays (n_runs, n_tasks) one axis of which looks like the steps of training: it is long, or smooth, or the array is
    called by them. score: what the file calls the array where the algorithm has another name."""
    # rliable's arrays are (n_runs, n_tasks), and a matrix of (n_runs, n_evaluations) looks the same: read so, a curve
    # would become tasks, or its points runs.
    n_runs, n_tasks = matrices[0].shape
    alike = len({len(matrix) for matrix in matrices}) == 1
    called_so = n_tasks >= FEWEST_STEPS and bool(CURVES.intersection(words(score or called)))
    if n_runs in _benchmarks() and n_tasks not in _benchmarks() and alike:
        curves = called_so or (n_tasks >= FEWEST_STEPS and is_smooth([*chain(*matrices)]))
        ways = [f"{option('dims', 'run,step')} if its rows are learning curves"] * curves
        ways += [option("dims", "task,run") + " if they are tasks" * curves]
        raise DataError(
            f"{place}: {called} has the shape {matrices[0].shape}, and its first axis would be {n_runs} runs, but a benchmark has as many "
            f"tasks; use {', '.join(ways)}, or {option('dims', 'run,task')} if there are {n_runs} runs."
        )
    if called_so and not _is_smooth_along(matrices, 0):
        ways = [
            f"{option('dims', 'run,step')} if its rows are learning curves",
            f"{option('dims', 'run,task')} if it counts tasks",
        ]
        # Round numbers are those of evaluations: Meta-World's 50 tasks are named.
        ways = ways[::-1] if n_tasks in _benchmarks() and n_tasks % 10 else ways
        raise DataError(
            f"{place}: {called} has the shape {matrices[0].shape}, and by its name its axis of {n_tasks} may hold evaluations, or tasks; use "
            f"{', or '.join(ways)}."
        )
    for axis, noun in enumerate(("runs", "tasks")):
        size = matrices[0].shape[axis]
        smooth = _is_smooth_along(matrices, axis)
        if size > LONGEST or smooth:
            why = (
                "neighbours along it are alike, as in a learning curve"
                if smooth
                else "an axis of runs or tasks is seldom that long"
            )
            steps, runs = ("run,step", "run,task") if axis else ("step,run", "run,task")
            named = option("dims", steps), f"{option('dims', runs)} if it counts {noun} nevertheless"
            # Fewer than a curve has are more likely counted.
            if size < FEWEST_STEPS:
                named = option("dims", runs), f"{option('dims', steps)} if it holds evaluations"
            raise DataError(
                f"{place}: {called} has the shape {matrices[0].shape}, and its axis of {size} would be {noun}, but {why}; use "
                f"{', or '.join(named)}."
            )


def _is_smooth_along(matrices: Sequence[Floats], axis: int) -> bool:
    return is_smooth([line for matrix in matrices for line in (matrix if axis else matrix.T)])


@cache
def _benchmarks() -> frozenset[int]:
    """Return the numbers of tasks of benchmarks that are rarely numbers of runs."""
    sizes = {26, 49, 55, 57, *(len(load_reference(name).scores) for name in registered())}
    return frozenset(size for size in sizes if size >= FEWEST_TASKS)


def refuse_two_tasks(table: SourceTable, parts: Sequence[str], place: str) -> None:
    """Refuse an array (n_runs, n_tasks) whose path names a single task."""
    # `task 1`, `task 2` are the names that the reader of arrays made up.
    tasks = table.columns.get("task", ())[:2]
    if table.by_axes or not table.entries or "step" in table.columns or list(tasks) != ["task 1", "task 2"]:
        return
    task = clues(parts).task
    if task is not None:
        raise DataError(
            f"{place}: the path names the task {task!r}, so the second axis of the array does not count tasks; use "
            f"{option('dims', 'run,step')}, or {option('dims', 'step,run')}."
        )


def refuse_lists(table: SourceTable, cells: Ints, scores: Floats) -> None:
    """Refuse lists of scores in which neighbours are alike: they may be learning curves, or sorted. `cells` are the lists of the scores."""
    if table.by_axes or not table.entries or "task 1" in table.columns.get("task", ())[:1]:
        return
    order = np.argsort(cells, kind="stable")
    lists = np.split(scores[order], np.flatnonzero(np.diff(cells[order])) + 1)
    # A list says nothing of what it counts; scores that were sorted look like a curve too, and are runs all the same,
    # so that this is a question.
    if is_smooth(lists):
        raise DataError(
            f"{table.place}: neighbours in a list of {max(line.size for line in lists)} scores are alike, as in a learning curve; use "
            f"{option('dims', 'step')}, or {option('dims', 'run')} if it has one score per run, sorted."
        )
