"""Coverage on your own runs: intervals of groups of one algorithm's runs, compared with the measure of all its runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np

from runoff._inference.bootstrap import AUTO, INTERVALS, Metric, check_interval, parse_metric
from runoff.answer.base import filled
from runoff.answer.study import CoverageResult, CoverageRow
from runoff.base.arrays import Bools, Floats
from runoff.base.random import RNG
from runoff.base.validate import check_confidence
from runoff.data.given import ScoresLike, as_scores
from runoff.lab.contenders.coverage import SHORT, ends, single_ends
from runoff.lab.contenders.estimates import QUICK, estimates_of, true_of_runs
from runoff.lab.contenders.registry import Batch
from runoff.lab.own_runs import runs as own
from runoff.words.names import IntervalName, MetricName
from runoff.words.numbers import percent

COARSE = (2, 3, 5, 10, 20, 50, 100)
"""The default numbers of runs in a group, up to half of all."""
DEFAULT_METRICS = ("iqm", "median", "mean")
ONE_TASK = ("iqm", "mean")
FIELD_STANDARD = "percentile"
"""The interval that the sentence is about, if it was tried."""


def coverage(
    data: ScoresLike,
    *,
    measure: MetricName | Sequence[MetricName] | None = None,
    interval: IntervalName | Sequence[IntervalName] | None = None,
    n_runs: int | Sequence[int] | None = None,
    n_repeats: int = 1000,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = 0,
    threads: int | None = None,
) -> CoverageResult:
    """Return how often intervals of groups of runs contain the measure of all runs; arguments and method as in `check`."""
    scores = as_scores(data)
    default = ("mean",) if scores.binary else DEFAULT_METRICS if scores.n_tasks > 1 else ONE_TASK
    examples = f"one, or several, for example {', '.join(DEFAULT_METRICS)}"
    # A user's function is refused by its own sentence, and is no sequence.
    given = [measure] if callable(measure) else default if measure is None else measure
    metrics = [parse_metric(name) for name in own.listed("measure", given, examples)]
    confidence_level = check_confidence(confidence_level)
    plan = own.CheckPlan.of(1.0 - confidence_level, n_repeats, n_resamples, rng)
    algorithms, notes = own.own_runs(scores)
    cells = [
        own.CheckCell(runs=runs, names=_intervals(interval, shared=runs.shared), n=n)
        for runs in algorithms
        for n in ([n for n in COARSE if n <= runs.half] if n_runs is None else own.group_sizes(runs, n_runs))
    ]
    records = [
        record
        for cell, drawn in own.by_cell(cells, lambda _: plan.blocks(), partial(_block, plan, metrics), threads)
        for record in _records(cell, metrics, np.concatenate(drawn, axis=-1), plan)
    ]
    return CoverageResult(
        rows=tuple(records),
        confidence_level=confidence_level,
        n_resamples=plan.n_resamples,
        seed=plan.streams.seed,
        notes=tuple(notes),
        sentence=about_coverage(records, confidence_level),
    ).with_origin(scores)


def _intervals(choice: str | Sequence[str] | None, *, shared: bool) -> tuple[str, ...]:
    if choice is None:
        return tuple(name for name, interval in INTERVALS.items() if not shared or "runs" in interval.shared)
    names = own.listed("interval", choice, f"some of {', '.join(INTERVALS)}")
    return tuple(dict.fromkeys(check_interval(name, shared=shared) for name in names))


def _block(plan: own.CheckPlan, metrics: Sequence[Metric], cell: own.CheckCell, block: int, size: int) -> Floats:
    """Return the estimates and ends of a block, (n_metrics, 1 + 2 n_intervals, size): the estimate, then low and high of each interval."""
    drawn = own.groups(cell.runs, cell.n, size, plan.generator("groups", cell, block))
    batch = plan.batch(drawn[:, None], cell, block)
    points = np.stack([estimates_of(batch, 0, metric) for metric in metrics])
    ends = [ends_of(batch, metrics, name, shared=cell.runs.shared) for name in cell.names]
    return np.concatenate([points[:, None], *ends], axis=1)


def _records(
    cell: own.CheckCell, metrics: Sequence[Metric], drawn: Floats, plan: own.CheckPlan
) -> Iterator[CoverageRow]:
    share = share_drawn(cell.runs, cell.n)
    for metric, rows in zip(metrics, drawn, strict=True):
        errors = Errors(rows[0], true_of_runs(cell.runs.cells, metric), share)
        for i, name in enumerate(cell.names):
            low, high = rows[1 + 2 * i], rows[2 + 2 * i]
            there = ~np.isnan(low)
            rate = float(errors.cover(low, high).mean())
            yield filled(
                CoverageRow,
                errors,
                plan,
                cell.runs,
                interval=name,
                measure=metric.name,
                n_runs=cell.n,
                coverage=rate,
                coverage_error=sqrt(rate * (1.0 - rate) / plan.n_repeats),
                mean_width=float((high - low)[there].mean()) if there.any() else None,
                no_interval=float(1.0 - there.mean()),
                n_tasks=len(cell.runs.tasks),
            )


# ── intervals of drawn groups, and their distance from the truth ──────────


NARROW = 1e-12
"""An interval narrower than this share of its ends counts as no interval."""


def ends_of(batch: Batch, metrics: Sequence[Metric], interval: str, *, shared: bool) -> Floats:
    """Return the ends of the intervals, (n_metrics, 2, n_batch); NaN for no interval."""
    if interval not in SHORT or shared or any(metric.name not in QUICK for metric in metrics):
        return single_ends(batch, metrics, interval, shared=shared)
    both = np.stack([np.stack(ends(batch, metric.name)) for metric in metrics])
    # Equal runs give replicates that differ by rounding alone, and an interval of no width is never given.
    wide = both[:, 1] - both[:, 0] > NARROW * np.abs(both).max(axis=1)
    both[:, :, :] = np.where(wide[:, None], both, np.nan)
    if interval == "percentile":
        return both
    twice = 2.0 * np.stack([estimates_of(batch, 0, metric) for metric in metrics])
    # The basic interval is the percentile interval mirrored at the estimate: 2 θ̂ − q.
    return np.stack([twice - both[:, 1], twice - both[:, 0]], axis=1)


@dataclass(frozen=True, slots=True)
class Errors:
    """The estimates (n_repeats,) of groups of n runs, and the errors that estimates of new runs would have."""

    points: Floats
    truth: float
    share: float
    """The share n / M of the runs that a group takes, averaged over tasks."""

    @property
    def bias(self) -> float:
        # Groups without replacement lie nearer to all M runs than new runs would: a bias of order 1/n shrinks by 1 −
        # n/M, a standard deviation by √(1 − n/M) (the finite population correction). Both are undone here.
        return float(self.points.mean() - self.truth) / (1.0 - self.share)

    @property
    def estimate_std(self) -> float:
        return float(self.points.std()) / sqrt(1.0 - self.share)

    @property
    def bias_error(self) -> float:
        return float(self.points.std()) / (1.0 - self.share) / sqrt(self.points.size)

    def cover(self, low: Floats, high: Floats) -> Bools:
        """Return whether the intervals would contain the truth of new runs; a missing interval (NaN) counts as a miss."""
        middle = self.points.mean()
        # The truth that would stand to this estimate as the truth of new runs does: its chance error is stretched,
        # and the bias is that of new runs.
        true = self.points - self.bias - (self.points - middle) / sqrt(1.0 - self.share)
        return np.asarray((low <= true) & (true <= high))


def share_drawn(runs: own.OwnRuns, n: int) -> float:
    """Return the share of its runs that a group of n takes, n / M, averaged over tasks."""
    return float(np.mean([n / cell.size for cell in runs.cells]))


# ── in words ──────────


def about_coverage(records: Sequence[CoverageRow], level: float) -> str:
    """Return sentences on the coverage of the intervals of each metric, and on which to use."""
    judged = [record for record in records if record.n_all >= own.FEW]
    if not judged:
        return own.too_few(records)
    n = own.usual(record.n_runs for record in judged)
    here = [record for record in judged if record.n_runs == n]
    metrics = dict.fromkeys(record.measure for record in here)
    return " ".join(_of_metric([r for r in here if r.measure == metric], level, n, len(here)) for metric in metrics)


def _of_metric(here: Sequence[CoverageRow], level: float, n: int, n_looks: int) -> str:
    by_name = {name: [r for r in here if r.interval == name] for name in dict.fromkeys(r.interval for r in here)}
    covered = {name: [r.coverage for r in records] for name, records in by_name.items()}
    below = {r.interval for r in here if r.coverage < level - own.beyond_chance(level, r.n_repeats, n_looks)}
    short = [name for name in by_name if name in below]
    spoken = FIELD_STANDARD if FIELD_STANDARD in covered else next(iter(covered))
    cited = parse_metric(here[0].measure).cited
    promise = f", not {percent(level)}" if spoken in short else f" ({percent(level)} promised)"
    cover = f"{own.per_cent(covered[spoken])}{own.of_algorithms(here, 'over')}{promise}"
    head = f"With {n} runs your {INTERVALS[spoken].label} intervals for {cited} cover {cover}"
    sound = [name for name in covered if name not in short]
    if not sound:
        best = max(covered, key=lambda name: min(covered[name]))
        nearest = "no other comes nearer" if best == spoken else f"{_named(best, covered)} comes nearest"
        return f"{head}; no interval that was tried reaches its level, {nearest}."
    # Of those that reach the level the default is named, else the narrowest by its widest case.
    best = AUTO if AUTO in sound else min(sound, key=lambda name: max(r.mean_width or 0.0 for r in by_name[name]))
    if spoken in sound:
        return f"{head}; use them" + ("." if best == spoken else f", or {_named(best, covered)}.")
    return f"{head}; use {_named(best, covered)}."


def _named(name: str, covered: dict[str, list[float]]) -> str:
    return f"{INTERVALS[name].label} ({own.per_cent(covered[name])})"
