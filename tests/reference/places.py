"""Slow twins of places: shares of places, Wallace's scores, step-down over directed pairs, and what an order survives."""

from __future__ import annotations

from fractions import Fraction
from math import copysign, inf, log1p, sqrt

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


def score(t, df):
    """Wallace's normal deviate of a t value."""
    return t if df == inf else copysign((8 * df + 1) / (8 * df + 3) * sqrt(df * log1p(t * t / df)), t)


def rejected(observed, draws, family, alpha):
    """Directed pairs that are found, one at a time: {pair: score}, draws of the same, Romano & Wolf's free step-down."""
    left, rejections = sorted(family, key=lambda pair: -observed[pair]), []
    while left:
        first = left[0]
        hits = sum(max(draw[pair] for pair in left) >= observed[first] for draw in draws)
        if (1 + hits) / (1 + len(draws)) > alpha or observed[first] <= 0:
            return rejections
        rejections.append(left.pop(0))
    return rejections


def sets(observed, draws, k, alpha):
    """Lowest and highest place of each on its own, and of all at once."""
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other]
    own = [rejected(observed, draws, [pair for pair in pairs if j in pair], alpha) for j in range(k)]
    joint = rejected(observed, draws, pairs, alpha)
    ends = [
        (1 + sum(worse == j for _, worse in some), k - sum(better == j for better, _ in some))
        for some, j in [*((own[j], j) for j in range(k)), *((joint, j) for j in range(k))]
    ]
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


def pair_df(variances, df, j, m):
    """Satterthwaite's degrees of freedom of a difference."""
    a, b = variances[j], variances[m]
    return (a + b) ** 2 / (a**2 / df[j] + b**2 / df[m])
