"""Metrics that have no kernel: resamples become weights, the metric's function reduces them.

The draws are those of the kernels, from the same random words, so that both ways give the same numbers up to rounding: tests hold every metric
that has a kernel to its function. Flat arrays (…, n_scores) lie task by task, as
in a pool; a function sees them as (…, n_tasks, most runs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff._inference.bootstrap.metrics import Metric
from runoff.base.arrays import Floats, Ints, Words

ENDLESS = 2.0**40
"""Factor of the weights where a cut is exact: of so many runs a share is a whole number of runs up to rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighted:
    """One algorithm's scores as functions see them.

    values : (n_scores,) task by task; offsets : (n_tasks + 1,); gamma : threshold of the shortfall; exact : whether cuts are exact shares
    """

    values: Floats
    offsets: Ints
    gamma: float
    exact: bool

    @property
    def n_runs(self) -> Ints:
        counts: Ints = np.diff(self.offsets)
        return counts

    @property
    def task(self) -> Ints:
        """Return the task of each score, (n_scores,)."""
        return np.repeat(np.arange(self.n_runs.size), self.n_runs)

    @property
    def unit(self) -> Floats:
        """Return the weight of each score in the data, (n_scores,): N / (n_tasks · runs of its task)."""
        units: Floats = (self.values.size / (self.n_runs.size * self.n_runs))[self.task]
        return units

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

    def counts(self, words: Words, fewer: int = 0) -> Floats:
        """Return how often each score is drawn within its task, (n_rows, n_scores), one run less weighing more where `fewer` is 1."""
        drawn = np.zeros((len(words), self.values.size))
        for first, stop in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            size = stop - first
            times = times_of(words[:, first : stop - fewer], np.full(len(words), size), size)
            drawn[:, first:stop] = times * (size / (size - fewer))
        return drawn

    def counts_of_rows(self, words: Words, rows_of: Ints, n_runs: int, n_drawn: int) -> Floats:
        """Return how often each score is drawn with its whole run, n_drawn of n_runs, together weighing as much as all."""
        times = times_of(words[:, :n_drawn], np.full(len(words), n_runs), n_runs)
        counts: Floats = times[:, rows_of] * (n_runs / n_drawn)
        return counts

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

    # ── a run less ──────────

    def without_each(self, metrics: Sequence[Metric], counts: Floats, total: float) -> Floats:
        """Return each metric without one draw of each score, (n_samples, n_scores, n_metrics), of samples (n_samples, n_scores) of the data.

        The draws that are left of a task share its weight; all weights sum to `total`. Of a score that was not drawn the result means nothing.
        """
        left = np.empty((*counts.shape, len(metrics)))
        shrunk = self.unit * (total / self.values.size)
        for i, t in enumerate(self.task.tolist()):
            size, own = int(self.n_runs[t]), slice(int(self.offsets[t]), int(self.offsets[t + 1]))
            weights = counts * shrunk
            weights[:, i] = np.maximum(counts[:, i] - 1.0, 0.0) * shrunk[i]
            weights[:, own] *= size / (size - 1)
            left[:, i] = self.of(metrics, self.by_task(weights))
        return left

    def errors(self, metrics: Sequence[Metric], counts: Floats) -> Floats:
        """Return the jackknife's standard errors within tasks, (n_samples, n_metrics), of samples that hold each score so often.

        Σ_t (c_t − 1) / c_t Σ_i k_i (θ without i − their mean)²: of a mean its closed error. All weights still sum to the number of runs, so that
        a cut stays where it is.
        """
        left = self.without_each(metrics, counts, float(self.values.size))
        variances = np.zeros((len(counts), len(metrics)))
        for size, first, stop in zip(self.n_runs.tolist(), self.offsets[:-1], self.offsets[1:], strict=True):
            often, part = counts[:, first:stop, None], left[:, first:stop]
            middle = (often * part).sum(axis=1, keepdims=True) / size
            variances += (size - 1) / size * (often * (part - middle) ** 2).sum(axis=1)
        return np.sqrt(variances)


def times_of(words: Words, sizes: Ints, most: int, used: np.ndarray | None = None) -> Floats:
    """Return how often each of `sizes` (n_rows,) runs is drawn by the words of its row, (n_rows, most), as the kernels read words."""
    drawn = ((words.astype(np.uint64) * sizes.astype(np.uint64)[:, None]) >> np.uint64(32)).astype(np.int64)
    places = drawn + np.arange(len(words))[:, None] * most
    chosen = places.ravel() if used is None else places[used]
    return np.bincount(chosen, minlength=len(words) * most).reshape(len(words), most).astype(np.float64)
