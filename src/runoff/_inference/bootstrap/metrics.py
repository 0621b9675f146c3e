"""Aggregate metrics by name: each is one record with its function; four of them, and trimmed means, have a compiled shortcut.

A function takes values and weights, both (…, n_tasks, most runs) with leading axes that broadcast, and returns (…,). A weight says how many runs
a score stands for: those of a sample of N runs sum to N, every task has the same share of them, and a place without a run weighs 0. So one
function serves the data, resamples, samples without a run, and redrawn tasks.

`Weighted` makes such weights, for metrics without a kernel: the draws are those of the kernels, from the same random words, so that both ways
give the same numbers up to rounding, which tests hold every metric with a kernel to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeVar

import numpy as np

from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats, Ints, Words
from runoff.errors import OptionError, nearest
from runoff.words.names import LOWER_IS_BETTER, metric_title


def task_means(values: Floats, weights: Floats) -> Floats:
    return np.asarray((values * weights).sum(axis=-1) / weights.sum(axis=-1))


def mean(values: Floats, weights: Floats) -> Floats:
    return np.asarray(task_means(values, weights).mean(axis=-1))


def median(values: Floats, weights: Floats) -> Floats:
    return np.asarray(np.median(task_means(values, weights), axis=-1))


def ascending(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the scores of all tasks in ascending order, and their weights, (…, n_tasks · most runs) each."""
    pooled = values.reshape(*values.shape[:-2], -1)
    order = np.argsort(pooled, axis=-1, kind="stable")
    mass = weights.reshape(*weights.shape[:-2], -1)
    if order.ndim == 1:  # one order for all samples of the same values
        return pooled[order], mass[..., order]
    order, mass = np.broadcast_arrays(order, mass)
    return np.take_along_axis(pooled, order, axis=-1), np.take_along_axis(mass, order, axis=-1)


def trimmed_mean(values: Floats, weights: Floats, *, cut: float) -> Floats:
    """Return the mean of the pool without int(cut · N) runs at each end, N being all runs; a score at the cut counts in part."""
    pooled, mass = ascending(values, weights)
    total = np.rint(mass.sum(axis=-1, keepdims=True))
    units, above = np.floor(cut * total), np.cumsum(mass, axis=-1)
    inside = np.maximum(np.minimum(above, total - units) - np.maximum(above - mass, units), 0.0)
    return np.asarray((inside * pooled).sum(axis=-1) / inside.sum(axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric.

    cited: what a methods paragraph calls it: "the interquartile mean". function: of values and weights, as the module says; `mean` is known
    to have a closed standard error. shortfall: whether the function is taken of max(gamma − score, 0) rather than of scores. smooth:
    whether a run less changes it little, so that the jackknife has its error; that of a median fails (Efron 1979). column: its column of
    the kernels (`runoff._kernels.bootstrap.resample`), a shortcut for the function. trim: of a trimmed mean the share cut from each end of
    the pool, for which the kernels have further columns.
    """

    name: str
    cited: str
    function: Callable[[Floats, Floats], Floats] = field(compare=False)
    higher_is_better: bool = True
    shortfall: bool = False
    smooth: bool = True
    column: int | None = None
    trim: float | None = None

    @property
    def title(self) -> str:
        return metric_title(self.name)

    @property
    def averages(self) -> bool:
        """Return whether it is a mean of scores, or of shortfalls, whose error is known in closed form."""
        return self.function is mean

    @property
    def compiled(self) -> bool:
        return self.column is not None or self.trim is not None


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric(name="iqm", cited="the interquartile mean", function=partial(trimmed_mean, cut=0.25), trim=0.25),
            Metric(name="mean", cited="the mean", function=mean, column=kernels.MEAN),
            Metric(
                name="median", cited="the median of task means", function=median, smooth=False, column=kernels.MEDIAN
            ),
            Metric(
                name="optimality_gap",
                cited="the optimality gap",
                function=mean,
                higher_is_better=False,
                shortfall=True,
                column=kernels.GAP,
            ),
        )
    }
)
"""The fixed names; "trimmed_mean_10" (any whole per cent below 50) is the pooled mean without the lowest and highest 10 %."""


class Estimated(Protocol):
    @property
    def estimate(self) -> float: ...


R = TypeVar("R", bound=Estimated)


def parse_metric(name: str) -> Metric:
    """Return the metric of a name: one of METRICS, or trimmed_mean_P."""
    if name in METRICS:
        return METRICS[name]
    match = re.fullmatch(r"trimmed_mean_(\d{1,2})", str(name))
    if match and int(match[1]) < 50:
        cut = int(match[1]) / 100
        cited = f"the {int(match[1])}\u00a0% trimmed mean"
        return Metric(name=name, cited=cited, function=partial(trimmed_mean, cut=cut), trim=cut)
    names = [*METRICS, "trimmed_mean_10"]
    raise OptionError(
        f"metrics are {', '.join(METRICS)} and trimmed_mean_P with P per cent (below 50) cut from each end, not {name!r}.{nearest(name, names)}"
    )


def cited(measure: str) -> str:
    """Return what a methods paragraph calls a measure."""
    return "the chance to beat a run of another" if measure == "improvement" else parse_metric(measure).cited


def best_first(records: Iterable[R], metric: str) -> list[R]:
    """Return records of one metric, the best estimate first."""
    sign = 1.0 if metric in LOWER_IS_BETTER else -1.0
    return sorted(records, key=lambda record: sign * record.estimate)


# ── samples as weights ──────────


ENDLESS = 2.0**40
"""Factor of the weights where a cut is exact: of so many runs a share is a whole number of runs up to rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighted:
    """One algorithm's scores as functions see them.

    Flat arrays (…, n_scores) lie task by task, as in a pool; a function sees them as (…, n_tasks, most runs).

    values : (n_scores,) task by task; offsets : (n_tasks + 1,); gamma : threshold of the shortfall; exact : whether cuts are exact shares
    """

    values: Floats
    offsets: Ints
    gamma: float
    exact: bool

    @property
    def n_runs(self) -> Ints:
        return np.asarray(np.diff(self.offsets))

    @property
    def task(self) -> Ints:
        return np.repeat(np.arange(self.n_runs.size), self.n_runs)

    @property
    def unit(self) -> Floats:
        """Return the weight of each score in the data, (n_scores,): N / (n_tasks · runs of its task)."""
        return np.asarray((self.values.size / (self.n_runs.size * self.n_runs))[self.task])

    def by_task(self, flat: Floats) -> Floats:
        """Return what belongs to each score as (…, n_tasks, most runs), 0 where a task has no further run."""
        sizes = self.n_runs
        places = np.arange(int(sizes.max()))
        inside = places < sizes[:, None]
        at = np.where(inside, self.offsets[:-1, None] + places, 0)
        return np.where(inside, flat[..., at], 0.0)

    def of(self, metrics: Sequence[Metric], weights: Floats, values: Floats | None = None) -> Floats:
        """Return each metric, (…, n_metrics); weights (…, n_tasks, most runs); values, if not those of the data, of the same shape."""
        values = self.by_task(self.values) if values is None else values
        scaled = weights * ENDLESS if self.exact else weights
        results = [
            metric.function(np.maximum(self.gamma - values, 0.0) if metric.shortfall else values, scaled)
            for metric in metrics
        ]
        return np.stack(results, axis=-1)

    def of_counts(self, metrics: Sequence[Metric], counts: Floats) -> Floats:
        """Return each metric of samples that hold each score so often, (…, n_scores)."""
        return self.of(metrics, self.by_task(counts * self.unit))

    # ── draws ──────────

    def counts(self, words: Words) -> Floats:
        """Return how often each score is drawn within its task, (n_rows, n_scores)."""
        drawn = np.zeros((len(words), self.values.size))
        for first, stop in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            size = stop - first
            drawn[:, first:stop] = times_of(words[:, first:stop], np.full(len(words), size), size)
        return drawn

    def counts_of_rows(self, words: Words, rows_of: Ints, n_runs: int) -> Floats:
        """Return how often each score is drawn with its whole run."""
        return np.asarray(times_of(words[:, :n_runs], np.full(len(words), n_runs), n_runs)[:, rows_of])

    def of_tasks(self, metrics: Sequence[Metric], slots: Ints, words: Words | None = None) -> Floats:
        """Return each metric of redrawn tasks (n_rows, n_tasks): with the runs they have, or, with words, with redrawn ones."""
        sizes, most = self.n_runs[slots], int(self.n_runs.max())
        inside = np.arange(most) < sizes[..., None]
        times = inside.astype(np.float64)
        if words is not None:
            # A drawn task takes as many words as it has runs, those after the words of the tasks before it.
            at = np.cumsum(sizes, axis=1)[..., None] - sizes[..., None] + np.arange(most)
            own = np.take_along_axis(words[:, None, :], np.where(inside, at, 0), axis=2)
            times = times_of(own.reshape(-1, most), sizes.ravel(), most, inside.reshape(-1, most)).reshape(inside.shape)
        unit = self.values.size / (slots.shape[1] * sizes)
        return self.of(metrics, times * unit[..., None], self.by_task(self.values)[slots])


def times_of(words: Words, sizes: Ints, most: int, used: np.ndarray | None = None) -> Floats:
    """Return how often each of `sizes` (n_rows,) runs is drawn by the words of its row, (n_rows, most), as the kernels read words."""
    drawn = ((words.astype(np.uint64) * sizes.astype(np.uint64)[:, None]) >> np.uint64(32)).astype(np.int64)
    places = drawn + np.arange(len(words))[:, None] * most
    chosen = places.ravel() if used is None else places[used]
    return np.bincount(chosen, minlength=len(words) * most).reshape(len(words), most).astype(np.float64)
