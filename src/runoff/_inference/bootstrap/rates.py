"""Scores of 0 and 1: success rates and their score intervals, which need no spread."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap.intervals import Ends, Mean
from runoff.base.arrays import Floats


def of_two_values(cells: Sequence[Floats]) -> bool:
    """Return whether all scores are 0 or 1."""
    return all(bool(np.all((cell == 0.0) | (cell == 1.0))) for cell in cells)


def wilson(cell: Floats, confidence_level: float) -> Ends:
    """Return the score interval of a rate: the p with (p̂ − p)² ≤ z² p (1 − p) / n (Wilson 1927)."""
    n, rate = cell.size, float(cell.mean())
    z = float(special.ndtri((1 + confidence_level) / 2))
    middle, half = rate + z * z / (2 * n), z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low, high = ((middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n))
    return (0.0 if rate == 0 else low, 1.0 if rate == 1 else high)


def mean_rate(cells: Sequence[Floats], confidence_level: float) -> Ends:
    """Return the interval of the mean of rates, the distances to their Wilson ends added in squares (Zou & Donner 2008)."""
    ends = [(float(cell.mean()), *wilson(cell, confidence_level)) for cell in cells]
    n, middle = len(cells), sum(rate for rate, _, _ in ends)
    below, above = sum((rate - low) ** 2 for rate, low, _ in ends), sum((high - rate) ** 2 for rate, _, high in ends)
    return (middle - sqrt(below)) / n, (middle + sqrt(above)) / n


def newcombe(x: Sequence[Floats], y: Sequence[Floats], confidence_level: float) -> Ends:
    """Return the interval of the difference of rates x − y, averaged over tasks, from the Wilson intervals [l, u] of the cells.

    d̂ − √Σ w² ((p̂ − l_p)² + (u_q − q̂)²) to d̂ + √Σ w² ((u_p − p̂)² + (q̂ − l_q)²), w = 1 / T: Newcombe 1998, method 10, added over strata as
    independent errors are (Zou & Donner 2008).
    """
    below = above = difference = 0.0
    for a, b in zip(x, y, strict=True):
        p, q = float(a.mean()), float(b.mean())
        (low_p, high_p), (low_q, high_q) = wilson(a, confidence_level), wilson(b, confidence_level)
        difference += p - q
        below += (p - low_p) ** 2 + (high_q - q) ** 2
        above += (high_p - p) ** 2 + (q - low_q) ** 2
    n = len(x)
    return (difference - sqrt(below)) / n, (difference + sqrt(above)) / n


def guarded_rate(cells: Sequence[Floats]) -> Mean:
    """Return a mean rate with one success and one failure more in each cell, and its normal error, never 0 (Agresti & Caffo 2000)."""
    rates, errors = [], 0.0
    for cell in cells:
        rate = (float(cell.sum()) + 1.0) / (cell.size + 2)
        rates.append(rate)
        errors += rate * (1.0 - rate) / (cell.size + 2)
    n = len(cells)
    return Mean(sum(rates) / n, sqrt(errors) / n, float("inf"))
