"""rliable's metrics of score matrices (n_runs, n_tasks); every function takes what rliable's takes and returns what rliable's returns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from runoff.errors import DataError, DesignError

TRIM = 0.25


def aggregate_mean(scores: ArrayLike) -> Any:
    """Return the mean over tasks of the mean over runs, of scores (n_runs, n_tasks); trailing axes, such as steps, are kept.

    Examples
    --------
    >>> from runoff.compat.rliable import metrics
    >>> float(metrics.aggregate_mean([[1.0, 2.0], [2.0, 5.0]]))
    2.5
    """
    return np.mean(np.mean(np.asarray(scores), axis=0), axis=0)


def aggregate_median(scores: ArrayLike) -> Any:
    """Return the median over tasks of the mean over runs, of scores (n_runs, n_tasks); trailing axes, such as steps, are kept.

    Examples
    --------
    >>> from runoff.compat.rliable import metrics
    >>> float(metrics.aggregate_median([[1.0, 2.0, 9.0], [2.0, 2.0, 9.0]]))
    2.0
    """
    return np.median(np.mean(np.asarray(scores), axis=0), axis=0)


def aggregate_optimality_gap(scores: ArrayLike, gamma: float = 1) -> Any:
    """Return by how much the mean of scores, an array of any shape, clipped at `gamma` falls short of `gamma`.

    Examples
    --------
    >>> from runoff.compat.rliable import metrics
    >>> float(metrics.aggregate_optimality_gap([[0.5, 2.0], [0.5, 1.0]]))
    0.25
    """
    return gamma - np.mean(np.minimum(scores, gamma))


def aggregate_iqm(scores: ArrayLike) -> Any:
    """Return the interquartile mean: the mean of all scores, an array of any shape, without a quarter of them, rounded down, at either end.

    Examples
    --------
    >>> from runoff.compat.rliable import metrics
    >>> float(metrics.aggregate_iqm([[0.0, 1.0], [3.0, 100.0]]))
    2.0
    """
    flat = np.sort(np.asarray(scores), axis=None)
    if not flat.size:
        raise DataError("the interquartile mean needs a score, but the array is empty.")
    # It would be cut away with the highest scores, and forgotten.
    if flat[-1] != flat[-1]:  # NaN, which sorting puts last
        return flat[-1]
    # Rounded down, as SciPy does; `runoff.aggregate` cuts exact shares.
    cut = int(TRIM * flat.size)
    return flat[cut : flat.size - cut].mean()


def probability_of_improvement(scores_x: ArrayLike, scores_y: ArrayLike) -> Any:
    """Return the mean over tasks of P(x > y) + P(x = y) / 2, of scores (n_runs_x, n_tasks) and (n_runs_y, n_tasks).

    Raises
    ------
    DesignError
        They are no matrices on the same tasks.

    Examples
    --------
    >>> from runoff.compat.rliable import metrics
    >>> float(metrics.probability_of_improvement([[1.0], [2.0]], [[1.0], [0.0]]))
    0.875
    """
    x, y = np.asarray(scores_x), np.asarray(scores_y)
    if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[1]:
        raise DesignError(
            "the probability of improvement needs two matrices (n_runs, n_tasks) on the same tasks, "
            f"but their shapes are {x.shape} and {y.shape}."
        )
    if np.isnan(x).any() or np.isnan(y).any():
        return np.float64(np.nan)
    above, equal = x[:, None] > y[None], x[:, None] == y[None]
    return np.float64((np.count_nonzero(above) + 0.5 * np.count_nonzero(equal)) / above.size)
