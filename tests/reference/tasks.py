"""Tasks as the sample, written plainly: every pair of tasks and every choice of signs."""

from __future__ import annotations

from itertools import product

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
