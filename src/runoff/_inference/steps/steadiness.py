"""How steady the runs of an algorithm are along training: dispersion and risk (Chan et al. 2020)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

import numpy as np

from runoff._inference.bootstrap import Mean, stratified_mean
from runoff.base.arrays import Floats
from runoff.base.random import Streams

TAIL = 0.05
"""Share of the values that are at risk: Chan et al.'s α."""
BLOCK = 64
"""Resamples that are reduced together."""


def changes(steps: Floats, rows: Floats) -> Floats:
    """Return the changes between neighbouring steps (n_runs, n_steps − 1), each as over a gap of the usual width."""
    gaps = np.diff(steps)
    # Evaluations are not evenly spaced: a change over a long gap is not a wilder one.
    return np.diff(rows, axis=1) * (np.median(gaps) / gaps)


def iqr(values: Floats, axis: int) -> Floats:
    low, high = np.quantile(values, [0.25, 0.75], axis=axis)
    return np.asarray(high - low)


def mean_below(values: Floats, tail: float, axis: int) -> Floats:
    """Return the conditional value at risk: the mean of the values up to their `tail` quantile."""
    # At least the lowest value is at or below any quantile, so that there is always something to average.
    far = values <= np.quantile(values, tail, axis=axis, keepdims=True)
    return np.asarray(np.where(far, values, 0.0).sum(axis=axis) / far.sum(axis=axis))


def _over_time(steps: Floats, rows: Floats, window: int) -> Floats:
    # Differences take out the trend, windows a slow change of the dispersion itself (Chan et al. 2020).
    windows = np.lib.stride_tricks.sliding_window_view(changes(steps, rows), window, axis=1)
    return np.asarray(iqr(windows, 2).mean(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Steadiness:
    """One measure: of each run by itself, or of all runs together; exactly one of the two functions is there.

    risk: it rests on rare falls, which the runs at hand need not show: no interval of it holds (docs/guides/comparing-learning-curves.md).
    """

    words: str
    lower_is_steadier: bool
    of_run: Callable[[Floats, Floats, int], Floats] | None = None
    of_runs: Callable[[Floats], Floats] | None = None
    risk: bool = False


STEADINESS: Mapping[str, Steadiness] = MappingProxyType(
    {
        "dispersion_across_time": Steadiness(
            words="interquartile range of changes from step to step, in windows",
            lower_is_steadier=True,
            of_run=_over_time,
        ),
        "short_term_risk": Steadiness(
            words="mean of the worst 5 % of changes",
            lower_is_steadier=False,
            of_run=lambda steps, rows, _window: mean_below(changes(steps, rows), TAIL, 1),
            risk=True,
        ),
        "long_term_risk": Steadiness(
            words="mean of the deepest 5 % of falls below the best so far",
            lower_is_steadier=True,
            of_run=lambda _steps, rows, _window: -mean_below(rows - np.maximum.accumulate(rows, axis=1), TAIL, 1),
            risk=True,
        ),
        "dispersion_across_runs": Steadiness(
            words="interquartile range of runs, mean over steps",
            lower_is_steadier=True,
            of_runs=lambda rows: iqr(rows, -2).mean(axis=-1),
        ),
        "risk_across_runs": Steadiness(
            words="mean of the worst 5 % of runs at the last step",
            lower_is_steadier=False,
            of_runs=lambda rows: mean_below(rows[..., -1], TAIL, -1),
            risk=True,
        ),
    }
)


def steadiness(
    measure: Steadiness,
    steps: Floats,
    cells: Sequence[Floats],
    *,
    window: int,
    streams: Streams,
    n_resamples: int,
    shared: bool,
) -> Mean:
    """Return a measure of one algorithm, every task weighing the same, with its error; cells: (n_runs, n_steps) on each task."""
    n = min(len(cell) for cell in cells)
    if measure.of_run is not None:
        by_run = [measure.of_run(steps, cell, window) for cell in cells]
        if measure.risk:
            return Mean(float(np.mean([own.mean() for own in by_run])), 0.0, None)
        if shared:
            # Means over tasks of one run are one number: the runs, not the tasks, are independent.
            return stratified_mean([np.mean(by_run, axis=0)], [1.0])
        return stratified_mean(by_run, [1 / len(cells)] * len(cells))
    assert measure.of_runs is not None
    estimate = float(np.mean([measure.of_runs(cell) for cell in cells]))
    if n < 2 or measure.risk:
        return Mean(estimate, 0.0, None)
    drawn = _resampled(measure.of_runs, cells, streams, n_resamples, shared)
    # A resample of n runs has (n − 1) / n of the variance.
    error = float(drawn.std(ddof=1)) * sqrt(n / (n - 1))
    if not error > 1e-12 * abs(estimate):
        return Mean(estimate, 0.0, None)
    return Mean(estimate, error, float(n - 1 if shared else sum(len(cell) - 1 for cell in cells)))


def _resampled(
    of_runs: Callable[[Floats], Floats], cells: Sequence[Floats], streams: Streams, n_resamples: int, shared: bool
) -> Floats:
    """Return a measure of resamples of whole runs (n_resamples,), within tasks or, shared, of the same runs on all."""
    replicates = np.empty(n_resamples)
    # Sorted, so that no order of the rows shows in what is drawn; shared runs have to stay runs.
    ordered = cells if shared else [cell[np.lexsort(cell.T)] for cell in cells]
    for block in range(-(-n_resamples // BLOCK)):
        rows, rng = replicates[block * BLOCK : (block + 1) * BLOCK], streams.block("steadiness", block)
        total = np.zeros(rows.size)
        chosen = rng.integers(len(cells[0]), size=(rows.size, len(cells[0]))) if shared else None
        for cell in ordered:
            runs = rng.integers(len(cell), size=(rows.size, len(cell))) if chosen is None else chosen
            total += of_runs(cell[runs])
        rows[:] = total / len(cells)
    return replicates
