"""What is true of an algorithm in a world: the value an estimate should have with endless runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from runoff._inference.bootstrap import estimates, parse_metric, prepare
from runoff.base.arrays import Floats
from runoff.errors import OptionError
from runoff.studies.worlds import Empirical, World

GAMMA = 1.0
"""Threshold of the optimality gap, in units of the scores."""


def truth(world: World, metric: str, algorithm: int = 0) -> float:
    """Return the true metric of one algorithm.

    mean, median: of the true task means. All others: of the distribution of all tasks' runs, which is known for empirical worlds, with exactly
    their share cut.

    Raises
    ------
    OptionError
        Another metric, or one of the runs' distribution where the world is not empirical.
    """
    row = world.grid[algorithm]
    if metric in OF_MEANS:
        return float(OF_MEANS[metric]([cell.true_mean for cell in row]))
    entry = parse_metric(metric)
    values = []
    for cell in row:
        if not isinstance(cell.family, Empirical):
            raise OptionError(f"world {world.name!r}: the true {metric} is known for empirical distributions only.")
        values.append(cell.place(np.asarray(cell.family.values)))
    if metric in OF_RUNS:
        return OF_RUNS[metric](values)
    pool = prepare(values, [entry], gamma=GAMMA, exact=True)
    return float(estimates(pool)[pool.column(entry)])


def _gap(values: Sequence[Floats]) -> float:
    return float(np.mean([np.maximum(GAMMA - v, 0.0).mean() for v in values]))


def _iqm(cells: Sequence[Floats]) -> float:
    """Every task weighs the same, and 25 % of the weight is cut at each end."""
    values = np.concatenate(cells)
    weights = np.concatenate([np.full(v.size, 1.0 / (v.size * len(cells))) for v in cells])
    order = np.argsort(values)
    above = np.cumsum(weights[order])
    part = np.clip(np.minimum(above, 0.75) - np.maximum(above - weights[order], 0.25), 0.0, None)
    return float((part * values[order]).sum() / part.sum())


OF_MEANS: Mapping[str, Callable[[list[float]], np.floating]] = MappingProxyType({"mean": np.mean, "median": np.median})
"""Metrics of the tasks' means."""
OF_RUNS: Mapping[str, Callable[[Sequence[Floats]], float]] = MappingProxyType({"iqm": _iqm, "optimality_gap": _gap})
"""Metrics of all runs, task by task, that need no pool."""
