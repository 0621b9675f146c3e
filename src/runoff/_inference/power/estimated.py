"""The smallest difference that a design detects, from an estimated standard error and its degrees of freedom."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import optimize, special

from runoff._arrays import Floats
from runoff._inference.power.tails import critical_value, noncentral

NODES = 64
"""Equally likely values of the standard error over which power is averaged."""


def detectable(error: float, df: float, alpha: float, power: float = 0.8) -> float:
    """Return the true difference that new runs of this design would find with `power` by a two-sided t test.

    The standard error is an estimate, and may be too small or too large by what df allows: power is averaged over that, s² / σ² being
    χ² / df. With the estimate taken for the truth, 3 runs of one task would find the difference stated in 70 % of cases, not 80 %.
    Colas 2018 eq. 8 shifts a central t and is one-sided, which gives sizes too small.
    """
    if alpha >= power:
        return 0.0  # chance alone has that power
    return _in_errors(round(df, 6), alpha, power) * error


@lru_cache(maxsize=1024)
def _in_errors(df: float, alpha: float, power: float) -> float:
    errors, critical = _likely_errors(df), critical_value(df, alpha, two_sided=True)

    def missing(difference: float) -> float:
        found = [float(noncentral(difference * s, df, critical, two_sided=True)) for s in errors]
        return float(np.mean(found)) - power

    high = 2.0
    while missing(high) < 0:
        high *= 2
    return float(optimize.brentq(missing, high / 2 if high > 2 else 0.0, high, xtol=1e-8))


def _likely_errors(df: float) -> Floats:
    """Return s / σ at equally likely quantiles."""
    quantiles = (np.arange(NODES) + 0.5) / NODES
    likely: Floats = np.sqrt(2 * special.gammaincinv(df / 2, quantiles) / df)
    return likely
