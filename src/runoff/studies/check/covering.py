"""And can these intervals? Groups of one algorithm's runs, held against all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from runoff._inference.bootstrap import INTERVALS, Metric, check_interval, parse_metric
from runoff.base.arrays import Floats
from runoff.base.random import RNG, Streams, in_threads, streams
from runoff.base.validate import check_confidence, check_count, check_resamples
from runoff.errors import OptionError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.check import CoverageRecord, CoverageResult
from runoff.studies.batch import Batch
from runoff.studies.check.intervals import Errors, ends_of, points_of, share_drawn, true_value
from runoff.studies.check.runs import OwnRuns, blocks, group_sizes, own_runs
from runoff.studies.check.splits import groups
from runoff.studies.check.words import about_coverage
from runoff.words.names import IntervalName, MetricName

COARSE = (2, 3, 5, 10, 20, 50, 100)
"""Runs of a group that are tried if none are asked for, up to half of all."""
DEFAULT_METRICS = ("iqm", "median", "mean")
ONE_TASK = ("iqm", "mean")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    metrics: tuple[Metric, ...]
    confidence_level: float
    n_repeats: int
    n_resamples: int
    streams: Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One algorithm, one number of runs."""

    runs: OwnRuns
    intervals: tuple[str, ...]
    n: int


def coverage(
    scores: ScoresLike,
    *,
    metric: MetricName | Sequence[MetricName] | None = None,
    intervals: IntervalName | Sequence[IntervalName] | None = None,
    n_runs: int | Sequence[int] | None = None,
    n_repeats: int = 1000,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = 0,
    threads: int | None = None,
) -> CoverageResult:
    """How often do these intervals hold the truth, on runs like mine?

    Groups of runs are drawn from all runs of one algorithm, task by task, and all runs are taken for the truth. How often does the interval
    of a group hold it, how wide is it, and how far off is the estimate?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made. Each algorithm is checked by itself, and needs 4 runs or more on
        each of its tasks; from 10 on they can be judged by, and 20 are better.
    metric : str or sequence of str, optional
        As of `aggregate`. None: IQM, median and mean; on one task the median of task means is the mean, and left out.
    intervals : str or sequence of str, optional
        "t", "percentile", "basic", "bca", "studentized"; "auto" is "t". None: all (of runs that are shared by tasks, those made for them).
    n_runs : int or sequence of int, optional
        Runs of a group, from 2 to half of all. None: some numbers in that range.
    n_repeats : int
        Groups.
    confidence_level : float
    n_resamples : int
        Bootstrap resamples of each interval.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    CoverageResult
        Records by algorithm, number of runs, metric, interval.

    Raises
    ------
    DesignError
        No algorithm has runs enough, or `n_runs` is more than half of them.
    OptionError
        An unknown metric or interval, or another argument that means nothing.

    Notes
    -----
    No run is drawn twice for a group. n of M runs lie nearer to all M than n new ones lie to their truth, by √(1 − n/M) in standard
    deviation, so that their intervals cover too well, more so with larger n; distances from the truth are therefore widened by
    1/√(1 − n/M), their mean by 1/(1 − n/M). The variance of a mean is then exactly that of new runs, and its coverage near theirs, as
    docs/guides/can-i-trust-these-tests.md shows beside known truths and beside drawing with replacement.

    What M runs cannot show: tails that none of them reached, and how the figure would differ with M others; `coverage_error` is that of the
    draws alone.

    The truth is the metric of all runs; that of a trimmed mean cuts exactly its share. Percentile and basic intervals use one set of
    resamples for 20 groups (docs/design/studies.md). Twins with `aggregate`: tests/studies/check/test_coverage_of_runs.py.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", section 4, figures 6, A.17, A.18. Cochran 1977, section 2.6
    (finite populations).

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.load_example("classic_control").final().select(algorithms=["ARS"], tasks=["Pendulum-v1"])
    >>> result = ro.coverage(scores, metric="mean", intervals=["t", "percentile"], n_runs=5)
    >>> for record in result.records:
    ...     print(record.interval, record.coverage)
    t 0.956
    percentile 0.835
    """
    scores = as_scores(scores)
    plan = _Plan(
        metrics=_metrics(DEFAULT_METRICS if scores.n_tasks > 1 else ONE_TASK) if metric is None else _metrics(metric),
        confidence_level=check_confidence(confidence_level),
        n_repeats=check_count("n_repeats", n_repeats),
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
    )
    found, notes = own_runs(scores)
    cells = [
        _Cell(runs=one, intervals=_intervals(intervals, shared=one.shared), n=n)
        for one in found
        for n in _sizes(one, n_runs)
    ]
    work = [(c, block, size) for c in range(len(cells)) for block, size in blocks(plan.n_repeats)]
    drawn = in_threads(lambda task: _block(cells[task[0]], task[1], task[2], plan), work, threads)
    records: list[CoverageRecord] = []
    for c, cell in enumerate(cells):
        mine = [block for (own, _, _), block in zip(work, drawn, strict=True) if own == c]
        records += _records(cell, np.concatenate(mine, axis=-1), plan)
    return CoverageResult(
        records=tuple(records),
        confidence_level=plan.confidence_level,
        n_resamples=plan.n_resamples,
        seed=plan.streams.seed,
        notes=tuple(notes),
        sentence=about_coverage(records, plan.confidence_level),
    )


def _metrics(metric: str | Sequence[str]) -> tuple[Metric, ...]:
    names = dict.fromkeys([metric] if isinstance(metric, str) else metric)
    if not names:
        raise OptionError(f"metric is empty: name one, or several, for example {', '.join(DEFAULT_METRICS)}.")
    return tuple(parse_metric(name) for name in names)


def _intervals(asked: str | Sequence[str] | None, *, shared: bool) -> tuple[str, ...]:
    if asked is None:
        return tuple(name for name, one in INTERVALS.items() if not shared or "runs" in one.shared)
    names = dict.fromkeys([asked] if isinstance(asked, str) else asked)
    if not names:
        raise OptionError(f"intervals is empty: name some of {', '.join(INTERVALS)}.")
    return tuple(dict.fromkeys(check_interval(name, shared=shared) for name in names))


def _sizes(runs: OwnRuns, asked: int | Sequence[int] | None) -> tuple[int, ...]:
    if asked is None:
        return tuple(n for n in COARSE if n <= runs.half)
    return group_sizes(runs, asked)


def _block(cell: _Cell, block: int, size: int, plan: _Plan) -> Floats:
    """Return estimates and ends of a block, (n_metrics, 1 + 2 n_intervals, size): the estimate, then low and high of each interval."""
    key = (cell.runs.key, cell.n, block)
    drawn = groups(cell.runs, cell.n, size, plan.streams.block("check/groups", *key))
    batch = Batch(
        scores=drawn[:, None],
        alpha=1.0 - plan.confidence_level,
        n_resamples=plan.n_resamples,
        streams=plan.streams,
        key=key,
    )
    points = np.stack([points_of(batch, metric) for metric in plan.metrics])
    found = [ends_of(batch, plan.metrics, name, shared=cell.runs.shared) for name in cell.intervals]
    return np.concatenate([points[:, None], *found], axis=1)


def _records(cell: _Cell, drawn: Floats, plan: _Plan) -> list[CoverageRecord]:
    share, found = share_drawn(cell.runs, cell.n), []
    for metric, rows in zip(plan.metrics, drawn, strict=True):
        errors = Errors(rows[0], true_value(cell.runs, metric), share)
        for i, name in enumerate(cell.intervals):
            low, high = rows[1 + 2 * i], rows[2 + 2 * i]
            there = ~np.isnan(low)
            rate = float(errors.held(low, high).mean())
            found.append(
                CoverageRecord(
                    algorithm=cell.runs.algorithm,
                    interval=name,
                    metric=metric.name,
                    n_runs=cell.n,
                    coverage=rate,
                    coverage_error=sqrt(rate * (1.0 - rate) / plan.n_repeats),
                    mean_width=float((high - low)[there].mean()) if there.any() else None,
                    no_interval=float(1.0 - there.mean()),
                    truth=errors.truth,
                    bias=errors.bias,
                    bias_error=errors.bias_error,
                    spread=errors.spread,
                    n_repeats=plan.n_repeats,
                    n_all=cell.runs.n_all,
                    n_tasks=len(cell.runs.tasks),
                )
            )
    return found
