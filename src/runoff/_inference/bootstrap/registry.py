"""The intervals of an aggregate by name: each name has its own builder; the t interval over runs is the law of `record.MetricEstimate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.bootstrap import intervals, pool
from runoff._inference.bootstrap.intervals import Ends, Mean, usable
from runoff._inference.bootstrap.metrics import Metric, median
from runoff._inference.bootstrap.pool import Pool
from runoff._inference.bootstrap.record import MetricEstimate, estimate_of, seen
from runoff._inference.bootstrap.success import wilson
from runoff.answer.base import filled
from runoff.base.arrays import Floats
from runoff.base.random import IntervalOptions, Streams, in_threads
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.words.speech import option

RESAMPLED: Mapping[str, Callable[..., Floats]] = MappingProxyType(
    {"runs": pool.resample_runs, "runs_and_tasks": pool.resample_tasks}
)
"""What is drawn anew in each bootstrap replicate, and by which function."""
OVER: tuple[str, ...] = tuple(RESAMPLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class How(IntervalOptions):
    """Which interval is made, over "runs" or "runs_and_tasks"."""

    interval: str
    over: str = "runs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(IntervalOptions):
    """What intervals are made of: one algorithm's pool, metrics of it, and how to draw.

    Draws are made when a builder asks for them, from streams of their own: the same numbers whoever asks.
    """

    pool: Pool
    metrics: Sequence[Metric]
    over: str = "runs"

    @property
    def columns(self) -> list[int]:
        """Return where each metric stands in the pool's statistics."""
        return [self.pool.column(metric) for metric in self.metrics]

    @property
    def points(self) -> list[float]:
        points = pool.estimates(self.pool)
        return [float(points[column]) for column in self.columns]

    def drawn(self, how: Callable[[Pool, int, Streams, int | None], Floats]) -> Floats:
        """Return the replicates (n_resamples, n_metrics) of one way to redraw."""
        return how(self.pool, self.n_resamples, self.streams, self.threads)[:, self.columns]

    def replicates(self) -> list[Floats]:
        """Return the bootstrap replicates (n_resamples,) of each metric."""
        return list(self.drawn(RESAMPLED[self.over]).T.copy())


# ── t intervals ──────────


def over_runs(wanted: Wanted) -> list[Ends | None]:
    """Return the intervals where the tasks are the only ones of interest; every cell has two runs."""
    return [by_record(wanted.pool, metric, wanted.confidence_level)[1] for metric in wanted.metrics]


def by_record(prepared: Pool, metric: Metric, level: float) -> tuple[float, Ends | None]:
    """Return a metric and its t interval; a success rate has Wilson's."""
    law = record_of(prepared, metric).law()
    if prepared.stepped and not metric.smooth:
        return law.value, None
    if not is_rate(prepared, metric) or int(prepared.n_runs.min()) < 2:
        return law.value, within(prepared, metric, law.interval(level))
    low, high = wilson(prepared.cells, level)
    return law.value, (1.0 - high, 1.0 - low) if metric.shortfall else (low, high)


def within(prepared: Pool, metric: Metric, ends: Ends | None) -> Ends | None:
    """Return the ends of a metric; of scores of 0 and 1 not beyond what it can be."""
    if ends is None or metric.own is not None or not intervals.of_two_values([prepared.values]):
        return ends
    low, high = (max(prepared.gamma - 1.0, 0.0), max(prepared.gamma, 0.0)) if metric.shortfall else (0.0, 1.0)
    return max(ends[0], low), min(ends[1], high)


def record_of(pool: Pool, metric: Metric) -> MetricEstimate:
    return estimate_of(pool.cells, metric, gamma=pool.gamma, shared=pool.rows is not None)


def is_rate(pool: Pool, metric: Metric) -> bool:
    """Return whether a metric is a success rate, averaged over tasks, or what that lacks of 1."""
    averages = metric.averages and not (metric.shortfall and pool.gamma != 1.0)
    of_one_task = pool.n_tasks == 1 and metric.function is median
    return (averages or of_one_task) and pool.rates and pool.rows is None and intervals.of_two_values([pool.values])


def over_tasks(wanted: Wanted) -> list[Ends | None]:
    """Return the intervals where the tasks, two or more, are a sample of more: t_{T−1} on task means, or on the spread of resampled tasks.

    Shared runs: tasks and runs cross, and the squared errors of both are added, which counts the rest between them twice (Owen 2007).
    """
    level, closed = wanted.confidence_level, all(metric.averages for metric in wanted.metrics)
    drawn = [None] * len(wanted.metrics) if closed else list(wanted.drawn(pool.resample_whole_tasks).T.copy())
    tasks = [
        _of_tasks(wanted.pool, metric, point, replicates)
        for metric, point, replicates in zip(wanted.metrics, wanted.points, drawn, strict=True)
    ]
    if wanted.pool.rows is not None:
        return [
            _with_runs(own, wanted.pool, metric).interval(level)
            for own, metric in zip(tasks, wanted.metrics, strict=True)
        ]
    return [
        mean.interval(level)
        if replicates is None or metric.smooth
        else _quantiles(replicates, wanted.pool.n_tasks, level)
        for metric, mean, replicates in zip(wanted.metrics, tasks, drawn, strict=True)
    ]


def _with_runs(own: Mean, pool: Pool, metric: Metric) -> Mean:
    """Return the estimate of a sample of tasks with the squared error of shared runs added."""
    error, df = next(iter(record_of(pool, metric).law().laws), (0.0, None))
    return Mean(own.estimate, *intervals.both_errors(own, Mean(own.estimate, error, df)))


def _of_tasks(pool: Pool, metric: Metric, point: float, drawn: Floats | None) -> Mean:
    if drawn is None or metric.averages:
        means = [cell.mean() for cell in seen(pool.cells, metric, pool.gamma)]
        return intervals.stratified_mean([np.array(means)], [1.0])
    n = pool.n_tasks
    # A bootstrap of n tasks has (n − 1)/n of their variance.
    error = float(drawn.std()) * sqrt(n / (n - 1))
    return Mean(point, 0.0, None) if usable(point - error, point + error) is None else Mean(point, error, n - 1.0)


def _quantiles(drawn: Floats, n: int, level: float) -> Ends | None:
    """Return the quantiles of resampled tasks where t has its own: for the median, which moves in jumps."""
    # A bootstrap of n tasks has (n − 1) / n of the variance.
    t = float(special.stdtrit(n - 1, (1 + level) / 2)) * sqrt(n / (n - 1))
    low, high = np.quantile(drawn, special.ndtr([-t, t]))
    return usable(float(low), float(high))


# ── the intervals by name ──────────


Builder = Callable[[Wanted], list[Ends | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One kind of interval.

    label: in tables and studies. build: the ends of each metric; None
    where no honest interval exists. over, shared: what it can resample, and what where runs are shared by tasks. narrow: whether it is too
    narrow with few runs, as what rests on the variance of a bootstrap is. closed: over what it needs no draws.
    """

    label: str
    build: Builder
    over: tuple[str, ...] = ("runs",)
    narrow: bool = True
    closed: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def drawn(self, n_resamples: int, over: str = "runs") -> int:
        """Return how many resamples it uses of those asked for."""
        return 0 if over in self.closed else n_resamples


def _from_replicates(make: Callable[[Floats, float, float], Ends | None]) -> Builder:
    def build(wanted: Wanted) -> list[Ends | None]:
        pairs = list(zip(wanted.replicates(), wanted.points, strict=True))
        return in_threads(lambda pair: make(*pair, wanted.confidence_level), pairs, wanted.threads)

    return build


def _bca(wanted: Wanted) -> list[Ends | None]:
    return [
        intervals.bca(drawn, point, wanted.confidence_level, pool.acceleration(wanted.pool, metric))
        for drawn, point, metric in zip(wanted.replicates(), wanted.points, wanted.metrics, strict=True)
    ]


STUDENT = MappingProxyType({"runs": over_runs, "runs_and_tasks": over_tasks})
AUTO = "t"
"""What "auto" takes: the interval whose coverage is nearest to its level from the fewest runs on (docs/estimates.md)."""

INTERVALS: Mapping[str, Interval] = MappingProxyType(
    {
        "t": Interval(
            label="t",
            build=lambda wanted: STUDENT[wanted.over](wanted),
            over=OVER,
            narrow=False,
            closed=("runs",),
            shared=OVER,
        ),
        "percentile": Interval(
            label="percentile",
            build=_from_replicates(intervals.percentile),
            over=OVER,
            shared=("runs",),
        ),
        "basic": Interval(label="basic", build=_from_replicates(intervals.basic), over=OVER, shared=("runs",)),
        "bca": Interval(label="BCa", build=_bca),
    }
)


def check_interval(interval: str, over: str = "runs", *, shared: bool = False) -> str:
    """Return the interval, "auto" being one of them; refuse an unknown name, and what it cannot resample; `shared`: whole runs."""
    if interval in ("std", "sd", "se", "sem"):
        raise OptionError(
            f"interval is an interval of an estimate, and {interval!r} is none: {option('by', 'task')} with {option('errorbar', 'sd')} has the "
            "standard deviation of runs, and an interval says more than a standard error, which few runs make too narrow."
        )
    check_choice("interval", interval, ("auto", *INTERVALS))
    chosen = AUTO if interval == "auto" else interval
    if over not in INTERVALS[chosen].over:
        able = " or ".join(repr(name) for name, entry in INTERVALS.items() if over in entry.over)
        raise OptionError(
            f"{option('interval', chosen)} resamples runs only; use {option('over', 'runs')}, or {able} over tasks."
        )
    if shared and over not in INTERVALS[chosen].shared:
        able = " or ".join(repr(name) for name, entry in INTERVALS.items() if over in entry.shared)
        raise OptionError(f"interval={chosen!r} is not made for runs that are shared by tasks; use {able}.")
    return chosen


# ── what `aggregate` and the inferential intervals share ──────────


def described(prepared: Pool, metrics: Sequence[Metric], how: How) -> dict[Metric, tuple[float, Ends | None]]:
    """Return each metric of a pool with its interval, as `runoff.aggregate` does."""
    if how.interval == AUTO and how.over == "runs":
        return {metric: by_record(prepared, metric, how.confidence_level) for metric in metrics}
    points, ends = pool.estimates(prepared), interval_ends(prepared, metrics, how)
    return {metric: (float(points[prepared.column(metric)]), ends[metric]) for metric in metrics}


def interval_ends(prepared: Pool, metrics: Sequence[Metric], how: How) -> dict[Metric, Ends | None]:
    """Return the ends of each metric; none with a cell of one run, without spread, or over tasks where there is one."""
    if int(prepared.n_runs.min()) < 2 or (how.over != "runs" and prepared.n_tasks < 2):
        return dict.fromkeys(metrics)
    kind = INTERVALS[how.interval]
    wanted = filled(Wanted, how, pool=prepared, metrics=metrics, n_resamples=kind.drawn(how.n_resamples, how.over))
    return {metric: within(prepared, metric, ends) for metric, ends in zip(metrics, kind.build(wanted), strict=True)}


def interval_kind(prepared: pool.Pool, metric: Metric, interval: str, over: str) -> str:
    """Return how the interval of a metric is made: as was asked, or, a t interval of one task's success rate, by Wilson's formula."""
    rate = interval == AUTO and over == "runs" and is_rate(prepared, metric)
    return "wilson" if rate else interval
