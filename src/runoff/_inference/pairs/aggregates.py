"""The difference of a pair's aggregates, with the error of their t intervals."""

from __future__ import annotations

from runoff._inference.bootstrap import Mean, Metric, aggregate_with_error, both_errors, estimates, prepare
from runoff._inference.pairs.pair import PairData
from runoff.base.random import Streams


def aggregate_difference(
    pair: PairData, metric: Metric, *, n_resamples: int, streams: Streams, threads: int | None
) -> Mean:
    """Return a's aggregate minus b's; the errors of the two are independent, so the degrees of freedom are Welch's. None with single runs."""
    if pair.single_runs:
        pools = [prepare(cells, [metric]) for cells in (pair.x, pair.y)]
        first, second = (float(estimates(pool)[pool.column(metric)]) for pool in pools)
        return Mean(first - second, 0.0, None)
    a, b = (
        aggregate_with_error(cells, metric, n_resamples, streams, threads, shared=pair.shared)
        for cells in (pair.x, pair.y)
    )
    return Mean(a.estimate - b.estimate, *both_errors(a, b))
