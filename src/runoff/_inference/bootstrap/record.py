"""The record of an estimate: its value, and what the runs of each task add to its squared error.

Every statement about a measure follows from it: the interval of one algorithm, the difference of two with its p-value, its interval, its
equivalence and its power. No run is resampled: the squared error is that of leaving each run out in turn within its task, which for a mean is
its closed error. docs/calibration.md has the error rates; `MetricEstimate.minus` says why the wider of two laws counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from runoff._inference.bootstrap.intervals import Ends, usable
from runoff._inference.bootstrap.metrics import ENDLESS, Metric, OwnMeasure, median
from runoff.base.arrays import SMALLEST, Floats, Ints

CONSTANT = 1e-13
"""Scores that differ by less than this share of them are equal: their differences are rounding."""
MANY_TASKS = 10
"""From so many tasks on the degrees of freedom of a mean are those of Welch 1947, for Satterthwaite's are far too few over many small cells."""


@dataclass(frozen=True, slots=True)
class Law:
    """A value that follows t laws, each with its standard error and degrees of freedom: the widest decides.

    So a p-value is at most alpha exactly where the interval of level 1 − alpha leaves the null value out. Without laws, there is no interval
    and no p-value.

    least: the smallest p-value that such runs can have, below which the interval is the whole `range` of the value.
    """

    value: float
    laws: tuple[tuple[float, float], ...]
    least: float = 0.0
    range: Ends | None = None

    kind = "t"
    method = "asymptotic"
    pvalue_error = 0.0

    @property
    def error(self) -> float:
        return max((error for error, _ in self.laws), default=0.0)

    def half(self, level: float) -> float:
        return max(float(special.stdtrit(df, (1 + level) / 2)) * error for error, df in self.laws)

    def interval(self, level: float) -> Ends | None:
        """Return the interval; None without a law, and where rounding leaves no width."""
        if not self.laws:
            return None
        # No runs of this design are as rare as the level: nothing can be left out.
        if self.range is not None and 1 - level < self.least:
            return self.range
        half = self.half(level)
        low, high = self.range or (-np.inf, np.inf)
        return usable(max(self.value - half, low), min(self.value + half, high))

    def pvalue(self, null: float = 0.0) -> float:
        """Return the two-sided p-value of a null value; 1 without a law."""
        return min(max(2 * self.tail(abs(self.value - null)), self.least), 1.0)

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return the p-value of two one-sided tests that the value lies a margin or more from `even` (Schuirmann 1987)."""
        return max(self.tail(margin - abs(self.value - even)), self.least / 2)

    def tail(self, distance: float) -> float:
        """Return the largest chance that a law exceeds a distance; 1 without a law."""
        return max((max(float(special.stdtr(df, -distance / error)), SMALLEST) for error, df in self.laws), default=1.0)


@dataclass(frozen=True, slots=True)
class MetricEstimate:
    """A measure of one algorithm.

    Attributes
    ----------
    middle, rest : float
        The value is their sum: that of scores counted from `middle`, so that large scores lose no digit in their differences.
    parts : (n_strata,)
        What the runs of each task add to the squared error; whole runs, where they are shared by tasks, are one stratum.
    n_runs : (n_strata,)
    rows : (Σ n_runs,)
        What each run adds to the error, stratum after stratum: their squares add up to `parts`.
    welch : bool
        Whether the degrees of freedom are those of Welch 1947 rather than Satterthwaite's.
    total : float
        The sum of `parts`.
    least : int
        The fewest runs of a stratum.
    freedom : (n_strata,)
        The degrees of freedom of each part.
    squares : (n_strata,)
        The sums of squares that pooled variances are made of.
    """

    middle: float
    rest: float
    parts: Floats
    n_runs: Ints
    rows: Floats
    welch: bool = False
    total: float = field(init=False)
    least: int = field(init=False)
    freedom: Floats = field(init=False)
    squares: Floats = field(init=False)

    def __post_init__(self) -> None:
        # Here, for thousands of pairs ask a hundred records.
        object.__setattr__(self, "total", float(self.parts.sum()))
        object.__setattr__(self, "least", int(self.n_runs.min()))
        object.__setattr__(self, "freedom", self.n_runs - 1.0)
        # n v is the variance of a run, v being the squared error of a mean.
        object.__setattr__(self, "squares", self.freedom * self.n_runs * self.parts)

    @property
    def value(self) -> float:
        return self.middle + self.rest

    @property
    def has_law(self) -> bool:
        """Return whether every cell has runs enough to have a spread, and one of them has one."""
        return self.least > 1 and self.total > 0

    def at(self, n_runs: Ints | float) -> MetricEstimate:
        """Return the record that so many runs of every task, or of each, would have, if they spread as these."""
        n = np.broadcast_to(n_runs, self.n_runs.shape)
        return replace(self, parts=self.parts * self.n_runs / n, n_runs=n)

    def law(self) -> Law:
        return Law(self.value, (t_law(self.parts, self.freedom, float(self.welch)),) if self.has_law else ())

    def minus(self, other: MetricEstimate, more: float | None = None) -> Law:
        """Return the law of the difference of two algorithms with runs of their own on the same tasks.

        more: the c of `t_law` in both laws; where it is not given that of Welch's is 1 or 0, as `welch` says, and that of Student's 0.

        The wider of two. Welch's: the squared errors of both add up. Student's: the variances of both are pooled within each task. With equal
        numbers of runs only Welch's acts (but where it has the degrees of freedom of Welch 1947); with 2 against 8, or 3 against 20, the two
        hold the level where each alone errs .08 to .12.
        """
        value = (self.middle - other.middle) + (self.rest - other.rest)
        if min(self.least, other.least) < 2 or not self.total + other.total > 0:
            return Law(value, ())
        parts, freedom = np.concatenate([self.parts, other.parts]), np.concatenate([self.freedom, other.freedom])
        # The variances of both are pooled by their freedom, as in Student's test, and (1/n + 1/m) makes them that of the difference.
        both = self.freedom + other.freedom
        pooled = (self.squares + other.squares) / both * (1 / self.n_runs + 1 / other.n_runs)
        return Law(
            value,
            (
                t_law(parts, freedom, float(self.welch) if more is None else more),
                t_law(pooled, both, more or 0.0),
            ),
        )


def t_law(parts: Floats, freedom: NDArray[np.floating[Any]], c: float) -> tuple[float, float]:
    """Return the standard error and degrees of freedom of a sum of independent parts: V² / Σ v²/(d + c) − c.

    Source: Welch (1947), who has c = 2 and 1; with c = 0 Satterthwaite (1946).
    """
    # Tens of thousands of laws are of ten numbers: what `sum` and `min` do before they reduce takes as long as the reduction.
    total = float(np.add.reduce(parts))
    # Shares first: squares of variances of scores of 1e±100 are no doubles.
    df = 1 / float(np.add.reduce((parts / total) ** 2 / (freedom + c))) - c
    # Satterthwaite's df lies between that of the least known part and all together; Welch's, with c > 0, may leave that range.
    return sqrt(total), min(max(df, float(np.minimum.reduce(freedom))), float(np.add.reduce(freedom)))


def mean_pvalues(x: Floats, y: Floats) -> Floats:
    """Return the p-values (n_batch,) that the difference of means has in many experiments of one size, (n_batch, n_tasks, n_runs) each side.

    They are those of `MetricEstimate.minus`: with as many runs on both sides the two laws have one error, and the fewer degrees of
    freedom decide.
    """
    _, n_tasks, n = x.shape
    middle = np.median(np.concatenate([x, y], axis=2), axis=2, keepdims=True)
    differences = ((x - middle).mean(axis=2) - (y - middle).mean(axis=2)).mean(axis=1)
    sides = np.stack([x, y], axis=1)
    parts = sides.var(axis=3, ddof=1) / (n * n_tasks**2)
    parts[np.ptp(sides, axis=3) <= CONSTANT * np.abs(sides).max(axis=3)] = 0.0
    total, pvalues = parts.sum(axis=(1, 2)), np.ones(len(x))
    varied = total > 0
    shares, c, d = parts[varied] / total[varied, None, None], float(n_tasks >= MANY_TASKS), n - 1.0
    # As `t_law`, by the same formula; both laws have one error here, so the fewer degrees of freedom are the wider law.
    welch = np.clip(1 / (np.square(shares).sum(axis=(1, 2)) / (d + c)) - c, d, 2 * n_tasks * d)
    student = 1 / (np.square(shares.sum(axis=1)).sum(axis=1) / (2 * d))
    tails = special.stdtr(np.minimum(welch, student), -np.abs(differences[varied]) / np.sqrt(total[varied]))
    pvalues[varied] = np.maximum(2 * tails, SMALLEST)
    return pvalues


def estimate_of(cells: Sequence[Floats], metric: Metric, *, gamma: float = 1.0, shared: bool = False) -> MetricEstimate:
    """Return the record of a metric of an algorithm with these cells, float64 (n_runs,) each.

    The variance of a task is v_t = (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)², each run left out in turn and the others of its task sharing its weight; of a mean
    it is s²/(n T²). shared: run i is the same in every cell, and whole runs are left out. A cell of
    one run has no part.
    """
    if metric.own is not None:
        return _own_estimate(cells, metric.own, shared=shared)
    cells = seen(cells, metric, gamma)
    n_runs = np.array([cell.size for cell in cells])
    metric = metric.among(int(n_runs.sum()))
    middle = float(np.median(np.concatenate(cells)))
    centred = [cell - middle for cell in cells]
    values, weights = _filled(centred)
    rest = float(metric.function(values, weights * ENDLESS))
    if n_runs.min() < 2:
        strata = n_runs[:1] if shared else n_runs
        return MetricEstimate(middle, rest, np.zeros(strata.size), strata, np.zeros(strata.sum()))
    if shared:
        left = _without_each_row(np.array(centred), metric)
        rounding = float(np.ptp(left)) <= CONSTANT * max(float(np.abs(cell).max()) for cell in cells)
        rows = (left - left.mean()) * (0.0 if rounding else sqrt((left.size - 1) / left.size))
        return MetricEstimate(middle, rest, np.array([np.square(rows).sum()]), n_runs[:1], rows)
    rows = _rows(cells, without_each(centred, metric), n_runs)
    parts = np.add.reduceat(np.square(rows), np.cumsum(n_runs) - n_runs)
    return MetricEstimate(middle, rest, parts, n_runs, rows, welch=metric.averages and len(cells) >= MANY_TASKS)


def _own_estimate(cells: Sequence[Floats], own: OwnMeasure, *, shared: bool) -> MetricEstimate:
    """Return the record of a user's function: of the scores as they are, for it need not move with them.

    A run is left out twice: its task has a run less, and, so that a function that cuts whole runs cuts the same share, its task has as many
    as before, the others sharing its weight. Of the two errors the larger counts, task by task: by the first alone an IQM by hand differs
    between equal algorithms in .08 to .14 of experiments (6 tasks, 5 runs).
    """
    # In an order of their own, so that the numbers depend on the runs alone.
    orders = [np.argsort(np.sum(cells, axis=0))] * len(cells) if shared else [np.argsort(cell) for cell in cells]
    cells = [cell[order] for cell, order in zip(cells, orders, strict=True)]
    strata, value = np.array([cell.size for cell in cells][: 1 if shared else None]), own.checked(cells)
    if strata.min() < 2:
        return MetricEstimate(0.0, value, np.zeros(strata.size), strata, np.zeros(strata.sum()))
    rows = [
        max((_own_rows(cells, own, None if shared else t, again) for again in (0, AGAIN)), key=lambda row: row @ row)
        for t in range(strata.size)
    ]
    return MetricEstimate(0.0, value, np.array([row @ row for row in rows]), strata, np.concatenate(rows))


AGAIN = 10_000
"""Scores, about so many, that a user's function is given where runs are repeated: of more, runs share a weight by few of their places."""


def _own_rows(cells: Sequence[Floats], own: OwnMeasure, task: int | None, again: int) -> Floats:
    """Return √((n − 1)/n) (θ₍ⱼ₎ − θ̄) of each run of a task, or of all tasks; again: scores up to which others take the weight of a run."""
    n = cells[task or 0].size
    times = max(1, min(n - 1, again // sum(cell.size for cell in cells)))
    others, left = [np.repeat(cell, times) for cell in cells], np.empty(n)
    place = f"the runs without one of {f'task {task + 1} of {len(cells)}' if task is not None else 'all tasks'}"
    for j in range(n):
        kept = np.delete(np.arange(n), j)
        if again:
            # n times as many of n − 1 runs: each as often, and the rest at even places.
            kept = np.concatenate(
                [np.repeat(kept, times), kept[((np.arange(times) + 0.5) * (n - 1) / times).astype(int)]]
            )
        left[j] = own.of([cell[kept] if task in (None, t) else others[t] for t, cell in enumerate(cells)], place)
    rounding = np.ptp(left) <= CONSTANT * max(float(np.abs(cell).max()) for cell in [*cells, left])
    rows: Floats = (left - left.mean()) * (0.0 if rounding else sqrt((n - 1) / n))
    return rows


def moved_by(record: MetricEstimate, cells: Sequence[Floats], own: OwnMeasure) -> tuple[int, int]:
    """Return on how many tasks a user's function with this record moves without a run, and on how many the runs vary."""
    moved = record.parts > 0
    if moved.size < len(cells):  # whole runs, which say nothing of a task
        moved = np.array([_own_rows(cells, own, t, AGAIN).any() for t in range(len(cells))])
    return int(moved.sum()), sum(float(np.ptp(cell)) > 0 for cell in cells)


def _rows(cells: Sequence[Floats], lefts: Sequence[Floats], n_runs: Ints) -> Floats:
    """Return √((n − 1)/n) (θ₍ⱼ₎ − θ̄) of each run; 0 where the runs of its task are equal but for rounding."""
    starts, runs, left = np.cumsum(n_runs) - n_runs, np.concatenate(cells), np.concatenate(lefts)
    low, high = np.minimum.reduceat(runs, starts), np.maximum.reduceat(runs, starts)
    constant = high - low <= CONSTANT * np.maximum(np.abs(low), np.abs(high))
    scale = np.where(constant, 0.0, np.sqrt((n_runs - 1) / n_runs))
    rows: Floats = (left - np.repeat(np.add.reduceat(left, starts) / n_runs, n_runs)) * np.repeat(scale, n_runs)
    return rows


def value_of(cells: Sequence[Floats], metric: Metric, *, gamma: float = 1.0) -> float:
    """Return a metric of an algorithm's cells, float64 (n_runs,) each, without its record."""
    if metric.own is not None:
        return metric.own.of(cells)
    values, weights = _filled(seen(cells, metric, gamma))
    n = sum(cell.size for cell in cells)
    return float(metric.among(n).function(values, weights * ENDLESS))


def seen(cells: Sequence[Floats], metric: Metric, gamma: float = 1.0) -> list[Floats]:
    """Return what a metric is of: the scores, or what they lack of gamma."""
    return [np.maximum(gamma - cell, 0.0) for cell in cells] if metric.shortfall else list(cells)


def _filled(cells: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return values and weights of cells as a function of a metric takes them, (n_tasks, most runs) each."""
    n_runs = np.array([cell.size for cell in cells])
    inside = np.arange(n_runs.max()) < n_runs[:, None]
    values = np.zeros(inside.shape)
    values[inside] = np.concatenate(cells)
    return values, inside * (n_runs.sum() / (n_runs.size * n_runs))[:, None]


# ── the measure without each run ──────────


def without_each(cells: Sequence[Floats], metric: Metric) -> list[Floats]:
    """Return the metric without each run in turn, (n_runs,) a task, the others of its task sharing its weight; cells as `seen`."""
    if metric.averages:
        return _means_without_each(cells)
    if metric.function is median:
        return _medians_without_each(cells)
    if metric.trim is not None:
        return _trimmed_without_each(cells, metric.among(sum(cell.size for cell in cells)).trim or 0.0)
    return _any_without_each(cells, metric)


def _means_without_each(cells: Sequence[Floats]) -> list[Floats]:
    if len({cell.size for cell in cells}) == 1:  # the same sums, at once
        rows = np.array(cells)
        own = rows.mean(axis=1)
        return list(own.mean() + (own[:, None] - rows) / (rows.shape[0] * (rows.shape[1] - 1)))
    means = np.array([cell.mean() for cell in cells])
    return [
        means.mean() + (mean - cell) / (len(cells) * (cell.size - 1)) for mean, cell in zip(means, cells, strict=True)
    ]


def _medians_without_each(cells: Sequence[Floats]) -> list[Floats]:
    """Return the medians of task means: the middle of the others, or the mean without the run where it lies between their middle two."""
    n_runs = np.array([cell.size for cell in cells])
    equal = bool(np.all(n_runs == n_runs[0]))
    sums = np.array(cells).sum(axis=1) if equal else np.array([cell.sum() for cell in cells])
    means, without = sums / n_runs, (np.repeat(sums, n_runs) - np.concatenate(cells)) / np.repeat(n_runs - 1, n_runs)
    ascending, half = np.concatenate([[-np.inf], np.sort(means), [np.inf]]), (len(cells) - 1) // 2
    places = np.repeat(np.argsort(np.argsort(means, kind="stable")), n_runs)

    def others(place: int) -> Floats:
        """Return the mean at a place of the order from which the run's own task is gone; −∞ at 0."""
        return np.asarray(ascending[place + (places < place)])

    # Among the others the mean without the run may have any place: it is the median where it lies between their middle two.
    if len(cells) % 2:
        left = np.clip(without, others(half), others(half + 1))
    else:
        left = (others(half + 1) + np.clip(without, others(half), others(half + 2))) / 2
    return np.split(left, np.cumsum(n_runs)[:-1])


def _trimmed_without_each(cells: Sequence[Floats], cut: float) -> list[Floats]:
    """Return the trimmed means with exact shares cut, all runs of some tasks at once.

    A run left out takes its slot out of the cumulated weight: below the slot the integral of the quantile function stays, above it the
    integral is read further right, less the slot's own.
    """
    n_runs, n_tasks = np.array([cell.size for cell in cells]), len(cells)
    values = np.concatenate(cells)
    order = np.argsort(values, kind="stable")
    ascending, owner = values[order], np.repeat(np.arange(n_tasks), n_runs)[order]
    own, slots = 1 / (n_tasks * n_runs), 1 / (n_tasks * (n_runs - 1))
    lefts = np.empty(values.size)
    rows = max(1, MOST_WEIGHTS // values.size)
    for first in range(0, n_tasks, rows):
        task = np.arange(first, min(first + rows, n_tasks))
        weights = np.where(owner == task[:, None], slots[task, None], own[owner])
        above, area = (_cumulated(part) for part in (weights, weights * ascending))
        at = np.flatnonzero((owner >= task[0]) & (owner <= task[-1]))
        row, slot = owner[at] - first, slots[owner[at]]
        low, high = (
            np.where(
                share <= above[row, at],
                _read(above, area, np.full(task.size, share))[row],
                _read(above, area, share + slots[task])[row] - slot * ascending[at],
            )
            for share in (cut, 1 - cut)
        )
        lefts[order[at]] = (high - low) / (1 - 2 * cut)
    return np.split(lefts, np.cumsum(n_runs)[:-1])


MOST_WEIGHTS = 2**20
"""Weights of runs that lie in memory at once, a row for each task."""


def _cumulated(rows: Floats) -> Floats:
    return np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)


def _read(above: Floats, area: Floats, shares: Floats) -> Floats:
    """Return the integral of each row's quantile function up to a share, (n_rows,); above, area (n_rows, n_values + 1) ascend."""
    right = np.minimum((above < shares[:, None]).sum(axis=1), above.shape[1] - 1)
    row, left = np.arange(len(above)), np.maximum(right - 1, 0)
    width = above[row, right] - above[row, left]
    part = np.divide(shares - above[row, left], width, out=np.zeros(len(above)), where=width > 0)
    return np.asarray(area[row, left] + np.minimum(part, 1.0) * (area[row, right] - area[row, left]))


def _any_without_each(cells: Sequence[Floats], metric: Metric) -> list[Floats]:
    values, weights = _filled(cells)
    lefts = []
    for t, cell in enumerate(cells):
        left = np.tile(weights, (cell.size, 1, 1))
        left[:, t] *= cell.size / (cell.size - 1)
        left[np.arange(cell.size), t, np.arange(cell.size)] = 0.0
        lefts.append(metric.function(values, left * ENDLESS))
    return lefts


def _without_each_row(values: Floats, metric: Metric) -> Floats:
    """Return any metric without each whole run, (n_runs,); values (n_tasks, n_runs)."""
    n = values.shape[1]
    # Each whole run at weight 0 in turn, the others at 1: one call of the metric for all.
    weights = np.repeat(1.0 - np.eye(n)[:, None, :], len(values), axis=1)
    return np.asarray(metric.function(values, weights * (ENDLESS * n / (n - 1))))
