"""Folds of the runs of a sweep: in each, one run of every cell is set aside to judge what the others choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.random import streams

ORDERS = 8
"""Orders of the runs over which folds are averaged: which runs are set aside together is chance."""


def rank_weights(n_configs: int) -> Floats:
    """Return the chance that the r-th best of K is the best of k drawn without replacement, (K, K) by k and r.

    C(K − r, k − 1) / C(K, k), by its ratio from one r to the next, so that no binomial of 600 settings is computed.
    """
    k, r = np.arange(1, n_configs + 1)[:, None], np.arange(1, n_configs)[None, :]
    ratio = np.maximum(n_configs - r - k + 1, 0) / (n_configs - r)
    first = k / n_configs
    return np.concatenate([first, first * np.cumprod(ratio, axis=1)], axis=1)


def orders_of(cells: Sequence[Sequence[Floats]], n_orders: int = ORDERS) -> Floats:
    """Return the runs of a sweep in several orders, (n_orders, n_tasks, n_configs, n_runs); of unequal cells as many as the smallest has.

    cells: the runs (n,) of each configuration on each task. Runs are sorted first, and orders are drawn from cell to cell as their runs
    sort, so that the order of runs, of configurations and of tasks in the table says nothing.
    """
    n_runs = min(cell.size for task in cells for cell in task)
    # A stream of its own: which runs are set aside together is no choice of the user's, and `rng` does not move it.
    draw = streams(0).block("folds of a sweep")
    shape = (n_orders, len(cells), len(cells[0]), n_runs)
    drawn = np.empty(shape)
    of_place = {(t, c): np.sort(cell) for t, task in enumerate(cells) for c, cell in enumerate(task)}
    for (t, c), cell in sorted(of_place.items(), key=lambda item: item[1].tolist()):
        drawn[:, t, c] = draw.permuted(np.broadcast_to(cell, (n_orders, cell.size)), axis=1)[:, :n_runs]
    return drawn


def fold_variances(cells: Sequence[Floats]) -> Floats:
    """Return s²/n of the best of k = 1 … K configurations over folds, (K,): run j of the one that the other runs choose, mean over orders."""
    weights = rank_weights(len(cells))
    variances = []
    for runs in orders_of([cells])[:, 0]:
        n = runs.shape[1]
        others = (runs.sum(axis=1, keepdims=True) - runs) / (n - 1)
        best_first = np.take_along_axis(runs, np.argsort(-others, axis=0, kind="stable"), axis=0)
        variances.append((weights @ best_first).var(axis=1, ddof=1) / n)
    mean: Floats = np.mean(variances, axis=0)
    return mean


def chosen_per_task(runs: Floats) -> Floats:
    """Return run j of the configuration that the other runs choose on each task, (…, n_tasks, n_runs); runs (…, n_tasks, K, n_runs)."""
    best = _others(runs).argmax(axis=-2, keepdims=True)
    return np.take_along_axis(runs, best, axis=-2)[..., 0, :]


def chosen_for_all(runs: Floats) -> Floats:
    """Return run j of the configuration whose other runs have the best mean over all tasks, (…, n_tasks, n_runs)."""
    best = _others(runs).mean(axis=-3, keepdims=True).argmax(axis=-2, keepdims=True)
    return np.take_along_axis(runs, np.broadcast_to(best, (*runs.shape[:-2], 1, runs.shape[-1])), axis=-2)[..., 0, :]


def _others(runs: Floats) -> Floats:
    others: Floats = (runs.sum(axis=-1, keepdims=True) - runs) / (runs.shape[-1] - 1)
    return others


def cross_fitted(orders: Floats, statistic: Callable[[Floats], Floats]) -> tuple[float, Floats, Floats]:
    """Return a mean over tasks, the squared error that each task adds, and degrees of freedom, (n_tasks,); orders as of `orders_of`.

    Folds are dependent, for each chooses by runs that others judge by: s² (1/n + 1/(n − 1)) in place of s²/n (Nadeau & Bengio 2003).
    """
    judged = statistic(orders)
    n_tasks, n = judged.shape[-2:]
    parts: Floats = judged.var(axis=-1, ddof=1).mean(axis=0) / n_tasks**2 * (1 / n + 1 / (n - 1))
    return float(judged.mean()), parts, np.full(n_tasks, n - 1.0)
