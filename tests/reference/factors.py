"""Slow twin of `runoff._inference.inferential`: every subset of pairs is tried, every factor found on a grid or by exact vertices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import optimize

MARGIN = 1e-3


def most_pairs_together(pairs, n):
    """Return the largest number of pairs that some factors >= 0 satisfy, by trying all subsets."""
    for size in range(len(pairs), -1, -1):
        if any(satisfiable(subset, n) for subset in combinations(pairs, size)):
            return size
    return 0


def satisfiable(pairs, n):
    """Return whether factors >= 0 satisfy these pairs, each with the margin."""
    rows, bounds = [], []
    for pair in pairs:
        row = np.zeros(n)
        row[pair.lower], row[pair.upper] = pair.up, pair.down
        sign, slack = (1, 1 - MARGIN) if pair.rejected else (-1, 1 + MARGIN)
        rows.append(sign * row / pair.distance)
        bounds.append(sign * slack)
    if not rows:
        return True
    return optimize.linprog(np.zeros(n), A_ub=np.array(rows), b_ub=bounds).status == 0
