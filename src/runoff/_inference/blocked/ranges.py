"""Critical values of the largest difference: among all of k normals, and between k − 1 of them and a control."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import integrate, optimize, stats


def range_quantile(alpha: float, k: int) -> float:
    """Return q: the range of k independent standard normals exceeds it with probability alpha (Casesa 2024 eq. 2.23)."""
    return float(stats.studentized_range.ppf(1.0 - alpha, k, np.inf))


def range_pvalue(value: float, k: int) -> float:
    """Return the probability that the range of k independent standard normals exceeds `value`."""
    return float(min(max(stats.studentized_range.sf(value, k, np.inf), 0.0), 1.0))


def control_pvalue(value: float, k: int) -> float:
    """Return P(max_j |Z_j − Z_0| ≥ value) for k independent standard normals, Z_0 being the control (Dunnett 1955)."""

    def density(z: float) -> float:
        inside = stats.norm.cdf(z + value) - stats.norm.cdf(z - value)
        return float(stats.norm.pdf(z) * (1.0 - inside ** (k - 1)))

    return float(min(integrate.quad(density, -9.0, 9.0, epsabs=1e-13, epsrel=1e-11, limit=200)[0], 1.0))


def control_quantile(alpha: float, k: int) -> float:
    """Return the value that max_j |Z_j − Z_0| exceeds with probability alpha; at most √2 times Bonferroni's."""
    high = sqrt(2.0) * float(stats.norm.isf(alpha / (2.0 * (k - 1)))) + 1e-6
    return float(optimize.brentq(lambda value: control_pvalue(value, k) - alpha, 0.0, high, xtol=1e-12))
