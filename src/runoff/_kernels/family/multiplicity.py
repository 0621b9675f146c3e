"""Adjusted p-values of a family: arrays (m,) in, arrays (m,) out, in the order of the input, capped at 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.base.arrays import Floats


def _back(order: NDArray[np.intp], adjusted: Floats) -> Floats:
    """Undo a sort and cap at 1."""
    out = np.empty_like(adjusted)
    out[order] = np.minimum(adjusted, 1.0)
    return out


def bonferroni(p: Floats) -> Floats:
    """m·p. Controls the family-wise error under any dependence. Source: Dunn (1961)."""
    return np.minimum(p * p.size, 1.0)


def holm(p: Floats) -> Floats:
    """Step-down maximum of (m − i + 1) p_(i). Family-wise error, any dependence. Source: Holm (1979)."""
    order = np.argsort(p, kind="stable")
    factors = np.arange(p.size, 0, -1)
    return _back(order, np.maximum.accumulate(factors * p[order]))


def hochberg(p: Floats) -> Floats:
    """Step-up minimum of (m − i + 1) p_(i). Family-wise error, positive dependence. Source: Hochberg (1988)."""
    order = np.argsort(p, kind="stable")[::-1]
    factors = np.arange(1, p.size + 1)
    return _back(order, np.minimum.accumulate(factors * p[order]))


def hommel(p: Floats) -> Floats:
    """Closure of Simes tests. Family-wise error, positive dependence. Source: Hommel (1988), Wright (1992)."""
    m = p.size
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    adjusted = np.full(m, (m * ordered / np.arange(1, m + 1)).min(initial=np.inf))
    for size in range(m - 1, 1, -1):
        low, high = ordered[: m - size + 1], ordered[m - size + 1 :]
        simes = (size * high / np.arange(2, size + 1)).min()
        reached = np.minimum(size * low, simes)
        adjusted = np.maximum(adjusted, np.append(reached, np.full(high.size, reached[-1])))
    return _back(order, np.maximum(adjusted, ordered))


def benjamini_hochberg(p: Floats) -> Floats:
    """Step-up minimum of m p_(i) / i. False discovery rate, positive dependence. Source: Benjamini & Hochberg (1995)."""
    order = np.argsort(p, kind="stable")[::-1]
    factors = p.size / np.arange(p.size, 0, -1)
    return _back(order, np.minimum.accumulate(factors * p[order]))


def benjamini_yekutieli(p: Floats) -> Floats:
    """Benjamini-Hochberg times Σ 1/i. False discovery rate, any dependence. Source: Benjamini & Yekutieli (2001)."""
    order = np.argsort(p, kind="stable")[::-1]
    ranks = np.arange(p.size, 0, -1)
    return _back(order, np.minimum.accumulate(p.size * (1.0 / ranks).sum() / ranks * p[order]))
