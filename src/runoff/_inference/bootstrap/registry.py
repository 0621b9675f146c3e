"""The intervals of an aggregate by name: each is one record, and every name has its own builder.

t intervals are an estimate, its standard error, and as many degrees of freedom as the runs support. Mean and optimality gap have closed errors;
trimmed means, the median and metrics without a kernel have the standard deviation of Rao-Wu replicates, which is not too small with few runs as
that of a bootstrap is. docs/estimates.md has their coverage. (A union of the median's interval with the median of the tasks' own t limits was
tried: up to twice as wide, and hardly better where it is worst.)
"""

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
from runoff.base.arrays import Floats
from runoff.base.random import Drawing, Streams, in_threads
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.results.base import filled
from runoff.words.speech import option

RESAMPLED: Mapping[str, Callable[..., Floats]] = MappingProxyType(
    {"runs": pool.resample_runs, "runs_and_tasks": pool.resample_tasks}
)
"""What is drawn anew in each bootstrap replicate, and by which function."""
OVER: tuple[str, ...] = tuple(RESAMPLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class How(Drawing):
    """Which interval is made, over "runs" or "runs_and_tasks"."""

    interval: str
    over: str = "runs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(Drawing):
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


MOST_DRAWS = 10_000
"""A standard error from so many replicates errs by 0.7 %; more would not be seen."""


def over_runs(wanted: Wanted) -> list[Ends | None]:
    """Return the intervals where the tasks are the only ones of interest; every cell has two runs.

    A success rate has no use for a t: its interval is Wilson's, over tasks with distances that add in squares.
    """
    return [
        _of_a_rate(wanted.pool, metric, wanted.confidence_level)
        if is_rate(wanted.pool, metric)
        else mean.interval(wanted.confidence_level)
        for metric, mean in zip(wanted.metrics, with_errors(wanted), strict=True)
    ]


def is_rate(pool: Pool, metric: Metric) -> bool:
    """Return whether a metric is a success rate, averaged over tasks, or what that lacks of 1."""
    averages = metric.averages and not (metric.shortfall and pool.gamma != 1.0)
    of_one_task = pool.n_tasks == 1 and metric.function is median
    return (averages or of_one_task) and pool.rates and pool.rows is None and intervals.of_two_values([pool.values])


def _of_a_rate(pool: Pool, metric: Metric, level: float) -> Ends:
    low, high = intervals.mean_rate(_cells(pool), level)
    return (1.0 - high, 1.0 - low) if metric.shortfall else (low, high)


def with_errors(wanted: Wanted) -> list[Mean]:
    """Return estimates with standard error and degrees of freedom, None without spread."""
    if wanted.pool.rows is not None:
        return shared_errors(wanted)
    n_tasks = wanted.pool.n_tasks
    points: list[float] = []
    drawn: Floats | None = None
    means = []
    for m, metric in enumerate(wanted.metrics):
        # The median of one or two task means is their mean.
        if metric.averages or (metric.function is median and n_tasks < 3):
            means.append(intervals.stratified_mean(_averaged(wanted.pool, metric), [1 / n_tasks] * n_tasks))
            continue
        # Means need neither draws nor the kernels of the other metrics, which take seconds to compile.
        if drawn is None:
            points, drawn = wanted.points, wanted.drawn(pool.resample_fewer)
        means.append(_mean_of(points[m], float(drawn[:, m].std(ddof=1)), _freedom(wanted.pool, metric)))
    return means


def shared_errors(wanted: Wanted) -> list[Mean]:
    """Return estimates of runs shared by tasks with the jackknife's error of whole runs, and one degree of freedom less than runs.

    The jackknife fails for a median (Efron 1979), which has the deviation of Rao-Wu replicates of whole runs.
    """
    n = int(wanted.pool.n_runs[0])
    errors = (pool.without_each_run(wanted.pool).std(axis=0) * sqrt(n - 1))[wanted.columns]
    rough = [m for m, metric in enumerate(wanted.metrics) if not metric.smooth]
    if rough and wanted.pool.n_tasks > 2:
        drawn = wanted.drawn(pool.resample_fewer)
        errors[rough] = [drawn[:, m].std(ddof=1) for m in rough]
    return [_mean_of(point, float(error), n - 1.0) for point, error in zip(wanted.points, errors, strict=True)]


def _mean_of(point: float, error: float, df: float) -> Mean:
    return Mean(point, 0.0, None) if usable(point - error, point + error) is None else Mean(point, error, df)


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
        both = zip(tasks, shared_errors(wanted), strict=True)
        return [Mean(own.estimate, *intervals.both_errors(own, of_runs)).interval(level) for own, of_runs in both]
    return [
        mean.interval(level)
        if replicates is None or metric.smooth
        else _quantiles(replicates, wanted.pool.n_tasks, level)
        for metric, mean, replicates in zip(wanted.metrics, tasks, drawn, strict=True)
    ]


def _of_tasks(pool: Pool, metric: Metric, point: float, drawn: Floats | None) -> Mean:
    if drawn is None or metric.averages:
        return intervals.stratified_mean([np.array([cell.mean() for cell in _averaged(pool, metric)])], [1.0])
    n = pool.n_tasks
    return _mean_of(point, float(drawn.std()) * sqrt(n / (n - 1)), n - 1.0)


def _quantiles(drawn: Floats, n: int, level: float) -> Ends | None:
    """Return the quantiles of resampled tasks where t has its own: for the median, which moves in jumps."""
    # A bootstrap of n tasks has (n − 1) / n of the variance.
    t = float(special.stdtrit(n - 1, (1 + level) / 2)) * sqrt(n / (n - 1))
    low, high = np.quantile(drawn, special.ndtr([-t, t]))
    return usable(float(low), float(high))


def _cells(pool: Pool) -> list[Floats]:
    return np.split(pool.values, pool.offsets[1:-1])


def _averaged(pool: Pool, metric: Metric) -> list[Floats]:
    """Return the cells of what the metric sees: the scores, or what they lack of gamma."""
    cells = _cells(pool)
    return [np.maximum(pool.gamma - cell, 0.0) for cell in cells] if metric.shortfall else cells


def _freedom(prepared: Pool, metric: Metric) -> float:
    """Return Satterthwaite's degrees of freedom, from how much each task contributes to the variance; the fewest where that is not known."""
    sizes = prepared.n_runs - 1.0
    if not metric.smooth:  # of a median one or two tasks decide, and which is not known
        return float(sizes.min())
    if metric.trim is not None:
        parts = _winsorised(prepared, prepared.cuts[prepared.trims.index(metric.trim)])
    else:
        left = pool.without_each_run(prepared)[:, prepared.column(metric)]
        squares = [float(((cell - cell.mean()) ** 2).sum()) for cell in np.split(left, prepared.offsets[1:-1])]
        parts = np.array(squares) * sizes / (sizes + 1)
    total = parts.sum()
    # Shares first: squares of variances of scores of 1e±100 are no doubles.
    return float(1 / ((parts / total) ** 2 / sizes).sum()) if total > 0 else float(sizes.min())


def _winsorised(pool: Pool, cut: float) -> Floats:
    """Return the squared standard error of each task's mean, (n_tasks,), of cells winsorised where the pool is cut."""
    below = np.cumsum(pool.weights)
    # Weights add up with rounding: a cut at the end of a run lies between two runs.
    low = pool.ranked[np.searchsorted(below, cut + 1e-9)]
    high = pool.ranked[min(int(np.searchsorted(below, below[-1] - cut - 1e-9)), below.size - 1)]
    return np.array([np.clip(cell, low, high).var(ddof=1) / cell.size for cell in _cells(pool)])


# ── the intervals by name ──────────


Builder = Callable[[Wanted], list[Ends | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One kind of interval.

    title: in captions and a methods paragraph: "percentile bootstrap". label: in tables and studies. build: the ends of each metric; None
    where no honest interval exists. over, shared: what it can resample, and what where runs are shared by tasks. narrow: whether it is too
    narrow with few runs, as what rests on the variance of a bootstrap is. most_draws: more resamples than this are not drawn.
    """

    title: str
    label: str
    build: Builder
    over: tuple[str, ...] = ("runs",)
    narrow: bool = True
    most_draws: int | None = None
    shared: tuple[str, ...] = ()

    def drawn(self, n_resamples: int) -> int:
        """Return how many resamples it uses of those asked for."""
        return min(n_resamples, self.most_draws or n_resamples)


def _from_replicates(make: Callable[[Floats, float, float], Ends | None]) -> Builder:
    def build(wanted: Wanted) -> list[Ends | None]:
        pairs = list(zip(wanted.replicates(), wanted.points, strict=True))
        return in_threads(lambda pair: make(*pair, wanted.confidence_level), pairs, wanted.threads)

    return build


def _bca(wanted: Wanted) -> list[Ends | None]:
    skew = pool.acceleration(wanted.pool)
    return [
        intervals.bca(drawn, point, wanted.confidence_level, skew[column])
        for drawn, point, column in zip(wanted.replicates(), wanted.points, wanted.columns, strict=True)
    ]


def _studentized(wanted: Wanted) -> list[Ends | None]:
    drawn, errors = pool.resample_with_errors(wanted.pool, wanted.n_resamples, wanted.streams, wanted.threads)
    own = pool.standard_errors(wanted.pool)
    return [
        intervals.studentized(drawn[:, c], errors[:, c], point, own[c], wanted.confidence_level)
        for point, c in zip(wanted.points, wanted.columns, strict=True)
    ]


STUDENT = MappingProxyType({"runs": over_runs, "runs_and_tasks": over_tasks})
AUTO = "t"
"""What "auto" takes: the interval whose coverage is nearest to its level from the fewest runs on (docs/estimates.md)."""

INTERVALS: Mapping[str, Interval] = MappingProxyType(
    {
        "t": Interval(
            title="t",
            label="t",
            build=lambda wanted: STUDENT[wanted.over](wanted),
            over=OVER,
            narrow=False,
            most_draws=MOST_DRAWS,
            shared=OVER,
        ),
        "percentile": Interval(
            title="percentile bootstrap",
            label="percentile",
            build=_from_replicates(intervals.percentile),
            over=OVER,
            shared=("runs",),
        ),
        "basic": Interval(
            title="basic bootstrap", label="basic", build=_from_replicates(intervals.basic), over=OVER, shared=("runs",)
        ),
        "bca": Interval(title="BCa bootstrap", label="BCa", build=_bca),
        "studentized": Interval(title="studentised bootstrap", label="studentised", build=_studentized, narrow=False),
    }
)


def interval_title(kind: str) -> str:
    return "Wilson" if kind == "wilson" else INTERVALS[kind].title


def check_interval(interval: str, over: str = "runs", *, shared: bool = False) -> str:
    """Return the interval, "auto" being one of them; refuse an unknown name, and what it cannot resample; `shared`: whole runs."""
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


def described(
    cells: Sequence[Floats], metric: Metric, how: How, *, shared: bool = False, rates: bool = True
) -> tuple[float, Ends | None]:
    """Return an aggregate and its interval, as `runoff.aggregate` does.

    `cells` are the algorithm's non-empty cells, float64 (n_runs,) each; `shared`: run i is the same in every cell; `rates`: 0 and 1 are
    successes.
    """
    prepared = pool.prepare(cells, [metric], shared=shared, rates=rates)
    ends = interval_ends(prepared, [metric], how)[metric]
    return float(pool.estimates(prepared)[prepared.column(metric)]), ends


def interval_ends(prepared: Pool, metrics: Sequence[Metric], how: How) -> dict[Metric, Ends | None]:
    """Return the ends of each metric; none with a cell of one run, without spread, or over tasks where there is one."""
    if int(prepared.n_runs.min()) < 2 or (how.over != "runs" and prepared.n_tasks < 2):
        return dict.fromkeys(metrics)
    kind = INTERVALS[how.interval]
    wanted = filled(Wanted, how, pool=prepared, metrics=metrics, n_resamples=kind.drawn(how.n_resamples))
    return dict(zip(metrics, kind.build(wanted), strict=True))


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
    return error_of(pool.prepare(cells, [metric], shared=shared), metric, n_resamples, streams, threads)


def error_of(prepared: Pool, metric: Metric, n_resamples: int, streams: Streams, threads: int | None) -> Mean:
    """Return a metric of a pool with the standard error and the degrees of freedom of its t interval; every cell has two runs."""
    draws = INTERVALS[AUTO].drawn(n_resamples)
    return with_errors(Wanted(pool=prepared, metrics=[metric], n_resamples=draws, streams=streams, threads=threads))[0]


def interval_kind(prepared: pool.Pool, metric: Metric, interval: str, over: str) -> str:
    """Return how the interval of a metric is made: as was asked, or, a t interval of one task's success rate, by Wilson's formula."""
    rate = interval == AUTO and over == "runs" and is_rate(prepared, metric)
    return "wilson" if rate else interval
