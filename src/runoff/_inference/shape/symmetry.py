"""Is a cell skewed? The triples test of symmetry, which heavy tails do not mislead."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats


def symmetry_pvalue(cell: Floats) -> float:
    """Return the two-sided p-value of the triples test, for 5 runs or more; 1 where it cannot tell.

    A triple is right where its middle run is nearer to the lowest, left where it is nearer to the highest; η̂ is a third of the share of right
    less left ones, and z = η̂ / √Var η̂ with the variance of a U-statistic (Randles, Fligner, Policello & Wolfe 1980, JASA 75, eqs. 2.3-2.6).
    A test of the third moment, as D'Agostino's, assumes normal tails: with t₃ runs it errs in 20 to 50 % of cases at 5 %.
    """
    x = np.sort(cell)
    n = x.size
    first, second = x[:, None], x[None, :]
    # Sums over the third run k of sign(x_i + x_j − 2 x_k), sign(x_i + x_k − 2 x_j) and sign(x_j + x_k − 2 x_i). The terms of k = i and
    # k = j cancel.
    total = _balance(x, (first + second) / 2) - _balance(x, 2 * second - first) - _balance(x, 2 * first - second)
    np.fill_diagonal(total, 0)
    pairs = total / (3 * (n - 2))
    alone = pairs.sum(axis=1) / (n - 1)
    eta = float(alone.mean())
    upper = pairs[np.triu_indices(n, 1)]
    parts = ((alone - eta) ** 2).mean(), ((upper - eta) ** 2).mean(), 1 / 9 - eta**2
    variance = sum(comb(3, c) * comb(n - 3, 3 - c) * float(part) for c, part in enumerate(parts, start=1)) / comb(n, 3)
    # The paper takes the normal law; with 20 runs it errs in 7 % of cases at 5 %, a t law in 5 %.
    return float(2 * special.stdtr(n - 3, -abs(eta) / sqrt(variance))) if variance > 0 else 1.0


def _balance(x: Floats, at: Floats) -> Floats:
    """Return how many of the sorted `x` lie below each value, less how many lie above."""
    below: Floats = np.searchsorted(x, at, side="left") - (x.size - np.searchsorted(x, at, side="right")).astype(float)
    return below
