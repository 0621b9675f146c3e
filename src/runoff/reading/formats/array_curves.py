"""Arrays of learning curves beside the array of their steps: of algorithms, of runs, or of the one algorithm that the file names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.validate import as_floats
from runoff.errors import DataError, OptionError
from runoff.reading._axes import AXES, axes_of
from runoff.reading._known import named_run
from runoff.reading.formats.base import KEY, LEVELS, structural
from runoff.tables.columns import FRAME
from runoff.tables.nested import PROGRESS, steps_beside
from runoff.tables.source import SourceTable
from runoff.words.columns import names_quality
from runoff.words.labels import run_of
from runoff.words.measured import common_measure, without_measure
from runoff.words.speech import option
from runoff.words.words import kind


def columns_of(name: str | None, array: NDArray[Any], axes: Sequence[str]) -> dict[str, list[Any]]:
    # One row for each number, in C order, which is that of `ravel`.
    index = dict(zip(axes, np.indices(array.shape).reshape(array.ndim, -1).tolist(), strict=True))
    return {
        **({} if name is None else {KEY: [name] * array.size}),
        **({"run": list(map(str, index["run"]))} if "run" in index else {}),
        "score": array.astype(np.float64).ravel().tolist(),
        **({"task": [f"task {t + 1}" for t in index["task"]]} if "task" in index else {}),
        **({"step": [s + 1.0 for s in index["step"]]} if "step" in index else {}),
    }


def scores_alone(arrays: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the array of scores of the one algorithm that the file names, beside arrays of its steps and of other measures, and these
    measures; "" where another name may be one of an algorithm."""
    scores = [name for name in arrays if kind(name) == "score" or names_quality(name)]
    beside = [name for name in arrays if name not in scores and kind(name) in ("metric", "time", *PROGRESS)]
    if len(scores) != 1 or len(scores) + len(beside) < len(arrays):
        return "", []
    return scores[0], [name for name in beside if kind(name) not in PROGRESS]


def _called(arrays: Mapping[str, NDArray[Any]]) -> dict[str, tuple[str | None, str | None]]:
    """Return what each array of scores is of, without the measure that all have, and its run where all have one (`ppo_seed0`); None where the
    file names it."""
    if len(arrays) == 1 and scores_alone(arrays)[0]:
        return dict.fromkeys(arrays, (None, None))
    measure = common_measure(list(arrays))
    names = {name: without_measure(name, measure) if kind(measure) == "score" else name for name in arrays}
    if len({*names.values()}) < len(names) or not all(names.values()):
        names = {name: name for name in arrays}
    runs = {name: named_run(text) or ("", run_of(text) or "") for name, text in names.items()}
    parted = {name: own for name, own in runs.items() if own[1]}
    kinds = {kind(bare) for bare, _ in parted.values()}
    several = any(array.ndim > 1 for array in arrays.values()) or len({*parted.values()}) < len(names)
    if several or kinds not in ({None}, {"score"}):
        return {name: (text, None) for name, text in names.items()}
    return {name: (bare if bare and kinds == {None} else None, run) for name, (bare, run) in parted.items()}


def curves_beside_steps(
    arrays: Mapping[str, NDArray[Any]], place: str, named_axes: tuple[str, ...] | None = None
) -> SourceTable | None:
    """Return the table of arrays of curves beside the array of their steps, with the axes run and step, in either order, or run, task and step,
    or those named; None of other arrays. A single run has one axis."""
    counts = [name for name, array in arrays.items() if array.ndim == 1 and array.size > 1 and kind(name) in PROGRESS]
    others = {name: array for name, array in arrays.items() if name not in counts and kind(name) not in PROGRESS}
    if len(counts) != 1 or not others or any(array.dtype.kind not in "fiu" for array in arrays.values()):
        return None
    steps = arrays[counts[0]].astype(np.float64)
    whole = {name: array for name, array in others.items() if array.ndim > 1}
    axes = named_axes or _axes_beside(counts[0], steps.size, whole, place)
    if not axes:
        return None
    own = {
        name: axes_of(f"array {name!r}", array.shape, axes, place) if name in whole else ("step",)
        for name, array in others.items()
    }
    along = [array.shape[own[name].index("step")] if "step" in own[name] else 0 for name, array in others.items()]
    if not (np.diff(steps) > 0).all() or {*along} != {steps.size}:
        return None
    names, score = _called(others), scores_alone(arrays)[0]
    # The name of a file may say which run it is.
    alone = score and not whole
    parts = [
        ({} if alone else {"run": [names[name][1] or "0"] * array.size}) | columns_of(names[name][0], array, own[name])
        for name, array in others.items()
    ]
    columns = {role: [entry for part in parts for entry in part[role]] for role in parts[0]}
    columns["step"] = [float(steps[int(step) - 1]) for step in columns["step"]]
    rest = (
        ", whose other axis is taken as runs"
        if whole
        else ", whose names hold their runs" * any(run for _, run in names.values())
    )
    rest = f", whose axes are {', '.join(axes)}" if len(axes) > 2 else rest
    note = f"array {counts[0]!r} holds the steps of {f'array {score!r}' if score else 'the other arrays'}{rest}"
    keys = {KEY: LEVELS[KEY]} if KEY in columns else {}
    return structural(place, columns, note, keys=keys, by_axes=named_axes is not None)


def curves_in(given: Mapping[Any, Any], named_axes: tuple[str, ...] | None = None) -> dict[str, list[Any]] | None:
    """Return a row for each evaluation of the learning curves in a dictionary {algorithm: array} or {algorithm: {task: array}}, if it holds
    their steps as well or the user names the axes; None of another dictionary."""
    counted = steps_beside(given)
    if counted is None and "step" not in (named_axes or ()):
        return None
    by_task = {str(a): {None: own} if not isinstance(own, Mapping) else own for a, own in given.items() if a != counted}
    arrays = {
        f"{a}/{task}" if task is not None else a: as_floats(f"algorithm {a!r}", values)
        for a, own in by_task.items()
        for task, values in own.items()
    }
    # Heads that name runs are those of a table.
    if all(map(run_of, arrays)):
        return None
    steps = None if counted is None else as_floats("the steps", given[counted])
    whole = {name: array for name, array in arrays.items() if array.ndim > 1}
    axes = named_axes or _axes_beside(str(counted), len(given[counted]), whole, FRAME)
    if "task" in axes and any(task is not None for own in by_task.values() for task in own):
        raise OptionError(f"{FRAME}: {option('dims', ','.join(axes))} names tasks, as the dictionary does already.")
    columns: dict[str, list[Any]] = {}
    for (name, array), (a, task) in zip(
        arrays.items(), [(a, task) for a, own in by_task.items() for task in own], strict=True
    ):
        own = ("step",) if name not in whole else axes_of(f"array {name!r}", array.shape, axes, FRAME) if axes else ()
        part: dict[str, list[Any]] = {
            "algorithm": [a] * array.size,
            "run": ["0"] * array.size,
            "task": ["task" if task is None else str(task)] * array.size,
        }
        if steps is not None and (not own or array.shape[own.index("step")] != steps.size):
            raise DataError(
                f"{FRAME}: array {name!r} has the shape {array.shape}, which does not fit {steps.size} steps."
            )
        part |= columns_of(None, array, own)
        if steps is not None:
            part["step"] = [float(steps[int(step) - 1]) for step in part["step"]]
        for role, values in part.items():
            columns.setdefault(role, []).extend(values)
    return columns


def _axes_beside(counted: str, n_steps: int, arrays: Mapping[str, NDArray[Any]], place: str) -> tuple[str, ...]:
    """Return the axes of arrays beside their steps, none if they do not fit; ask if several axes are as long as these."""
    if not arrays:
        return ("run", "step")
    # Twenty runs of twenty steps say nothing, where five runs of another algorithm do.
    fits = [{axis for axis, n in enumerate(array.shape) if n == n_steps} for array in arrays.values()]
    common = set.intersection(*fits)
    depth, *others = {array.ndim for array in arrays.values()}
    if others or depth > len(AXES) or not common:
        return ()
    usual = AXES if depth == len(AXES) else ("run", "step")
    ways = [way for way in permutations(usual) if way.index("step") in common]
    if len(ways) == 1 or common == {depth - 1}:
        return usual if usual in ways else ways[0]
    first = next(iter(arrays))
    raise DataError(
        f"{place}: {counted!r} holds {n_steps} steps, and nothing says along which axis of array {first!r}, of shape {arrays[first].shape}, "
        f"they stand; use {' or '.join(option('dims', ','.join(way)) for way in ways)}."
    )
