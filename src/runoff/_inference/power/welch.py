"""Welch's test itself: its degrees of freedom are estimated with its standard error, which the noncentral t leaves out."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import special

from runoff._inference.power.design import Design
from runoff._inference.power.tails import critical_value, noncentral
from runoff.base.arrays import Floats

NODES = 48
"""Of Gauss and Legendre; from 32 on, no figure before the eleventh changes."""
BEYOND = 1e-13
"""The share of outcomes left out at either end, where nothing is known that a double shows."""


def welch_power(design: Design, shift: float, alpha: float, *, two_sided: bool) -> float:
    """Return the power of Welch's test for normal runs, by one integral.

    With W = Σ (n_i − 1) s_i² / σ_i², which is χ² of f = n₁ + n₂ − 2, and B the share of the first sample in it, which is Beta((n₁ − 1)/2,
    (n₂ − 1)/2) and independent of W: given B, Welch's T is a noncentral t with f degrees of freedom over a known ratio R(B), and its critical
    value is known. With B = sin² θ the density is sin^(n₁−2) θ cos^(n₂−2) θ, smooth for two runs too.
    """
    (n, m), total = design.sizes, sum(design.sizes) - 2
    share = design.parts[0] / sum(design.parts)
    of_first, weights = _shares(n, m)
    a, b = share * of_first / (n - 1), (1 - share) * (1 - of_first) / (m - 1)
    df = (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (m - 1))
    critical = critical_value(df, alpha, two_sided=two_sided) * np.sqrt(total * (a + b))
    return float(weights @ noncentral(shift, total, critical, two_sided=two_sided))


@cache
def _rule() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)


def _shares(n: float, m: float) -> tuple[Floats, Floats]:
    """Return values of B and their weights, which add up to 1."""
    low, high = (np.arcsin(np.sqrt(special.betaincinv((n - 1) / 2, (m - 1) / 2, q))) for q in (BEYOND, 1 - BEYOND))
    nodes, weights = _rule()
    angles = low + (high - low) * (nodes + 1) / 2
    logs = (n - 2) * np.log(np.sin(angles)) + (m - 2) * np.log(np.cos(angles))
    likely = weights * np.exp(logs - logs.max())
    return np.sin(angles) ** 2, likely / likely.sum()
