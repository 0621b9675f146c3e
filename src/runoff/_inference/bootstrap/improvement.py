"""The percentile interval of the probability of improvement by the stratified bootstrap, or a score interval where that has no width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from runoff._arrays import Counts, Floats, Ints
from runoff._inference.bootstrap.intervals import Ends, percentile
from runoff._inference.bootstrap.placements import Improvement
from runoff._inference.bootstrap.pool import block_size, random_words
from runoff._kernels.bootstrap import improvement as kernels
from runoff._random import Streams
from runoff._threads import for_each_block

Cells = Sequence[Floats]

TOGETHER = 64
"""Pairs whose replicates are kept at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """A pair as the kernels read it: what `beaten` says of every run of x, the offsets of both sides, and the estimate."""

    below: Ints
    not_above: Ints
    sides: tuple[Ints, Ints]
    estimate: float

    @property
    def design(self) -> tuple[bytes, bytes]:
        return self.sides[0].tobytes(), self.sides[1].tobytes()

    @property
    def fewest(self) -> int:
        return int(min(np.diff(side).min() for side in self.sides))


def resampled_improvements(
    pairs: Sequence[tuple[Cells, Cells]],
    *,
    n_resamples: int,
    confidence_level: float,
    streams: Streams,
    threads: int | None = None,
) -> list[Improvement]:
    """Return the probability of improvement of x over y of each pair (x, y), two lists of cells (n_runs,) on the same tasks.

    Both sides are resampled within each task, independently (Agarwal et al. 2021 §4.3, appendix A.3). Pairs of one design, the numbers of
    runs, share their draws; what is drawn depends on nothing else, so that no pair changes another. One run in a cell: no interval. All runs
    of one side ahead: the bootstrap has no spread, and the score interval of `score_interval` is given.
    """
    ranked = [_ranked(x, y) for x, y in pairs]
    alike: dict[tuple[bytes, bytes], list[int]] = {}
    for i, pair in enumerate(ranked):
        if pair.fewest >= 2 and 0.0 < pair.estimate < 1.0:
            alike.setdefault(pair.design, []).append(i)
    ends: dict[int, Ends | None] = {}
    for group in alike.values():
        for first in range(0, len(group), TOGETHER):
            some = group[first : first + TOGETHER]
            drawn = _replicates([ranked[i] for i in some], n_resamples, streams, threads)
            ends |= {
                i: percentile(row, ranked[i].estimate, confidence_level) for i, row in zip(some, drawn, strict=True)
            }
    return [_told(pair, ends.get(i), confidence_level) for i, pair in enumerate(ranked)]


def _ranked(x: Cells, y: Cells) -> _Ranked:
    sides = _offsets(x), _offsets(y)
    beaten = [kernels.beaten(np.sort(a), np.sort(b)) for a, b in zip(x, y, strict=True)]
    below, not_above = (np.concatenate(part) for part in zip(*beaten, strict=True))
    counts, running = (np.ones((1, offsets[-1]), np.int32) for offsets in sides)
    estimate = np.empty(1)
    kernels.improvements(counts, _running(running, sides[1]), below, not_above, *sides, estimate)
    return _Ranked(below=below, not_above=not_above, sides=sides, estimate=float(estimate[0]))


def _running(counts: Counts, offsets: Ints) -> Counts:
    running = np.empty((counts.shape[0], counts.shape[1] + offsets.size - 1), np.int32)
    kernels.running_counts(counts, offsets, running)
    return running


def _told(pair: _Ranked, ends: Ends | None, confidence_level: float) -> Improvement:
    if pair.fewest >= 2 and pair.estimate in (0.0, 1.0):
        sizes = list(zip(*(np.diff(side).tolist() for side in pair.sides), strict=True))
        apart = score_interval(pair.estimate, sizes, confidence_level)
        return Improvement(estimate=pair.estimate, ends=apart, interval="score")
    return Improvement(estimate=pair.estimate, ends=ends, interval="percentile" if ends else None)


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


def _replicates(pairs: Sequence[_Ranked], n_resamples: int, streams: Streams, threads: int | None) -> Floats:
    """Return (n_pairs, n_resamples) of pairs of one design: runs are drawn once for all of them."""
    sides = pairs[0].sides
    out, size = np.empty((len(pairs), n_resamples)), block_size(int(sides[0][-1] + sides[1][-1]))

    def work(block: int) -> None:
        rows = out[:, block * size : (block + 1) * size]
        counts = []
        for side, offsets in enumerate(sides):
            drawn = np.empty((rows.shape[1], int(offsets[-1])), np.int32)
            words = random_words(streams.block("improvement", side, block), *drawn.shape)
            kernels.drawn_counts(words, offsets, drawn)
            counts.append(drawn)
        running = _running(counts[1], sides[1])
        for pair, row in zip(pairs, rows, strict=True):
            kernels.improvements(counts[0], running, pair.below, pair.not_above, *sides, row)

    for_each_block(work, range(-(-n_resamples // size)), threads)
    return out


def _offsets(cells: Sequence[Floats]) -> Ints:
    """Return the offsets (n_tasks + 1,) of cells laid end to end."""
    return np.concatenate([[0], np.cumsum([cell.size for cell in cells])]).astype(np.int64)
