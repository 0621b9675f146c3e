"""Learning curves in files: arrays of them beside the array of their steps, and those of JSON, as lists of evaluations, lists of them by name
beside their steps, lists of lists, or lists of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.validate import as_floats
from runoff.errors import DataError, OptionError
from runoff.reading._axes import AXES, axes_of
from runoff.reading._known import meaning_of, named_run
from runoff.reading.formats.base import INNER_KEY, KEY, Source, structural
from runoff.tables.columns import FRAME, NAMED, listed
from runoff.tables.likely import candidates
from runoff.tables.nested import PROGRESS, steps_beside
from runoff.tables.source import SourceTable
from runoff.words.labels import run_of
from runoff.words.measured import common_measure, without_measure
from runoff.words.scoring import score_of
from runoff.words.speech import option
from runoff.words.words import kind

# ── arrays ──────────


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


def stacked(parts: Sequence[Mapping[str, Sequence[Any]]]) -> dict[str, list[Any]]:
    """Return the rows of several tables with the same columns below each other."""
    return {role: [entry for part in parts for entry in part[role]] for role in parts[0]}


def scores_alone(arrays: Mapping[str, NDArray[Any]]) -> tuple[str, list[str]]:
    """Return the array of scores of the one algorithm that the file names, and the arrays beside it that are neither its steps nor the names of
    runs; "" where another name may be one of an algorithm: an array of its shape that is not called by a measure."""
    score = score_of(list(arrays))
    beside = [name for name in arrays if name != score]
    shapes = {arrays[score].shape} if score else set()
    # Beside an evaluation, returns of training are no other score.
    others = [name for name in beside if kind(name) not in ("metric", "time", "score", *PROGRESS)]
    if not score or any(meaning_of([name]) in NAMED or arrays[name].shape in shapes for name in others):
        return "", []
    return score, [name for name in beside if kind(name) not in PROGRESS]


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
    columns = stacked(parts)
    columns["step"] = [float(steps[int(step) - 1]) for step in columns["step"]]
    rest = (
        ", whose other axis is taken as runs"
        if whole
        else ", whose names hold their runs" * any(run for _, run in names.values())
    )
    rest = f", whose axes are {', '.join(axes)}" if len(axes) > 2 else rest
    note = f"array {counts[0]!r} holds the steps of {f'array {score!r}' if score else 'the other arrays'}{rest}"
    return structural(place, columns, note, by_axes=named_axes is not None)


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
    parts = []
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
        parts.append(part)
    return stacked(parts)


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


# ── lists in JSON ──────────


def curves_of_runs(
    rows: list[tuple[Any, ...]], levels: list[tuple[str, ...]], runs: list[int], source: Source
) -> SourceTable | None:
    """Return the table of lists of scores, each run's evaluations, below three levels of keys, one of which names runs; or of lists of scores
    beside those of their steps, by name."""
    beside = _beside_steps(rows, levels, runs, source) if runs else _matrices_beside_steps(rows, levels, source)
    if beside is not None:
        return beside
    if len(levels) != 3 or len(runs) != 1 or not all(is_scalars(scores) and scores for _, scores in rows):
        return None
    order = [*(i for i in range(3) if i != runs[0]), runs[0]]
    points = [(*(keys[i] for i in order), at + 1.0, score) for keys, scores in rows for at, score in enumerate(scores)]
    note = f"keys of 3 levels: those of level {runs[0] + 1} are taken as runs, and the entries of a list as its evaluations, at steps 1, 2, …"
    return of_points((KEY, INNER_KEY, "run", "step", "score"), points, source.place, note)


def _beside_steps(
    rows: list[tuple[Any, ...]], levels: list[tuple[str, ...]], runs: list[int], source: Source
) -> SourceTable | None:
    """Return the table of the curve of each run, `{steps: [...], return: [...]}`, below two or three levels of keys, one of which names runs;
    None of others."""
    inner: dict[tuple[str, ...], dict[str, Any]] = {}
    for keys, values in rows if len(levels) in (3, 4) and len(runs) == 1 else ():
        inner.setdefault(keys[:-1], {})[keys[-1]] = values
    names = list(next(iter(inner.values()), ()))
    steps, scores = (candidates(names, role) for role in ("step", "score"))
    alike = all(own.keys() == {*names} and _are_alike(list(own.values())) for own in inner.values())
    if len(steps) != 1 or len(scores) != 1 or not alike:
        return None
    rest = [name for name in names if name not in (*steps, *scores)]
    levels_of_names = [KEY, INNER_KEY][: len(levels) - 2]
    levels_of_names.insert(runs[0], "run")
    points = [
        (*keys, *point) for keys, own in inner.items() for point in zip(own[steps[0]], own[scores[0]], strict=True)
    ]
    note = f"keys of {len(levels)} levels: those of level {runs[0] + 1} are taken as runs, {scores[0]!r} as the score at each {steps[0]!r}"
    note += f"; left out: {listed(rest)}" if rest else ""
    return of_points((*levels_of_names, "step", "score"), points, source.place, note)


def _matrices_beside_steps(
    rows: list[tuple[Any, ...]], levels: list[tuple[str, ...]], source: Source
) -> SourceTable | None:
    """Return the table of the curves of several runs, `{steps: [...], returns: [[...]]}`, below one or two levels of keys; None of others."""
    inner: dict[tuple[str, ...], dict[str, Any]] = {}
    for keys, values in rows if len(levels) in (2, 3) else ():
        inner.setdefault(keys[:-1], {})[keys[-1]] = values
    names = list(next(iter(inner.values()), ()))
    steps, scores = (candidates(names, role) for role in ("step", "score"))
    if len(steps) != 1 or len(scores) != 1 or not all(own.keys() == {*names} for own in inner.values()):
        return None
    curves = {keys: (own[steps[0]], _by_run(own[scores[0]], own[steps[0]])) for keys, own in inner.items()}
    if not all(own for _, own in curves.values()):
        return None
    points = [
        (*keys, str(run), step, score)
        for keys, (along, own) in curves.items()
        for run, curve in enumerate(own)
        for step, score in zip(along, curve, strict=True)
    ]
    note = f"{scores[0]!r} holds the scores of each run at each of {steps[0]!r}"
    return of_points((*(KEY, INNER_KEY)[: len(levels) - 1], "run", "step", "score"), points, source.place, note)


def _by_run(scores: Any, steps: Any) -> list[list[Any]]:
    """Return the curve of each run of a matrix that has the steps along one axis alone; nothing of other values."""
    if not (
        is_scalars(steps) and is_matrix(scores) and len({*map(len, scores)}) == 1 and len(scores) != len(scores[0])
    ):
        return []
    if len(steps) == len(scores[0]):
        return list(scores)
    return [list(curve) for curve in zip(*scores, strict=True)] if len(steps) == len(scores) else []


def _are_alike(lists: list[Any]) -> bool:
    """Return whether all of some values are lists of scalars of one length."""
    return all(is_scalars(own) and own for own in lists) and len({len(own) for own in lists}) == 1


def curves_of_matrices(content: dict[str, dict[str, Any]], source: Source) -> SourceTable:
    """Return the table of {name: {name: matrix}}, whose axes are runs and steps according to the user."""
    first = next(iter(next(iter(content.values())).values()))
    if all(_are_pairs(rows) for tasks in content.values() for rows in tasks.values()):
        return _curves_of_pairs(content, source)
    if source.axes is None or sorted(source.axes) != ["run", "step"]:
        raise DataError(
            f"{source.place}: below two levels of keys lie lists of lists, the first of {len(first)} by {len(first[0])}, which are runs of "
            f"several evaluations, or evaluations of several runs; say which: {option('dims', 'run,step')} or {option('dims', 'step,run')}."
        )
    by_run = source.axes[0] == "run"
    points = [
        (name, task, str(i if by_run else j), (j if by_run else i) + 1.0, score)
        for name, tasks in content.items()
        for task, rows in tasks.items()
        for i, row in enumerate(rows)
        for j, score in enumerate(row)
    ]
    note = f"{{name: {{name: [[scores]]}}}}: the axes are {', '.join(source.axes)}, by request"
    return of_points((KEY, INNER_KEY, "run", "step", "score"), points, source.place, note, by_axes=True)


def of_points(
    names: Sequence[str], points: Sequence[tuple[Any, ...]], place: str, note: str, **facts: Any
) -> SourceTable:
    """Return the table of points, each with the names that it stands below and its score."""
    return structural(place, dict(zip(names, map(list, zip(*points, strict=True)), strict=True)), note, **facts)


def _are_pairs(rows: list[list[Any]]) -> bool:
    """Return whether each row is a curve of pairs of a step, which rises, and a score: [[1000, 1.5], [2000, 2.5]]."""
    pairs = all(is_scalars(pair) and len(pair) == 2 for row in rows for pair in row)
    return pairs and all(first[0] < second[0] for row in rows for first, second in pairwise(row))


def _curves_of_pairs(content: dict[str, dict[str, Any]], source: Source) -> SourceTable:
    """Return the table of {name: {name: [[[step, score]]]}}, a list of pairs for each run."""
    points = [
        (name, task, str(run), float(step), score)
        for name, tasks in content.items()
        for task, runs in tasks.items()
        for run, pairs in enumerate(runs)
        for step, score in pairs
    ]
    note = "each list of pairs of a step and a score is the curve of a run"
    return of_points((KEY, INNER_KEY, "run", "step", "score"), points, source.place, note)


def is_matrix(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, list) and row for row in rows)


def is_scalars(column: Any) -> bool:
    return isinstance(column, list) and not any(isinstance(value, list | dict) for value in column)
