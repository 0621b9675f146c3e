"""An aggregate along training: at every step its estimate and its interval.

Pointwise intervals are those of one step, whose draws are the same at every step. A simultaneous band is the t interval of each step at the
level at which all hold together: that of the largest of normal variables that are correlated from step to step as the runs are. Variances
are steadied over the steps: few runs often agree at a step at which more would not, and of many steps some are always such. The band of a
success rate is its own interval at that level, Clopper and Pearson's on one task and Wilson's on several, in which steps without spread
have width (docs/guides/comparing-learning-curves.md has the coverage).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor

import numpy as np
from scipy import special

from runoff._inference.bootstrap import pool
from runoff._inference.bootstrap.intervals import Ends, of_two_values
from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.pool import Pool
from runoff._inference.bootstrap.record import MetricEstimate, estimate_of
from runoff._inference.bootstrap.registry import AUTO, How, interval_ends, interval_kind
from runoff._inference.bootstrap.success import clopper_pearson
from runoff.base.arrays import Floats
from runoff.base.random import IntervalOptions
from runoff.errors import OptionError

NORMAL = 2000
"""Draws of normal steps of a block."""
ROWS = 50
"""Steps of a block of the factor: of 200 steps a block saves three eighths of the products."""
CURVE_BANDS = ("pointwise", "simultaneous")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlongSteps(How):
    """What is asked along training: of one metric, by which interval, and how to draw."""

    metric: Metric
    band: str
    gamma: float = 1.0
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateCurve:
    """The answer: estimates (n_steps,), and at each step the ends (None where there is no honest interval) and how they were made."""

    estimates: Floats
    ends: list[Ends | None]
    kinds: list[str]


def check_band(band: str, interval: str) -> None:
    """Refuse a simultaneous band of an interval that has none."""
    if band == "simultaneous" and interval != AUTO:
        raise OptionError(f"interval={interval!r} has no simultaneous band; use {AUTO!r}.")


def along_steps(cells: Sequence[Floats], options: AlongSteps) -> EstimateCurve:
    """Return an aggregate at every step; cells: the algorithm's, (n_runs, n_steps) each, run i the same at all steps."""
    # Runs in an order that is theirs, by their last scores, then those before: the order of the data changes nothing.
    ordered = cells if options.shared else [cell[np.lexsort(cell.T)] for cell in cells]
    # Of all steps: at one of them all runs may happen to score 0.
    rates = of_two_values([cell.ravel() for cell in cells])
    pools = [
        pool.prepare(
            [cell[:, s] for cell in ordered], [options.metric], gamma=options.gamma, shared=options.shared, rates=rates
        )
        for s in range(cells[0].shape[1])
    ]
    points = np.array([pool.estimate(prepared, options.metric) for prepared in pools])
    kinds = [interval_kind(prepared, options.metric, options.interval, "runs") for prepared in pools]
    if min(cell.shape[0] for cell in cells) < 2:
        return EstimateCurve(estimates=points, ends=[None] * points.size, kinds=kinds)
    if options.band == "simultaneous":
        # The median of three rates or more moves in steps, which no run left out shows: it has no error, and no band.
        stepped = rates and len(cells) > 2 and not options.metric.smooth
        scored = rates and set(kinds) == {"wilson"}
        band: list[Ends | None] = (
            [None] * points.size
            if stepped
            else _simultaneous(ordered, pools, options, within=(0.0, 1.0) if rates else None, scored=scored)
        )
        kind = options.interval if not scored else "clopper_pearson" if len(cells) == 1 else "wilson"
        return EstimateCurve(estimates=points, ends=band, kinds=[kind] * points.size)
    return EstimateCurve(estimates=points, ends=_pointwise(pools, options), kinds=kinds)


def _pointwise(pools: Sequence[Pool], options: AlongSteps) -> list[Ends | None]:
    return [interval_ends(prepared, [options.metric], options)[options.metric] for prepared in pools]


def _simultaneous(
    cells: Sequence[Floats], pools: Sequence[Pool], options: AlongSteps, *, within: Ends | None, scored: bool
) -> list[Ends | None]:
    """Return the band; within: what the values can be; scored: by the intervals of rates, which have width without spread."""
    records = [
        estimate_of([cell[:, s] for cell in cells], options.metric, gamma=options.gamma, shared=options.shared)
        for s in range(len(pools))
    ]
    # Rows of runs, not of their variances: how steps move together is seen from what each run adds at each of them.
    (largest,) = largest_of([[record.rows for record in records]], options, every=scored)
    joint = 1 - largest.critical(1 - options.confidence_level)
    if scored and len(cells) == 1:
        # Wilson's lower end for one success is too high at the level of many steps.
        n = len(cells[0])
        won = np.rint(n * np.array([record.value for record in records]))
        return list(zip(*(ends.tolist() for ends in clopper_pearson(won, n, (1 - joint) / 2)), strict=True))
    if scored:
        return _pointwise(pools, replace(options, confidence_level=joint))
    within = within if options.gamma == 1.0 else None
    steady = [replace(record.law(), range=within).interval(joint) for record in steadied(records)]
    return [wider(*ends) for ends in zip(steady, _pointwise(pools, options), strict=True)]


# ── all steps together ──────────


PRIOR = 8.0
"""Degrees of freedom with which the mean variance of a cell along training counts where its variance at a step is below it."""


def steadied(records: Sequence[MetricEstimate]) -> list[MetricEstimate]:
    """Return the records of the steps with (d₀ v̄ + d v) / (d₀ + d) for a part v that is below its mean v̄ over the steps; d = n_runs − 1.

    As if each cell had d₀ more runs, which vary as its own do along training (the posterior mean of Smyth 2004, eq. 3, with d₀ fixed and no
    variance lowered).
    """
    # Raised only: a variance that is lowered towards the mean would make the ends narrow where runs spread most.
    parts, freedom = np.array([record.parts for record in records]), records[0].n_runs - 1
    raised = parts + PRIOR / (PRIOR + freedom) * np.maximum(parts.mean(axis=0) - parts, 0.0)
    # Written out: `replace` takes a tenth of the time of comparing curves.
    return [
        MetricEstimate(record.middle, record.rest, own, record.n_runs, record.rows, record.welch)
        for record, own in zip(records, raised, strict=True)
    ]


def wider(first: Ends | None, other: Ends | None) -> Ends | None:
    """Return the interval that holds both."""
    return (min(first[0], other[0]), max(first[1], other[1])) if first and other else first or other


@dataclass(frozen=True, slots=True)
class Largest:
    """The law of the smallest p-value of so many steps where no step differs: draws of it, ascending."""

    smallest: Floats
    n_steps: int

    def adjusted(self, pvalues: Floats) -> Floats:
        """Return the chance that the smallest p-value of any step is at most each of these, by draws, at most Bonferroni's."""
        hits = np.searchsorted(self.smallest, pvalues, side="right")
        # Drawn p-values cannot be below 1 / (1 + draws); Bonferroni's can, and holds too. No step is surer with the others than alone.
        drawn = (1.0 + hits) / (1.0 + self.smallest.size)
        return np.asarray(np.minimum(np.maximum(np.minimum(drawn, self.n_steps * pvalues), pvalues), 1.0))

    def critical(self, alpha: float) -> float:
        """Return the p-value of a step below which the adjusted one is at most alpha."""
        # The largest p with (1 + hits) / (1 + draws) ≤ α, as `adjusted` counts hits, so that band and p-value agree to the last draw.
        allowed = floor(alpha * (self.smallest.size + 1) + 1e-9) - 1
        drawn = float(self.smallest[allowed]) if allowed >= 0 else 0.0
        return min(max(drawn, alpha / self.n_steps), alpha)


def largest_of(many: Sequence[Sequence[Floats]], drawing: IntervalOptions, *, every: bool = False) -> list[Largest]:
    """Return the law of the largest |z| of normal steps that are correlated as `MetricEstimate.rows` of the steps are, for each of many curves.

    every: steps at which no run varies count too, each on its own, as those of rates, whose intervals have width there.
    """
    factors = [_factor(np.array(rows), every=every) for rows in many]
    largest, widest = np.empty((len(many), drawing.n_resamples)), max(len(factor) for factor in factors)
    for block in range(-(-drawing.n_resamples // NORMAL)):
        at = slice(block * NORMAL, min((block + 1) * NORMAL, drawing.n_resamples))
        # One set of draws for all curves: the band of a curve does not depend on which others are shown with it.
        normal = drawing.streams.block("band", block).standard_normal((widest, at.stop - at.start))
        for own, factor in zip(largest, factors, strict=True):
            own[at] = _largest(factor, normal)
    pvalues = np.sort(2.0 * special.ndtr(-largest), axis=1)
    return [Largest(own, len(rows)) for own, rows in zip(pvalues, many, strict=True)]


def _largest(factor: Floats, normal: Floats) -> Floats:
    """Return the largest |z| of the steps in each draw, (n_draws,); the factor is lower triangular, so that its first rows are short."""
    largest = np.zeros(normal.shape[1])
    for start in range(0, len(factor), ROWS):
        rows = factor[start : start + ROWS, : start + ROWS]
        np.maximum(largest, np.abs(rows @ normal[: rows.shape[1]]).max(axis=0), out=largest)
    return largest


def _factor(rows: Floats, *, every: bool) -> Floats:
    """Return a root of the correlation of the steps that vary, or of every step; rows (n_steps, n_runs)."""
    size = np.abs(rows).max(axis=1, keepdims=True)
    # By the largest first: squares of scores of 1e±200 are no doubles.
    runs = np.divide(rows, size, out=np.zeros_like(rows), where=size > 0)
    length = np.sqrt(np.square(runs).sum(axis=1, keepdims=True))
    runs = np.divide(runs, length, out=runs, where=length > 0)[every | (size[:, 0] > 0)]
    # What n runs say of the correlation of steps is uncertain by 1 / n, and ends that rest on it alone are too near: so much of each is its own.
    own = 1.0 / rows.shape[1]
    correlation = (1.0 - own) * (runs @ runs.T)
    np.fill_diagonal(correlation, 1.0)
    return np.linalg.cholesky(correlation)
