"""Sweeps, slowly and plainly: the best of all K settings with its errors by counting every choice, in loops compiled for simulations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

try:
    from numba import njit as kernel
except ImportError:  # the same loops, interpreted

    def kernel(function):
        """Return the loop as it is."""
        return function


@kernel
def share_below(means, value):
    """Return the share of some means below a value; ties count half."""
    below = 0.0
    for mean in means:
        if mean < value - 1e-12:
            below += 1.0
        elif mean <= value + 1e-12:
            below += 0.5
    return below / means.size


@kernel
def of_others(cell):
    """Return the mean of the other runs of each run of a cell."""
    return (cell.sum() - cell) / (cell.size - 1)


@kernel
def best_of_all(cells):
    """Return the expected score of the best of K by all choices of one run set aside in each cell; cells (K, n)."""
    k, n = cells.shape
    means, total = np.empty_like(cells), 0.0
    for c in range(k):
        means[c] = of_others(cells[c])
    for c in range(k):
        for j in range(n):
            chance = 1.0
            for other in range(k):
                if other != c:
                    chance *= share_below(means[other], means[c, j])
            total += chance * cells[c, j] / n
    return total


@kernel
def left_out(cells):
    """Return what each run adds: the jackknife's squared error of each cell, (K,), each run of n > 2 left out in turn; cells (K, n).

    Where a run of cell c is left out, the chances of all other cells beside each other stay: they are multiplied once for each c.
    """
    k, n = cells.shape
    parts, means, rest, values = np.zeros(k), np.empty_like(cells), np.empty_like(cells), np.empty(n)
    for c in range(k):
        means[c] = of_others(cells[c])
    for c in range(k):
        for d in range(k):
            for i in range(n):
                rest[d, i] = cells[d, i] / n
                for e in range(k):
                    if e not in (c, d):
                        rest[d, i] *= share_below(means[e], means[d, i])
        for j in range(n):
            fewer = np.delete(cells[c], j)
            own, values[j] = of_others(fewer), 0.0
            for d in range(k):
                if d != c:
                    for i in range(n):
                        values[j] += rest[d, i] * share_below(own, means[d, i])
            for i in range(n - 1):
                chance = fewer[i] / (n - 1)
                for e in range(k):
                    if e != c:
                        chance *= share_below(means[e], own[i])
                values[j] += chance
        parts[c] = (n - 1) / n * np.square(values - values.mean()).sum()
    return parts


def fold_variance(cells, orders):
    """Return s²/n of run j of the setting that the other runs choose, the mean over orders (n_orders, K, n)."""
    n = cells.shape[1]
    best = ((orders.sum(axis=2, keepdims=True) - orders) / (n - 1)).argmax(axis=1)
    judged = np.take_along_axis(orders, best[:, None, :], axis=1)[:, 0]
    return float(judged.var(axis=1, ddof=1).mean() / n)


def half_width(parts, freedom, level):
    """Return the half-width of a t interval by Satterthwaite's degrees of freedom."""
    total = parts.sum()
    if total <= 0:
        return 0.0
    df = np.clip(total**2 / (parts**2 / freedom).sum(), freedom.min(), freedom.sum())
    return float(special.stdtrit(df, (1 + level) / 2) * np.sqrt(total))


@dataclass(frozen=True)
class Tuned:
    """The best of K on tasks: its estimate, and pairs (squared error, degrees of freedom) of runs left out, and of all runs pooled."""

    estimate: float
    parts: list[tuple[float, float]]
    pools: list[tuple[float, float]]


def tuned_runs(runs, orders):
    """Return the best of K of a sweep (n_tasks, K, n), with its errors; orders: of each task, (n_tasks, n_orders, K, n)."""
    n_tasks, k, n = runs.shape
    values, parts, pools = [], [], []
    for cells, of_task in zip(runs, orders, strict=True):
        values.append(best_of_all(cells))
        own = left_out(cells) * (1 + 1 / k) / 2
        least = fold_variance(cells, of_task)
        own = own * max(1.0, least / own.sum()) if own.sum() > 0 else np.full(k, least / k)
        parts += [(part / n_tasks**2, n - 1.0) for part in own]
        pools.append((cells.var(axis=1, ddof=1).mean() / n / n_tasks**2, k * (n - 1.0)))
    return Tuned(float(np.mean(values)), parts, pools)


def half_at_equal_tuning(sides, level):
    """Return the half-width of one sweep, or of the lead of one of two: the wider of runs left out and of all runs pooled."""
    parts, pools = ([pair for side in sides for pair in getattr(side, of)] for of in ("parts", "pools"))
    return max(half_width(*np.array(of).T, level) for of in (parts, pools))
