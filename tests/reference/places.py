"""Slow twins of places: shares of places, sets by Holm's steps over pairs, and what an order survives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.reference import bootstrap


def place_shares(draws):
    """How often each algorithm takes which place, ties sharing their places."""
    k = len(draws[0])
    shares = [[Fraction(0)] * k for _ in range(k)]
    for draw in draws:
        for j in range(k):
            ahead = sum(other > draw[j] for other in draw)
            level = sum(other == draw[j] for other in draw)
            for place in range(ahead, ahead + level):
                shares[j][place] += Fraction(1, level)
    return np.array([[float(share) for share in row] for row in shares])


def rejected(pvalues, family, alpha):
    """Pairs of a family that are found, the smallest p-value first, until one is not (Holm 1979)."""
    left, rejections = sorted(family, key=lambda pair: pvalues[pair]), []
    while left and pvalues[left[0]] * len(left) <= alpha:
        rejections.append(left.pop(0))
    return rejections


def sets(pvalues, better, k, alpha):
    """Lowest and highest place of each on its own, and of all at once; better: the one of each pair that the test favours."""
    own = [rejected(pvalues, [pair for pair in pvalues if j in pair], alpha) for j in range(k)]
    joint = rejected(pvalues, pvalues, alpha)
    ends = []
    for some, j in [*((own[j], j) for j in range(k)), *((joint, j) for j in range(k))]:
        above = sum(better[pair] != j for pair in some if j in pair)
        ends.append((1 + above, k - sum(better[pair] == j for pair in some if j in pair)))
    return ends[:k], ends[k:]


def lead(x, y, metric="mean"):
    """The aggregate of x minus that of y, larger being better."""
    at = {"mean": 0, "median": 1, "optimality_gap": 2, "iqm": 3}[metric]
    sign = -1 if metric == "optimality_gap" else 1
    return sign * (bootstrap.statistics(x)[at] - bootstrap.statistics(y)[at])


def without_runs(x, y, metric="mean"):
    """The leads without each run of x, then of y."""
    places = []
    for side in (0, 1):
        for t, cell in enumerate((x, y)[side]):
            for i in range(len(cell)):
                sides = [list(x), list(y)]
                sides[side][t] = [*cell[:i], *cell[i + 1 :]]
                places.append(lead(*sides, metric))
    return places
