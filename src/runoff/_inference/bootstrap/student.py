"""t intervals of aggregates: an estimate, its standard error, and as many degrees of freedom as the runs support.

Mean and optimality gap have closed errors; trimmed means and the median have the standard deviation of Rao-Wu replicates, which is not
too small with few runs as that of a bootstrap is. docs/estimates.md has their coverage. (A union of the median's interval with the median of the
tasks' own t limits was tried: up to twice as wide, and hardly better where it is worst.)
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import pool as pools
from runoff._inference.bootstrap.intervals import Ends, Mean, both_errors, stratified_mean, usable
from runoff._inference.bootstrap.pool import Pool
from runoff._inference.bootstrap.rates import mean_rate, of_two_values
from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats
from runoff.base.random import Streams

MOST_DRAWS = 10_000
"""A standard error from so many replicates errs by 0.7 %; more would not be seen."""


def over_runs(
    pool: Pool, columns: list[int], level: float, n_resamples: int, streams: Streams, threads: int | None
) -> list[Ends | None]:
    """Return the intervals of some of the kernel's columns, the tasks being the only ones of interest; every cell has two runs.

    A success rate has no use for a t: its interval is Wilson's, over tasks with distances that add in squares.
    """
    means = with_errors(pool, columns, n_resamples, streams, threads)
    return [
        _of_a_rate(pool, column, level) if is_rate(pool, column) else mean.interval(level)
        for column, mean in zip(columns, means, strict=True)
    ]


def is_rate(pool: Pool, column: int) -> bool:
    """Return whether a statistic is a success rate, averaged over tasks, or what that lacks of 1."""
    averages = (
        column == kernels.MEAN
        or (column == kernels.GAP and pool.gamma == 1.0)
        or (pool.n_tasks == 1 and column == kernels.MEDIAN)
    )
    return averages and pool.rates and pool.rows is None and of_two_values([pool.values])


def _of_a_rate(pool: Pool, column: int, level: float) -> Ends:
    low, high = mean_rate(_cells(pool), level)
    return (1.0 - high, 1.0 - low) if column == kernels.GAP else (low, high)


def with_errors(pool: Pool, columns: list[int], n_resamples: int, streams: Streams, threads: int | None) -> list[Mean]:
    """Return estimates with standard error and degrees of freedom, None without spread."""
    if pool.rows is not None:
        return shared_errors(pool, columns, n_resamples, streams, threads)
    drawn: Floats | None = None
    means = []
    for column in columns:
        if column in (kernels.MEAN, kernels.GAP) or (column == kernels.MEDIAN and pool.n_tasks < 3):
            means.append(stratified_mean(_averaged(pool, column), [1 / pool.n_tasks] * pool.n_tasks))
            continue
        if drawn is None:
            drawn = pools.resample_fewer(pool, n_resamples, streams, threads)
        error, point = float(drawn[:, column].std(ddof=1)), float(pools.estimates(pool)[column])
        means.append(_mean_of(point, error, _freedom(pool, column)))
    return means


def shared_errors(
    pool: Pool, columns: list[int], n_resamples: int, streams: Streams, threads: int | None
) -> list[Mean]:
    """Return estimates of runs shared by tasks with the jackknife's error of whole runs, and one degree of freedom less than runs.

    The jackknife fails for a median (Efron 1979), which has the deviation of Rao-Wu replicates of whole runs.
    """
    points, n = pools.estimates(pool), int(pool.n_runs[0])
    errors = pools.left_out(pool).std(axis=0) * sqrt(n - 1)
    if kernels.MEDIAN in columns and pool.n_tasks > 2:
        drawn = pools.resample_fewer(pool, n_resamples, streams, threads)
        errors[kernels.MEDIAN] = drawn[:, kernels.MEDIAN].std(ddof=1)
    return [_mean_of(float(points[column]), float(errors[column]), n - 1.0) for column in columns]


def _mean_of(point: float, error: float, df: float) -> Mean:
    return Mean(point, 0.0, None) if usable(point - error, point + error) is None else Mean(point, error, df)


def over_tasks(
    pool: Pool, columns: list[int], level: float, n_resamples: int, streams: Streams, threads: int | None
) -> list[Ends | None]:
    """Return the intervals where the tasks, two or more, are a sample of more: t_{T−1} on task means, or on the spread of resampled tasks.

    Shared runs: tasks and runs cross, and the squared errors of both are added, which counts the rest between them twice (Owen 2007).
    """
    drawn = (
        None
        if set(columns) <= {kernels.MEAN, kernels.GAP}
        else pools.resample_whole_tasks(pool, n_resamples, streams, threads)
    )
    tasks = [_of_tasks(pool, column, drawn) for column in columns]
    if pool.rows is not None:
        runs = shared_errors(pool, columns, n_resamples, streams, threads)
        return [_added(a, b).interval(level) for a, b in zip(tasks, runs, strict=True)]
    return [
        mean.interval(level)
        if drawn is None or column != kernels.MEDIAN
        else _quantiles(drawn[:, column], pool.n_tasks, level)
        for mean, column in zip(tasks, columns, strict=True)
    ]


def _of_tasks(pool: Pool, column: int, drawn: Floats | None) -> Mean:
    """Return an estimate with the error of its tasks; `drawn`: resamples of whole tasks."""
    if drawn is None or column in (kernels.MEAN, kernels.GAP):
        return stratified_mean([_task_means(pool, column)], [1.0])
    n, point = pool.n_tasks, float(pools.estimates(pool)[column])
    return _mean_of(point, float(drawn[:, column].std()) * sqrt(n / (n - 1)), n - 1.0)


def _quantiles(drawn: Floats, n: int, level: float) -> Ends | None:
    """Return the quantiles of resampled tasks where t has its own: for the median, which moves in jumps."""
    t = float(special.stdtrit(n - 1, (1 + level) / 2)) * sqrt(
        n / (n - 1)
    )  # a bootstrap of n tasks has (n − 1) / n of the variance
    low, high = np.quantile(drawn, special.ndtr([-t, t]))
    return usable(float(low), float(high))


def _added(a: Mean, b: Mean) -> Mean:
    """Return an estimate with both errors, and Satterthwaite's degrees of freedom."""
    return Mean(a.estimate, *both_errors(a, b))


def _cells(pool: Pool) -> list[Floats]:
    return np.split(pool.values, pool.offsets[1:-1])


def _averaged(pool: Pool, column: int) -> list[Floats]:
    """Return the cells of what mean or gap averages: the scores, or what they lack of gamma."""
    cells = _cells(pool)
    return [np.maximum(pool.gamma - cell, 0.0) for cell in cells] if column == kernels.GAP else cells


def _task_means(pool: Pool, column: int) -> Floats:
    return np.array([cell.mean() for cell in _averaged(pool, column)])


def _freedom(pool: Pool, column: int) -> float:
    """Return Satterthwaite's degrees of freedom of a trimmed mean, from the cells winsorised where the pool is cut; of the median the fewest."""
    if column == kernels.MEDIAN:  # one or two tasks decide, and which is not known
        return float(pool.n_runs.min()) - 1.0
    cut, below = pool.cuts[column - kernels.FIRST_TRIM], np.cumsum(pool.weights)
    # Weights add up with rounding: a cut at the end of a run lies between two runs.
    low = pool.sorted_values[np.searchsorted(below, cut + 1e-9)]
    high = pool.sorted_values[min(int(np.searchsorted(below, below[-1] - cut - 1e-9)), below.size - 1)]
    parts = np.array([np.clip(cell, low, high).var(ddof=1) / cell.size for cell in _cells(pool)])
    sizes = pool.n_runs - 1.0
    total = parts.sum()
    # Shares first: squares of variances of scores of 1e±100 are no doubles.
    return float(1 / ((parts / total) ** 2 / sizes).sum()) if total > 0 else float(sizes.min())
