"""Do the scores of runs with one label move together over tasks, as those of one run scored on all of them do?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.base.random import Streams

DRAWS = 2_000
FEW = 10_000
"""Up to so many scores are permuted; the sum over the pairs of tasks of more is as good as normal."""
UNSUSPICIOUS = 1.5
"""A sum of fewer standard deviations is not permuted: its p-value is above 1 %."""


@dataclass(frozen=True, slots=True)
class Together:
    """Mean correlation of two tasks over runs of one label, and the p-value of a permutation within tasks."""

    correlation: float
    pvalue: float


def together(matrices: Sequence[Floats]) -> Together:
    """Return whether rows, (n_runs, n_tasks) of each algorithm, move together over columns.

    The statistic is the sum over algorithms and pairs of tasks of the products of standardised residuals, (Σ_r S_r² − Σ e²) / 2 with
    S_r the sum of a run's residuals. Under the null the rows of every task are in any order: each product of two tasks then has mean 0 and
    variance (Σ e_t²)(Σ e_u²) / (n − 1), and no two are correlated.
    """
    parts = [_standardised(matrix) for matrix in matrices]
    products, variance, pairs = 0.0, 0.0, 0.0
    for e in parts:
        n, squares = e.shape[0], (e**2).sum(axis=0)
        products += _products(e)
        variance += (float(squares.sum()) ** 2 - float((squares**2).sum())) / 2 / (n - 1)
        used = float((squares > 0).sum())
        pairs += used * (used - 1) / 2 * (n - 1)
    if variance == 0:
        return Together(0.0, 1.0)
    z = products / sqrt(variance)
    correlation = products / pairs
    if z < UNSUSPICIOUS or sum(e.size for e in parts) > FEW:
        return Together(correlation, float(special.ndtr(-z)))
    return Together(correlation, _permuted(parts, products))


def _standardised(matrix: Floats) -> Floats:
    """Return the residuals of each task over their standard deviation; 0 where nothing varies."""
    about = matrix - matrix.mean(axis=0)
    scale = np.abs(matrix).max(axis=0)
    spread = about.std(axis=0, ddof=1)
    standardised: Floats = np.divide(about, spread, out=np.zeros_like(about), where=spread > 1e-12 * scale)
    return standardised


def _products(e: Floats) -> float:
    return float(((e.sum(axis=-1) ** 2).sum() - (e**2).sum()) / 2)


def _permuted(parts: Sequence[Floats], observed: float) -> float:
    rng, drawn = Streams(0).block("together"), np.zeros(DRAWS)
    for e in parts:
        for draw in range(DRAWS):
            drawn[draw] += _products(rng.permuted(e, axis=0))
    return float((1 + np.sum(drawn >= observed * (1 - 1e-9))) / (1 + DRAWS))
