"""The smallest difference that a design detects, from an estimated standard error and its degrees of freedom."""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, log, sqrt

import numpy as np
from scipy import optimize, special

from runoff._inference.power.tails import critical_value, noncentral
from runoff.base.arrays import Floats

MOST = 1e6
"""Times as many runs, beyond which no number is given."""
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
    errors, critical = likely_errors(df), critical_value(df, alpha, two_sided=True)

    def missing(difference: float) -> float:
        return float(np.mean(noncentral(difference * errors, df, critical, two_sided=True))) - power

    high = 2.0
    while missing(high) < 0:
        high *= 2
    return float(optimize.brentq(missing, high / 2 if high > 2 else 0.0, high, xtol=1e-8))


def needed_multiple(difference: float, error: float, df: float, n_runs: int, alpha: float, power: float = 0.8) -> float:
    """Return how many times the runs of this design a two-sided t test needs to find a true difference with `power`; 1: those there are.

    As `detectable`, which it inverts: the standard error shrinks with the root of the number of runs, what is known of it does not; the
    degrees of freedom of the test grow as those of its cells of `n_runs`. inf: more than a million times.
    """
    if not difference:
        return inf
    errors, ratio = likely_errors(df), abs(difference) / error

    def missing(log_multiple: float) -> float:
        multiple = exp(log_multiple)
        freedom = max(df * (n_runs * multiple - 1) / (n_runs - 1), 1.0)
        critical = critical_value(freedom, alpha, two_sided=True)
        chances = noncentral(ratio * sqrt(multiple) * errors, freedom, critical, two_sided=True)
        return float(np.mean(chances)) - power

    low, high = log(2 / n_runs), log(MOST)
    if missing(low) >= 0:
        return 2 / n_runs
    return inf if missing(high) < 0 else exp(float(optimize.brentq(missing, low, high, xtol=1e-4)))


def likely_errors(df: float) -> Floats:
    """Return s / σ at equally likely quantiles."""
    quantiles = (np.arange(NODES) + 0.5) / NODES
    likely: Floats = np.sqrt(2 * special.gammaincinv(df / 2, quantiles) / df)
    return likely
