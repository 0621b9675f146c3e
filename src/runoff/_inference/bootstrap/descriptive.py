"""Intervals of one algorithm's aggregates: all metrics from the same draws. What `aggregate` and the inferential intervals share."""

from __future__ import annotations

from collections.abc import Sequence

from runoff._inference.bootstrap import pool, student
from runoff._inference.bootstrap.intervals import Ends, Mean
from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.registry import AUTO, INTERVALS, Wanted
from runoff.base.arrays import Floats
from runoff.base.random import Streams


def described(
    cells: Sequence[Floats],
    metric: Metric,
    *,
    interval: str,
    confidence_level: float,
    n_resamples: int,
    streams: Streams,
    threads: int | None = None,
    shared: bool = False,
    rates: bool = True,
) -> tuple[float, Ends | None]:
    """Return an aggregate and its interval, as `runoff.aggregate` does.

    `cells` are the algorithm's non-empty cells, float64 (n_runs,) each; `shared`: run i is the same in every cell; `rates`: 0 and 1 are
    successes.
    """
    prepared = pool.prepare(cells, [metric], shared=shared, rates=rates)
    ends = interval_ends(
        prepared,
        [metric],
        interval=interval,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        streams=streams,
        threads=threads,
    )
    return float(pool.estimates(prepared)[prepared.column(metric)]), ends[metric]


def interval_ends(
    prepared: pool.Pool,
    metrics: Sequence[Metric],
    *,
    interval: str,
    confidence_level: float,
    n_resamples: int,
    streams: Streams,
    threads: int | None = None,
    over: str = "runs",
) -> dict[Metric, Ends | None]:
    """Return the ends of each metric; none with a cell of one run, without spread, or over tasks where there is one."""
    if int(prepared.n_runs.min()) < 2 or (over != "runs" and prepared.n_tasks < 2):
        return dict.fromkeys(metrics)
    wanted = Wanted(
        pool=prepared,
        columns=[prepared.column(metric) for metric in metrics],
        confidence_level=confidence_level,
        n_resamples=INTERVALS[interval].drawn(n_resamples),
        streams=streams,
        threads=threads,
        over=over,
    )
    return dict(zip(metrics, INTERVALS[interval].build(wanted), strict=True))


def aggregate_with_error(
    cells: Sequence[Floats],
    metric: Metric,
    n_resamples: int,
    streams: Streams,
    threads: int | None,
    *,
    shared: bool = False,
) -> Mean:
    """Return an aggregate with the standard error and the degrees of freedom of its t interval; every cell has two runs."""
    prepared = pool.prepare(cells, [metric], shared=shared)
    draws = INTERVALS[AUTO].drawn(n_resamples)
    return student.with_errors(prepared, [prepared.column(metric)], draws, streams, threads)[0]


def interval_kind(prepared: pool.Pool, metric: Metric, interval: str, over: str) -> str:
    """Return how the interval of a metric is made: as was asked, or, a t interval of one task's success rate, by Wilson's formula."""
    rate = interval == AUTO and over == "runs" and student.is_rate(prepared, prepared.column(metric))
    return "wilson" if rate else interval
