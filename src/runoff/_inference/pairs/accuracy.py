"""One model on items: its success rate, pass@k and pass^k, each by Wilson's interval with the number of items that it is worth."""

from __future__ import annotations

import re
from math import fsum

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Rate
from runoff._inference.pairs.items import cluster_moments
from runoff.base.arrays import Floats, Ints

FEW_UNLIKE = {True: 6, False: 20}
"""With fewer items than this beside 0, or beside 1, their variance says little, and each item is worth one: for single attempts, or several."""
PASS = re.compile(r"pass([@^])([1-9]\d*)")
"""pass@k, the chance that one of k attempts succeeds, and pass^k, that all do."""


def accuracy(values: Floats, clusters: Ints | None, *, k: int = 1, single: bool = False) -> Rate:
    """Return the mean of items, (n_items,) in [0, 1], with the n_eff that Wilson's interval takes in place of n.

    Single attempts (`single`), without clusters: n items and the normal quantile (Wilson 1927). Several: n_eff = m(1 − m)/V, V = s²/n, with the
    t of n − 1. Clusters: n_eff = min(m(1 − m)/V, n/(1 + (Σ n_g²/n − 1) ICC), n), V by clusters (`cluster_moments`), the correlation within
    them by analysis of variance, and the t of G − 1; where no cluster differs from another, G (after Korn & Graubard 1998). k: of pass@k.
    """
    n, mean = values.size, fsum(values) / values.size
    if clusters is None and single:
        return _rate(mean, float(n), np.inf)
    if clusters is not None:
        return _rate(mean, _of_clusters(values, clusters), float(clusters.max()))
    variance = float(values.var(ddof=1)) / n if n > 1 else 0.0
    unlike = min(int((values < 1 - 1e-12).sum()), int((values > 1e-12).sum()))
    plain = unlike < FEW_UNLIKE[k == 1] or variance <= 1e-14
    return _rate(mean, float(n) if plain else mean * (1 - mean) / variance, max(n - 1.0, 1.0))


def _rate(mean: float, n: float, df: float) -> Rate:
    return Rate(np.array(min(max(mean, 0.0), 1.0)), np.array(n), df)


def _of_clusters(values: Floats, codes: Ints) -> float:
    mean, variance, _, n_clusters = cluster_moments(values, codes)
    if variance <= 1e-14:
        return float(n_clusters)
    sizes = np.bincount(codes).astype(np.float64)
    totals, n = np.bincount(codes, values), float(values.size)
    between = float(((totals - sizes * mean) ** 2 / sizes).sum()) / (n_clusters - 1)
    within = float((values**2).sum() - (totals**2 / sizes).sum()) / max(n - n_clusters, 1.0)
    typical = (n - float((sizes**2).sum()) / n) / (n_clusters - 1)
    icc = min(max((between - within) / max(between + (typical - 1) * within, 1e-12), 0.0), 1.0)
    return min(mean * (1 - mean) / variance, n / (1 + (float((sizes**2).sum()) / n - 1) * icc), n)


def passes(solved: Ints, attempts: Ints, k: int, *, every: bool) -> Floats:
    """Return the chance of each item that one of k of its attempts succeeds, without bias (Chen et al. 2021), or that every one does.

    1 − C(n − c, k)/C(n, k), or C(c, k)/C(n, k), with c of n attempts solved.
    """
    if every:
        return np.asarray(special.binom(solved, k) / special.binom(attempts, k))
    return np.asarray(1 - special.binom(attempts - solved, k) / special.binom(attempts, k))
