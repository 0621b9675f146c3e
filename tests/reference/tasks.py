"""Tasks as the sample, written plainly: every pair of tasks, every choice of signs, every cluster left out."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np


def walsh(differences):
    n = len(differences)
    return sorted((differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n))


def signed_rank_pvalue(differences, null=0.0):
    """Twice the share of all signs of the ranks 1 … n whose positive sum is at least the number of averages on one side."""
    averages = walsh(differences)
    most = max(sum(a > null for a in averages), sum(a < null for a in averages))
    n = len(differences)
    sums = [
        sum(rank for rank, sign in zip(range(1, n + 1), signs, strict=True) if sign)
        for signs in product([0, 1], repeat=n)
    ]
    return min(2 * np.mean([total >= most for total in sums]), 1.0)


def clustered_t(leads, clusters):
    """Mean, error of leaving each cluster out, degrees of freedom."""
    value, names = float(np.mean(leads)), sorted(set(clusters))
    squares = [
        (np.mean([lead for lead, own in zip(leads, clusters, strict=True) if own != name]) - value) ** 2
        for name in names
    ]
    sizes = [list(clusters).count(name) for name in names]
    return value, sqrt(sum(squares) * (len(names) - 1) / len(names)), len(leads) ** 2 / sum(n**2 for n in sizes) - 1
