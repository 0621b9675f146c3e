"""Slow, obvious twins of the study kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]


def resample(words: NDArray[np.uint32], scores: Floats) -> Floats:
    """Return one stratified resample (n_tasks, n_runs) of scores, by words (n_tasks * n_runs,)."""
    n_tasks, n = scores.shape
    drawn = words.astype(np.uint64).reshape(n_tasks, n) * np.uint64(n) >> np.uint64(32)
    return np.take_along_axis(scores, drawn.astype(np.int64), axis=1)


def iqm(scores: Floats) -> float:
    """Return the mean of the middle half: of four copies of each score, a quarter is a whole number."""
    return float(stats.trim_mean(np.repeat(scores, 4), 0.25))


def improvement(x: Floats, y: Floats) -> float:
    """Return P(x > y) + P(x = y) / 2 averaged over tasks, pair by pair."""
    shares = [np.mean([(a > b) + 0.5 * (a == b) for a in xs for b in ys]) for xs, ys in zip(x, y, strict=True)]
    return float(np.mean(shares))


def historic_permutation(x: Floats, y: Floats, n: int, rng: np.random.Generator) -> int:
    """Return how many shuffles have |d*| > |d|, as rl_stats counts: n − number of |d*| ≤ |d|."""
    pooled, delta = np.concatenate([x, y]), abs(x.mean() - y.mean())
    estimates = []
    for _ in range(n):
        shuffled = rng.permutation(pooled)
        estimates.append(abs(shuffled[: x.size].mean() - shuffled[-y.size :].mean()))
    return n - int(np.sum(np.array(estimates) <= delta))
