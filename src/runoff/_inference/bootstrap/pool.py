"""The stratified bootstrap of one algorithm's scores: prepared once, drawn in fixed blocks, on any number of threads.

Every task weighs the same. With T tasks and c_t runs on task t, a score of task t has weight N / (T c_t), N = Σ c_t, in the pool; weights
sum to N and are 1 when all c_t are equal. A trimmed mean cuts p N units of weight from each end, that of whole runs int(p N), which is
SciPy's `trim_mean` on rectangular data: a score at the cut counts with the part of its weight that is left.

Statistics come in columns: mean, median, optimality gap, then trimmed means. `Pool.column` says which column a metric has.

`resamples` gives the same draws for any function of arrays: whole runs are redrawn within each task, with all that trails the task, such as
steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._inference.bootstrap.intervals import of_two_values
from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.record import seen, value_of, without_each
from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats, Ints, Positions, Words
from runoff.base.random import Streams, in_threads
from runoff.errors import OptionError
from runoff.words.speech import option

COLUMNS = MappingProxyType({"mean": kernels.MEAN, "median": kernels.MEDIAN, "optimality_gap": kernels.GAP})
"""Metric -> its column of the kernels; trimmed means have further ones."""
WORDS_PER_BLOCK = 2**18
"""Random words of a block: one megabyte, which stays near the core."""


def block_size(n_scores: int) -> int:
    """Return the resamples of a block: fixed by the shape of the data, so that the numbers depend on data and seed alone."""
    return max(32, min(2048, WORDS_PER_BLOCK // n_scores))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """One algorithm's scores, arranged for the kernels.

    values: (n_scores,) sorted within each task; offsets: (n_tasks + 1,). order: (n_scores,) positions in `values` in ascending order over all
    tasks; position: its inverse; ranked, weights: (n_scores,) in that order. cuts: (n_cuts,) units of weight to cut from each end. rows:
    (n_scores,) the run of each value, where runs are shared by tasks. rates: whether scores of 0 and 1 are successes.
    """

    values: Floats
    offsets: Ints
    order: Positions
    position: Ints
    ranked: Floats
    weights: Floats
    cuts: Floats
    gamma: float
    rows: Ints | None = None
    rates: bool = True

    @property
    def n_tasks(self) -> int:
        return self.offsets.size - 1

    @property
    def n_runs(self) -> Ints:
        return np.asarray(np.diff(self.offsets))

    @property
    def cells(self) -> list[Floats]:
        """Return the scores of each task, ascending, or in the order of the runs where these are shared."""
        if self.rows is not None:
            return list(self.by_run(self.values).T)
        return [self.values[start:stop] for start, stop in pairwise(self.offsets.tolist())]

    @property
    def stepped(self) -> bool:
        """Return whether the median of task means moves in steps that no run left out shows, as where it is of three success rates or more."""
        return self.n_tasks > 2 and of_two_values([self.values])

    @property
    def whole(self) -> bool:
        return bool(np.all(self.weights == 1.0) and np.all(self.cuts == np.floor(self.cuts)))

    @property
    def shortfall(self) -> Floats:
        gaps = np.maximum(self.gamma - self.values, 0.0)
        return np.asarray(gaps / (self.n_tasks * np.repeat(self.n_runs, self.n_runs)))

    def by_run(self, values: Floats) -> Floats:
        """Return what belongs to each score, (n_scores,), as a matrix (n_runs, n_tasks) of shared runs."""
        assert self.rows is not None
        matrix = np.empty((int(self.n_runs[0]), self.n_tasks))
        matrix[self.rows, np.repeat(np.arange(self.n_tasks), self.n_runs)] = values
        return matrix

    @property
    def n_columns(self) -> int:
        return kernels.FIRST_TRIM + self.cuts.size

    def column(self, metric: Metric) -> int:
        if metric.trim is not None:
            return kernels.FIRST_TRIM + int(np.flatnonzero(self.cuts == metric.cut(self.values.size))[0])
        if metric.name not in COLUMNS:
            raise OptionError(f"{metric.cited} is not resampled; use {option('interval', 't')} over runs.")
        return COLUMNS[metric.name]


def prepare(
    cells: Sequence[Floats],
    metrics: Sequence[Metric],
    *,
    gamma: float = 1.0,
    shared: bool = False,
    rates: bool = True,
) -> Pool:
    """Return the pool of an algorithm's non-empty cells, float64 (n_runs,) each.

    `shared`: run i is the same in every cell. `rates`: 0 and 1 are successes, if there is no other score.
    """
    counts = np.array([cell.size for cell in cells], dtype=np.int64)
    equal = not np.any(counts != counts[0])
    # Cells of one size are sorted at once: of curves there are as many as steps.
    within = (
        list(np.argsort(np.array(cells), axis=1, kind="stable"))
        if equal
        else [cell.argsort(kind="stable") for cell in cells]
    )
    values = np.concatenate([cell[at] for cell, at in zip(cells, within, strict=True)])
    order = np.argsort(values, kind="stable")
    position = np.empty(values.size, dtype=np.int64)
    position[order] = np.arange(values.size)
    weights = np.ones(len(cells)) if equal else values.size / (len(cells) * counts)
    cuts = dict.fromkeys(metric.cut(values.size) for metric in metrics if metric.trim is not None)
    return Pool(
        values=values,
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        # Unsigned, so that compiled loops need not look for negative places; 32 bits, half of what they read.
        order=order.astype(np.uint32),
        position=position,
        ranked=values[order],
        weights=np.repeat(weights, counts)[order],
        cuts=np.array([*cuts], dtype=np.float64),
        gamma=gamma,
        rows=np.concatenate(within) if shared and len(cells) > 1 else None,
        rates=rates,
    )


def estimates(pool: Pool) -> Floats:
    return kernels.statistics(pooled(pool))


def estimate(pool: Pool, metric: Metric) -> float:
    """Return one metric: by the kernels, or by its function where it has no column."""
    if metric.name not in COLUMNS and metric.trim is None:
        return value_of(pool.cells, metric, gamma=pool.gamma)
    return float(estimates(pool)[pool.column(metric)])


def resample_runs(pool: Pool, n_resamples: int, streams: Streams, threads: int | None = None) -> Floats:
    """Return bootstrap replicates (n_resamples, n_columns): runs redrawn within each task (Agarwal et al. 2021 §4), shared runs as a whole."""
    if pool.rows is not None:
        return _resample_shared(pool, n_resamples, streams, threads)
    arrays = pooled(pool)

    def fill(block: int, rows: Floats) -> None:
        words = random_words(streams.block("bootstrap", block), rows.shape[0], pool.values.size)
        kernels.resample_runs(words, arrays, rows)

    return in_blocks(np.empty((n_resamples, pool.n_columns)), pool.values.size, fill, threads)


def _resample_shared(pool: Pool, n_resamples: int, streams: Streams, threads: int | None) -> Floats:
    """Return replicates of whole runs."""
    arrays, n_runs, rows_of = pooled(pool), int(pool.n_runs[0]), pool.rows
    assert rows_of is not None

    def fill(block: int, rows: Floats) -> None:
        words = random_words(streams.block("shared", n_runs, block), rows.shape[0], n_runs)
        kernels.resample_shared(words, n_runs, rows_of, arrays, rows)

    return in_blocks(np.empty((n_resamples, pool.n_columns)), pool.values.size, fill, threads)


def resample_tasks(pool: Pool, n_resamples: int, streams: Streams, threads: int | None = None) -> Floats:
    """Return bootstrap replicates (n_resamples, n_columns): tasks redrawn, then runs within each drawn task."""
    arrays = pooled(pool)

    def fill(block: int, rows: Floats) -> None:
        rng = streams.block("bootstrap tasks", block)
        # Tasks first, then runs, from one stream: what is drawn later depends on what was drawn before.
        slots = rng.integers(pool.n_tasks, size=(rows.shape[0], pool.n_tasks))
        # Words enough if the largest task is drawn every time.
        words = random_words(rng, rows.shape[0], pool.n_tasks * int(pool.n_runs.max()))
        kernels.resample_tasks(words, slots, arrays, rows)

    return in_blocks(np.empty((n_resamples, pool.n_columns)), pool.values.size, fill, threads)


def resample_whole_tasks(pool: Pool, n_resamples: int, streams: Streams, threads: int | None = None) -> Floats:
    """Return bootstrap replicates (n_resamples, n_columns): tasks redrawn with the runs they have."""
    arrays = pooled(pool)

    def fill(block: int, rows: Floats) -> None:
        slots = streams.block("whole tasks", block).integers(pool.n_tasks, size=(rows.shape[0], pool.n_tasks))
        kernels.resample_whole_tasks(slots, arrays, rows)

    return in_blocks(np.empty((n_resamples, pool.n_columns)), pool.n_tasks, fill, threads)


def in_blocks(out: Floats, words_per_draw: int, fill: Callable[[int, Floats], None], threads: int | None) -> Floats:
    """Return `out` with all its rows filled; `fill(block, rows)` makes those of one block, on any thread."""
    size = block_size(words_per_draw)
    blocks = range(-(-len(out) // size))
    in_threads(lambda block: fill(block, out[block * size : (block + 1) * size]), blocks, threads)
    return out


def acceleration(pool: Pool, metric: Metric) -> float:
    """Return BCa's acceleration of a metric.

    Several samples (Davison & Hinkley 1997, eq. 5.31 and §5.4): with l_ti = (c_t − 1)(mean of the jackknife values of task t − θ without run i),
    a = Σ_t Σ_i l³_ti / c_t³ / (6 (Σ_t Σ_i l²_ti / c_t²)^{3/2}). (arch, and so rliable, averages over the
    components of a vector, and deletes whole rows, which pairs runs of unrelated tasks.)
    """
    lefts = without_each(seen(pool.cells, metric, pool.gamma), metric)
    left, n_runs = np.concatenate(lefts), pool.n_runs
    starts = np.cumsum(n_runs) - n_runs
    influence = (np.repeat(np.add.reduceat(left, starts) / n_runs, n_runs) - left) * np.repeat(
        (n_runs - 1) / n_runs, n_runs
    )
    cubes, squares = float((influence**3).sum()), float((influence**2).sum())
    spread = squares**1.5
    return cubes / (6 * spread) if spread > 0 else 0.0


def random_words(rng: np.random.Generator, n_rows: int, n_words: int) -> Words:
    """Return random bits (n_rows, ≥ n_words); each row starts on a 64-bit word."""
    # Whole generator words are drawn and cut in two, the low half first on every machine ("<u8").
    bits = rng.integers(0, 2**64, size=(n_rows, (n_words + 1) // 2), dtype=np.uint64)
    return bits.astype("<u8", copy=False).view(np.uint32)


def pooled(pool: Pool) -> kernels.PooledScores:
    return kernels.PooledScores(*(getattr(pool, name) for name in kernels.PooledScores._fields))


# ── the same draws for any function of arrays ──────────


Array = NDArray[Any]


def canonical(scores: Array) -> Array:
    """Return an array (n_runs, n_tasks, …) with the runs of each task in ascending order, by the first step first, whatever their order was."""
    if scores.ndim == 2:
        return np.sort(scores, axis=0)
    sorted_runs = np.empty_like(scores)
    for t in range(scores.shape[1]):
        rows = scores[:, t].reshape(len(scores), -1)
        sorted_runs[:, t] = scores[np.lexsort(rows.T[::-1]), t]
    return sorted_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledSource:
    """Arrays in canonical order, and how they are redrawn: each on its own, tasks for all of them at once."""

    arrays: tuple[Array, ...]
    over_tasks: bool
    streams: Streams

    @property
    def sizes(self) -> list[int]:
        return [array.shape[0] * array.shape[1] for array in self.arrays]

    def draw(self, block: int, n: int) -> tuple[list[Words], Ints | None]:
        """Return the draws of a block of n resamples: random words (n, ≥ n_tasks · n_runs) of each array, and tasks (n, n_tasks), if redrawn."""
        n_tasks = self.arrays[0].shape[1]
        if len(self.arrays) > 1:
            words = [
                random_words(self.streams.block("improvement", side, block), n, size)
                for side, size in enumerate(self.sizes)
            ]
            tasks = self.streams.block("improvement tasks", block).integers(n_tasks, size=(n, n_tasks))
            return words, tasks if self.over_tasks else None
        rng = self.streams.block("bootstrap tasks" if self.over_tasks else "bootstrap", block)
        slots = rng.integers(n_tasks, size=(n, n_tasks)) if self.over_tasks else None
        return [random_words(rng, n, self.sizes[0])], slots


def source(arrays: Sequence[Array], streams: Streams, *, over_tasks: bool = False) -> ResampledSource:
    """Return what is redrawn: arrays (n_runs, n_tasks, …), with their own numbers of runs, on the same tasks where tasks are redrawn."""
    return ResampledSource(arrays=tuple(canonical(array) for array in arrays), over_tasks=over_tasks, streams=streams)


def resamples(arrays: ResampledSource, n_resamples: int) -> Iterator[tuple[Array, ...]]:
    """Yield resamples of the arrays, new arrays each."""
    size = block_size(sum(arrays.sizes))
    for block in range(-(-n_resamples // size)):
        n = min(size, n_resamples - block * size)
        words, slots = arrays.draw(block, n)
        runs = [_runs(*own) for own in zip(words, arrays.arrays, strict=True)]
        for b in range(n):
            tasks = np.arange(runs[0].shape[1]) if slots is None else slots[b]
            yield tuple(
                array[runs_of[b].T, tasks[: runs_of.shape[1]]]
                for array, runs_of in zip(arrays.arrays, runs, strict=True)
            )


def _runs(words: Words, array: Array) -> Ints:
    """Return the drawn runs (n_resamples, n_tasks, n_runs) of random words, as the kernels read them."""
    n_runs, n_tasks = array.shape[:2]
    drawn = (words[:, : n_runs * n_tasks].astype(np.uint64) * np.uint64(n_runs)) >> np.uint64(32)
    return drawn.reshape(len(words), n_tasks, n_runs).astype(np.int64)
