"""The Mack-Skillings test of many balanced data sets at once, as plans and studies need it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from runoff._inference.blocked import design, null, statistic
from runoff._inference.blocked.registry import run_blocked
from runoff._kernels.blocked import ranks as kernels
from runoff.base.arrays import SMALLEST, Floats
from runoff.errors import DesignError


def asymptotic_pvalues(data: Floats) -> Floats:
    """Return tie-corrected χ² p-values (batch,) of data (batch, n_algorithms, n_tasks, n_runs); 1 where all runs tie."""
    statistics = kernels.balanced_statistics(data)
    pvalues: Floats = np.where(statistics > 0.0, special.chdtrc(data.shape[1] - 1, statistics), 1.0)
    return np.maximum(pvalues, SMALLEST)


def exact_pvalues(data: Floats) -> Floats:
    """Return exact two-sided p-values (batch,) of two algorithms, data (batch, 2, n_tasks, n_runs), given each data set's ties.

    Without ties all data sets share one null distribution, which is made once; each of the others has its own. A design whose exact
    distribution is not affordable is refused.
    """
    _, _, n, c = data.shape
    sums, squares = kernels.balanced_sums(data)
    # Σ (2r − (2c + 1))² over ranks 1 … 2c is 2c (4c² − 1)/3, and any tie makes it less.
    untied = (squares == 2 * c * (4 * c * c - 1) // 3).all(axis=1)
    tail = _tails(n, c)
    # Centred doubled ranks of one side sum to 2U − n c², in steps of 2.
    place = (sums[:, 0] + n * c * c) // 2
    top = tail.size - 1
    upper = tail[np.where(untied, place, 0)]
    lower = tail[np.where(untied, top - place, 0)]
    pvalues = np.minimum(2.0 * np.minimum(upper, lower), 1.0)
    offsets = np.arange(2 * n + 1, dtype=np.int64) * c
    for row in np.flatnonzero(~untied).tolist():
        flat = np.ascontiguousarray(data[row], np.float64).ravel()
        pvalues[row] = run_blocked("mack_skillings", flat, offsets, 2, n, method="exact").pvalue
    return np.asarray(np.maximum(pvalues, SMALLEST))


@lru_cache(maxsize=64)
def _tails(n_tasks: int, n_runs: int) -> Floats:
    """Return P(number of pairs won ≥ u), u = 0 … n_tasks · n_runs², of two equal algorithms without ties."""
    values = np.tile(np.arange(2.0 * n_runs).reshape(2, 1, n_runs), (1, n_tasks, 1)).ravel()
    blocks = design.gather(values, np.arange(2 * n_tasks + 1, dtype=np.int64) * n_runs, 2, n_tasks)
    law = null.distribution(blocks, statistic.quadratic_form(blocks, statistic.reciprocal(0)))
    if law is None:
        raise DesignError(f"the exact distribution of {n_tasks} tasks with {n_runs} runs each is not affordable.")
    tails: Floats = np.cumsum(law.mass[::-1])[::-1]
    tails.flags.writeable = False
    return tails
