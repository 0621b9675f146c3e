"""The percentile interval of the probability of improvement by the stratified bootstrap, or a score interval where that has no width."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import optimize, special

from runoff._arrays import Floats, Ints
from runoff._inference.bootstrap.intervals import Ends, percentile
from runoff._inference.bootstrap.placements import Improvement
from runoff._inference.bootstrap.pool import block_size, random_words
from runoff._kernels.bootstrap import improvement as kernels
from runoff._random import Streams
from runoff._threads import for_each_block


def resampled_improvement(
    x: Sequence[Floats],
    y: Sequence[Floats],
    *,
    n_resamples: int,
    confidence_level: float,
    streams: Streams,
    threads: int | None = None,
) -> Improvement:
    """Return the probability of improvement of x over y, each a list of cells (n_runs,) on the same tasks.

    Both sides are resampled within each task, independently (Agarwal et al. 2021 §4.3, appendix A.3). One run in a cell: no interval.
    All runs of one side ahead: the bootstrap has no spread, and the score interval of `score_interval` is given.
    """
    sides = [_offsets(x), _offsets(y)]
    pairs = [kernels.beaten(np.sort(a), np.sort(b)) for a, b in zip(x, y, strict=True)]
    below, not_above = (np.concatenate(part) for part in zip(*pairs, strict=True))
    ones = [np.ones(offsets[-1], dtype=np.int32) for offsets in sides]
    estimate = kernels.improvement(ones[0], ones[1], below, not_above, sides[0], sides[1])
    if min(cell.size for cell in [*x, *y]) < 2:
        return Improvement(estimate=estimate, ends=None, interval=None)
    if estimate in (0.0, 1.0):
        sizes = [(a.size, b.size) for a, b in zip(x, y, strict=True)]
        return Improvement(estimate=estimate, ends=score_interval(estimate, sizes, confidence_level), interval="score")
    replicates = _replicates(below, not_above, sides, n_resamples, streams, threads)
    ends = percentile(replicates, estimate, confidence_level)
    return Improvement(estimate=estimate, ends=ends, interval="percentile" if ends else None)


def score_interval(estimate: float, sizes: Sequence[tuple[int, int]], confidence_level: float) -> Ends:
    """Return the values θ whose standard error, with θ the same on every task, does not exclude the estimate.

    Newcombe 2006, method 5, of one task: Var θ = θ(1 − θ)(1 + (N − 1)((1 − θ)/(2 − θ) + θ/(1 + θ))) / (n_x n_y), N = (n_x + n_y) / 2; the mean
    over T tasks has the mean of the variances over T.
    """
    z = float(special.ndtri((1 + confidence_level) / 2))

    def excess(theta: float) -> float:
        shape = (1 - theta) / (2 - theta) + theta / (1 + theta)
        factors = [(1 + ((n + m) / 2 - 1) * shape) / (n * m) for n, m in sizes]
        return (estimate - theta) ** 2 - z * z * theta * (1 - theta) * sum(factors) / len(sizes) ** 2

    if estimate == 1.0:
        return float(optimize.brentq(excess, 1e-12, 1 - 1e-9)), 1.0
    return 0.0, float(optimize.brentq(excess, 1e-9, 1 - 1e-12))


def _replicates(
    below: Ints, not_above: Ints, sides: Sequence[Ints], n_resamples: int, streams: Streams, threads: int | None
) -> Floats:
    out, size = np.empty(n_resamples), block_size(int(sides[0][-1] + sides[1][-1]))

    def work(block: int) -> None:
        rows = out[block * size : (block + 1) * size]
        words = [
            random_words(streams.block("improvement", side, block), rows.size, int(offsets[-1]))
            for side, offsets in enumerate(sides)
        ]
        kernels.resample_improvement(words[0], words[1], below, not_above, sides[0], sides[1], rows)

    for_each_block(work, range(-(-n_resamples // size)), threads)
    return out


def _offsets(cells: Sequence[Floats]) -> Ints:
    """Return the offsets (n_tasks + 1,) of cells laid end to end."""
    return np.concatenate([[0], np.cumsum([cell.size for cell in cells])]).astype(np.int64)
