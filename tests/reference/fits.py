"""Slow twin of `runoff._inference.fits`: SciPy's own densities, maximised numerically from many starts under the same limits."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

SHAPES = {"student_t": stats.t, "lognormal": stats.lognorm, "gamma": stats.gamma, "double_weibull": stats.dweibull}


def most_likely(family, cell, n_starts=6):
    """Return the largest log-likelihood found, with scales of at least span / n and thresholds span / n below the lowest run."""
    span, n = np.ptp(cell), cell.size
    rng = np.random.default_rng(0)
    best = -np.inf
    for _ in range(n_starts):
        start = [rng.uniform(0, 2), rng.uniform(np.log(0.1), np.log(5)), rng.uniform(np.log(0.2), np.log(1))]
        result = optimize.minimize(_loss, start, args=(family, cell, span, n), method="Nelder-Mead", tol=1e-9)
        best = max(best, -result.fun)
    return best


def _loss(free, family, cell, span, n):
    shape, distance, scale = np.exp(free[0]), np.exp(np.clip(free[1], -20, np.log(100))) * span, np.exp(free[2]) * span
    if family in ("lognormal", "gamma"):
        loc = cell.min() - max(distance, span / n)
    else:
        loc, scale = cell.min() + (np.clip(free[1], -2, 3) + 2) / 5 * span, max(scale, span / n)
    if family == "double_weibull":
        shape = np.clip(shape, 1.0, n)
    if family == "student_t":
        shape = np.clip(shape, 1.0, 100.0)
    with np.errstate(all="ignore"):
        total = SHAPES[family].logpdf(cell, shape, loc, scale).sum()
    return -total if np.isfinite(total) else 1e9


def two_normals(y, split, n_steps=200):
    """Log-likelihood, weight of the second, means and standard deviations after EM from one split, as Dempster, Laird & Rubin (1977) read."""
    n = len(y)
    second = [float(i >= split) for i in range(n)]
    for _ in range(n_steps):
        weight = min(max(sum(second) / n, 1 / n), 1 - 1 / n)
        laws = []
        for shares in ([1 - share for share in second], second):
            mean = sum(p * x for p, x in zip(shares, y, strict=True)) / sum(shares)
            variance = sum(p * (x - mean) ** 2 for p, x in zip(shares, y, strict=True)) / sum(shares)
            laws.append(stats.norm(mean, max(variance**0.5, 1 / n)))
        parts = (1 - weight) * laws[0].pdf(y), weight * laws[1].pdf(y)
        second = (parts[1] / (parts[0] + parts[1])).tolist()
    moments = [number for law in laws for number in law.args]
    return [float(np.log(parts[0] + parts[1]).sum()), weight, *moments]
