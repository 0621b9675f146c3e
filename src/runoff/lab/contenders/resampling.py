"""Stratified resamples of a batch: one set of resamples serves a group of SHARED experiments.

Each experiment's p-value or interval has the same distribution as with resamples of its own. Experiments of a group are slightly dependent
through the common resamples: the variance of a rate over the study can increase by a share of about SHARED / n_resamples, 1 % at 2,000
resamples; docs/studies.md has the measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from runoff._kernels import study as kernels
from runoff._kernels.blocked.permute import shuffled_labels
from runoff.base.arrays import Floats, GroupMask, Ints, SmallCounts
from runoff.lab.contenders.registry import Batch

SHARED = 20
"""The number of experiments that share one set of resamples."""


@dataclass(frozen=True, slots=True)
class BatchInterval:
    """The ends of an interval and its estimate, (n_batch,) each."""

    low: Floats
    high: Floats
    estimate: Floats


def groups(n_batch: int) -> Iterator[tuple[int, slice]]:
    for g, start in enumerate(range(0, n_batch, SHARED)):
        yield g, slice(start, min(start + SHARED, n_batch))


def counts_of(batch: Batch, purpose: str, algorithm: int, group: int) -> SmallCounts:
    """Return the resamples of one algorithm for one group."""
    n_slots = batch.scores.shape[2] * batch.n_runs
    generator = batch.generator(purpose, algorithm, group)
    words = generator.integers(0, 2**32, size=(batch.n_resamples, n_slots), dtype=np.uint32)
    return kernels.resample_counts(words, batch.n_runs)


IQM_CUT = 0.25
"""The share of the runs that the IQM drops at each end; a run at the cut counts partially, as in `aggregate`."""


def iqm(pooled: Floats) -> Floats:
    """Return the IQM of each row, (n_batch,)."""
    size = pooled.shape[1]
    cut, above = IQM_CUT * size, np.arange(1.0, size + 1)
    # The part of run i, the stretch (i − 1, i), that lies within [cut, size − cut]: 1 inside, a fraction at a cut, 0
    # beyond.
    inside = np.clip(np.minimum(above, size - cut) - np.maximum(above - 1, cut), 0.0, None)
    return np.asarray(np.sort(pooled, axis=1) @ inside / inside.sum())


def replicates(batch: Batch, algorithm: int) -> Iterator[tuple[slice, dict[str, Floats]]]:
    """Yield the bootstrap replicates of the pooled IQM and mean, (n_rows, n_resamples) each, group by group."""
    pooled = batch.pooled(algorithm)
    size = pooled.shape[1]
    order = np.argsort(pooled, axis=1)
    ordered = np.take_along_axis(pooled, order, axis=1)
    for group, rows in groups(batch.n_batch):
        counts = counts_of(batch, "bootstrap", algorithm, group)
        shape = (rows.stop - rows.start, batch.n_resamples)
        trimmed, means = np.empty(shape), np.empty(shape)
        kernels.pooled_means(counts, order[rows], ordered[rows], size, IQM_CUT * size, trimmed, means)
        yield rows, {"iqm": trimmed, "mean": means}


def quantiles(replicated: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Return the α/2 and 1 − α/2 quantiles of each row, interpolated linearly as numpy.quantile does."""
    at = (replicated.shape[1] - 1) * np.array([alpha / 2.0, 1.0 - alpha / 2.0])
    below = np.floor(at).astype(int)
    above = np.minimum(below + 1, replicated.shape[1] - 1)
    ordered = np.partition(replicated, np.unique(np.concatenate([below, above])), axis=1)
    low, high = (
        ordered[:, b] + (a - b) * (ordered[:, u] - ordered[:, b]) for a, b, u in zip(at, below, above, strict=True)
    )
    return low, high


def intervals(batch: Batch, algorithm: int) -> dict[str, BatchInterval]:
    """Return the percentile intervals of one algorithm's IQM and mean, computed once for all methods of the block."""

    def make() -> dict[str, BatchInterval]:
        ends = {metric: np.empty((2, batch.n_batch)) for metric in ("iqm", "mean")}
        for rows, means in replicates(batch, algorithm):
            for metric, column in ends.items():
                column[:, rows] = quantiles(means[metric], batch.alpha)
        pooled = batch.pooled(algorithm)
        estimates = {"iqm": iqm(pooled), "mean": pooled.mean(axis=1)}
        return {m: BatchInterval(low=column[0], high=column[1], estimate=estimates[m]) for m, column in ends.items()}

    return batch.once(f"intervals of algorithm {algorithm}", make)


def improvement_interval(batch: Batch) -> tuple[Floats, Floats]:
    """Return the percentile interval of P(last algorithm > first), averaged over tasks, (n_batch,) each."""
    order, last = _pooled_order(batch.scores)
    low, high = np.empty((2, batch.n_batch))
    for group, rows in groups(batch.n_batch):
        counts = [counts_of(batch, "bootstrap", algorithm, group) for algorithm in (1, 0)]
        out = np.empty((rows.stop - rows.start, batch.n_resamples))
        kernels.improvements(counts[0], counts[1], order[rows], last[rows], out)
        low[rows], high[rows] = quantiles(out, batch.alpha)
    return low, high


def _pooled_order(scores: Floats) -> tuple[Ints, SmallCounts]:
    """Return positions by ascending score within each task, with the last algorithm's runs first, and the positions at which ties end."""
    pooled = np.concatenate([scores[:, 1], scores[:, 0]], axis=2)
    order = np.argsort(pooled, axis=2)
    ordered = np.take_along_axis(pooled, order, axis=2)
    last = np.ones(order.shape, np.uint8)
    last[:, :, :-1] = ordered[:, :, 1:] != ordered[:, :, :-1]
    return order, last


# ── relabellings within tasks ──────────


def permutation_pvalues(batch: Batch, purpose: str, statistic: Callable[[GroupMask, slice], Floats]) -> Floats:
    """Return Monte Carlo p-values (1 + hits) / (1 + draws) of permutations within tasks, (n_batch,).

    statistic: a function of labels (n_draws, n_slots), 1 for slots of the last algorithm, and of the group's rows; it returns (n_rows,
    n_draws). The first row of labels is that of the data.
    """
    n_tasks, n = batch.scores.shape[2], batch.n_runs
    starts = np.arange(n_tasks + 1, dtype=np.int64) * 2 * n
    own = np.tile(np.repeat(np.array([0, 1], np.int8), n), n_tasks)
    pvalues = np.empty(batch.n_batch)
    for group, rows in groups(batch.n_batch):
        generator = batch.generator(purpose, group)
        words = generator.integers(0, 2**32, size=(batch.n_resamples, n_tasks * n), dtype=np.uint32)
        drawn = shuffled_labels(starts, np.full((n_tasks, 2), n, np.int64), words)
        statistics = np.abs(statistic(np.vstack([own, drawn]), rows))
        # A relabelling with the same statistic is a hit, though its sum was added up in another order.
        limit = statistics[:, :1] * (1.0 - 1e-9) - 1e-12 * np.abs(batch.scores[rows]).max()
        pvalues[rows] = (1.0 + (statistics[:, 1:] >= limit).sum(axis=1)) / (1.0 + batch.n_resamples)
    return pvalues
