"""How much of the spread is due to tasks, runs and evaluation episodes? And runs made of episodes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from runoff._inference.shape import Components, nested_components
from runoff.base.arrays import Floats
from runoff.base.validate import check_count
from runoff.data.curves import Curves
from runoff.data.provenance import Provenance
from runoff.data.scores import Grid, Scores
from runoff.errors import DataError, OptionError, RunoffWarning
from runoff.io.given import as_scores, as_table
from runoff.results.variance import Component, VarianceRecord, VarianceResult
from runoff.tables.columns import plays
from runoff.tables.labels import natural
from runoff.tables.tidy import Table, tidy
from runoff.words.numbers import span

Cell = tuple[str, str]
Episodes = dict[Cell, dict[str, Floats]]
"""(algorithm, task) -> run -> scores of its episodes."""


def variance(
    data: Scores | Curves | Any,
    *,
    last: int = 1,
    algorithm: str | None = None,
    task: str | None = None,
    run: str | None = None,
    step: str | None = None,
    score: str | None = None,
) -> VarianceResult:
    """How much of the spread of scores is due to tasks, runs and evaluation episodes?

    Parameters
    ----------
    data : Scores, Curves, a table, a path, or what `Scores.from_dict` takes
        A table has one row per episode: the rows of one algorithm, task and run at its final step (all rows, without a step column) are its
        episodes. For curves, the last evaluations take their place. Normalise first if tasks have different units.
    last : int
        Evaluations at the end of each curve; with 1, evaluation noise cannot be told from the spread of runs.
    algorithm, task, run, step, score : str, optional
        Columns of a table; None recognises the usual names.

    Returns
    -------
    VarianceResult

    Raises
    ------
    DataError
        A missing or ambiguous column, text, NaN or infinity.
    DesignError
        A curve with fewer than `last` evaluations.
    OptionError
        Columns named for data that are not a table.

    Warns
    -----
    RunoffWarning
        Runs with several scores at their final step: these are episodes, whatever they are called.

    Notes
    -----
    score = mean + task + run within task + episode within run, each with its own variance, estimated from the mean squares of the nested
    analysis of variance (Henderson's method 1) with negative estimates set to 0. Tasks are a sample of a benchmark here; elsewhere in this
    package they are fixed. `share_of_score` answers whether longer evaluations would help: it is the share of evaluation noise in a run's
    score, which more episodes reduce. Evaluations of one curve are correlated: their noise is a lower bound.

    References
    ----------
    Searle, Casella & McCulloch 1992, Variance Components, §3.6. Bouthillier et al. 2021, "Accounting for Variance in ML Benchmarks".

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [18.0, 20.0, 19.0], "Hero": [8.0, 9.0, 10.0]}})
    >>> print(ro.variance(scores))
    A: 98 % tasks, 2 % runs.
    """
    named = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
    notes: tuple[str, ...] = ()
    if isinstance(data, Scores | Curves):
        if any(named.values()):
            raise OptionError(f"columns can be named only for a table; {type(data).__name__} have none.")
        found = _of_scores(data) if isinstance(data, Scores) else _of_curves(data, check_count("last", last))
    else:
        rows = as_table(data, named)
        if rows is None:
            return variance(as_scores(data))
        found, notes, _ = _of_table(*rows)
        _warn(notes)
    algorithms = tuple(dict.fromkeys(name for name, _ in found))
    records = tuple(record for name in algorithms for record in _records(name, _nest(found, name)))
    return VarianceResult(records=records, algorithms=algorithms, notes=notes)


def average_episodes(
    frame: Any,
    *,
    algorithm: str | None = None,
    task: str | None = None,
    run: str | None = None,
    step: str | None = None,
    score: str | None = None,
) -> Scores:
    """What did each run achieve, when the table has one row per episode?

    The rows of one algorithm, task and run at its final step (all its rows, without a step column) are averaged: episodes are not runs,
    and counting them as runs would make every answer too sure.

    Parameters
    ----------
    frame : pandas, polars or pyarrow table, a dict of columns, or a path
    algorithm, task, run, step, score : str, optional
        Column names; None recognises the usual ones.

    Returns
    -------
    Scores
        One score per run, with a note in its provenance.

    Raises
    ------
    DataError
        A missing or ambiguous column, text, NaN or infinity.

    Warns
    -----
    RunoffWarning
        How many rows became how many runs.

    Examples
    --------
    >>> import runoff as ro, warnings
    >>> rows = {"algo": ["A"] * 4, "seed": [0, 0, 1, 1], "score": [1.0, 3.0, 5.0, 7.0]}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     ro.average_episodes(rows).cell("A", 0)
    array([2., 6.])
    """
    named = {"algorithm": algorithm, "task": task, "run": run, "step": step, "score": score}
    rows = as_table(frame, named)
    if rows is None:
        raise DataError(
            "one row per episode is needed, with the columns algorithm, run and score, not scores by algorithm and task."
        )
    found, notes, columns = _of_table(*rows)
    _warn(notes)
    algorithms, tasks = (sorted({cell[i] for cell in found}) for i in (0, 1))
    grid: Grid = {}
    for (a, t), runs in found.items():
        labels = sorted(runs, key=natural)
        grid[algorithms.index(a), tasks.index(t)] = labels, np.array([float(runs[r].mean()) for r in labels])
    return Scores.from_grid(algorithms, tasks, grid, Provenance(format="frame", columns=columns).noting(*notes))


def _of_scores(scores: Scores) -> Episodes:
    return {
        (a, t): {str(i): value[None] for i, value in enumerate(scores.cell(a, t))}
        for a in scores.algorithms
        for t in scores.tasks
        if scores.cell(a, t).size
    }


def _of_curves(curves: Curves, last: int) -> Episodes:
    curves.final(last)  # refuses shorter curves, by name
    found: Episodes = {}
    for cell, (start, stop) in enumerate(zip(curves.cell_offsets[:-1], curves.cell_offsets[1:], strict=True)):
        a, t = divmod(cell, len(curves.tasks))
        runs = {curves.runs[i]: curves.curve(i)[1][-last:] for i in range(int(start), int(stop))}
        if runs:
            found[curves.algorithms[a], curves.tasks[t]] = runs
    return found


def _of_table(
    table: Table, chosen: Mapping[str, str | None]
) -> tuple[Episodes, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the episodes at each run's final step, what to say about them, and which column is what."""
    stepped = plays(list(table.columns), "step", chosen)
    roles = {role: column for role, column in chosen.items() if role != "step" or stepped}
    data = tidy(table, chosen=roles, with_step=stepped)
    rows: dict[Cell, dict[str, list[int]]] = {}
    for index, (a, t, r) in enumerate(zip(*(data.labels[role] for role in ("algorithm", "task", "run")), strict=True)):
        rows.setdefault((a, t), {}).setdefault(r, []).append(index)
    found: Episodes = {}
    for cell, runs in sorted(rows.items()):
        found[cell] = {}
        for r, indices in runs.items():
            at = np.array(indices)
            ends = at if data.step is None else at[data.step[at] == data.step[at].max()]
            found[cell][r] = data.score[ends]
    return found, (*data.notes, *_repeated(found)), tuple(data.mapping.items())


def _repeated(found: Episodes) -> list[str]:
    sizes = [episodes.size for runs in found.values() for episodes in runs.values()]
    if max(sizes) == 1:
        return []
    return [
        f"{sum(sizes)} scores belong to {len(sizes)} runs, {span(sizes)} each: they are evaluation episodes of these runs, not runs, and were "
        f"averaged by run; n is {len(sizes)}, not {sum(sizes)}"
    ]


def _warn(notes: tuple[str, ...]) -> None:
    for note in notes:
        warnings.warn(note + ".", RunoffWarning, stacklevel=3)


def _nest(found: Episodes, algorithm: str) -> list[list[Floats]]:
    return [list(runs.values()) for (name, _), runs in found.items() if name == algorithm]


def _records(algorithm: str, nest: list[list[Floats]]) -> list[VarianceRecord]:
    parts = nested_components(nest)
    variances: dict[Component, float | None] = {"task": parts.task, "run": parts.run, "episode": parts.episode}
    counts = {"task": parts.n_tasks, "run": parts.n_runs, "episode": parts.n_episodes}
    total = sum(value or 0.0 for value in variances.values())
    return [
        VarianceRecord(
            algorithm=algorithm,
            component=component,
            variance=value,
            share=None if value is None or total == 0 else value / total,
            share_of_score=_of_score(component, parts),
            n=counts[component],
        )
        for component, value in variances.items()
    ]


def _of_score(component: Component, parts: Components) -> float | None:
    """Return a component's share of the variance of a run's mean over its episodes."""
    if component == "task" or parts.run is None or parts.episode is None:
        return None
    noise = parts.episode / parts.episodes_per_run
    if parts.run + noise == 0:
        return None
    return (parts.run if component == "run" else noise) / (parts.run + noise)
