"""The two-sample Kolmogorov-Smirnov statistic, in integers, and its exact null distribution conditional on ties."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Flags, Floats, Ints


@kernel
def largest_gap(is_x: Flags, last: Flags, n_x: int) -> Ints:
    """Return (batch,): n_x n_y · max |F_x - F_y|, a whole number; taken where groups of tied values end."""
    n_batch, n = is_x.shape
    gaps = np.zeros(n_batch, dtype=np.int64)
    for b in range(n_batch):
        seen = 0
        for i in range(n):
            seen += is_x[b, i]
            if last[b, i]:
                gaps[b] = max(gaps[b], abs(seen * (n - n_x) - (i + 1 - seen) * n_x))
    return gaps


@kernel
def gap_pvalue(gap: int, last: Flags, n_x: int) -> float:
    """Return P(largest gap ≥ gap) over all relabellings of one pair.

    A relabelling is a path of n steps; `inside` is the probability to be at j values of x without having reached the gap,
    `reached` with. Both are sums of positive terms (Hodges 1958; ties as in Schröer & Trenkler 1995).
    """
    n = last.size
    n_y = n - n_x
    inside = np.zeros(n_x + 2, dtype=np.float64)
    reached = np.zeros(n_x + 2, dtype=np.float64)
    inside[0] = 1.0
    for i in range(n):
        for j in range(min(n_x, i + 1), max(0, i + 1 - n_y) - 1, -1):
            stay = (n_y - (i - j)) / (n - i) if j <= i else 0.0
            step = (n_x - j + 1) / (n - i) if j > 0 and i - j + 1 <= n_y else 0.0
            inside[j] = inside[j] * stay + (inside[j - 1] * step if j > 0 else 0.0)
            reached[j] = reached[j] * stay + (reached[j - 1] * step if j > 0 else 0.0)
            if last[i] and abs(j * n_y - (i + 1 - j) * n_x) >= gap:
                reached[j] += inside[j]
                inside[j] = 0.0
    return min(float(reached[n_x]), 1.0)


@kernel
def gap_pvalues(gaps: Ints, last: Flags, n_x: int) -> Floats:
    """Return (batch,): the exact p-value of each pair."""
    pvalues = np.empty(gaps.size, dtype=np.float64)
    for b in range(gaps.size):
        pvalues[b] = gap_pvalue(gaps[b], last[b], n_x)
    return pvalues
