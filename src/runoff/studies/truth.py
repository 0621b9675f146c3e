"""What is true of an algorithm in a world: the value an estimate should have with endless runs."""

from __future__ import annotations

import numpy as np

from runoff.errors import OptionError
from runoff.studies.worlds import Empirical, World

GAMMA = 1.0
"""Threshold of the optimality gap, in units of the scores."""


def truth(world: World, metric: str, algorithm: int = 0) -> float:
    """Return the true metric of one algorithm.

    mean, median: of the true task means. iqm, optimality_gap: of the distribution of all tasks' runs, which is known for empirical
    worlds: every task weighs the same, and 25 % of the weight is cut at each end.

    Raises
    ------
    OptionError
        iqm or optimality_gap of a world that is not empirical.
    """
    row = world.grid[algorithm]
    if metric in ("mean", "median"):
        means = [cell.true_mean for cell in row]
        return float(np.mean(means) if metric == "mean" else np.median(means))
    values = []
    for cell in row:
        if not isinstance(cell.family, Empirical):
            raise OptionError(f"world {world.name!r}: the true {metric} is known for empirical distributions only.")
        values.append(cell.place(np.asarray(cell.family.values)))
    if metric == "optimality_gap":
        return float(np.mean([np.maximum(GAMMA - v, 0.0).mean() for v in values]))
    return _weighted_iqm(
        np.concatenate(values), np.concatenate([np.full(v.size, 1.0 / (v.size * len(values))) for v in values])
    )


def _weighted_iqm(values: np.ndarray, weights: np.ndarray) -> float:
    order = np.argsort(values)
    above = np.cumsum(weights[order])
    part = np.clip(np.minimum(above, 0.75) - np.maximum(above - weights[order], 0.25), 0.0, None)
    return float((part * values[order]).sum() / part.sum())
