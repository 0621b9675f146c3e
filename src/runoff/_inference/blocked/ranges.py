"""Critical values of the largest difference: among all of k normals, and between k − 1 of them and a control."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import optimize, special

from runoff._inference.about import SMALLEST

STEP = 1 / 16
"""Of the trapezoidal rule."""


def range_quantile(alpha: float, k: int) -> float:
    """Return q: the range of k independent standard normals exceeds it with probability alpha (Casesa 2024 eq. 2.23)."""
    high = sqrt(2.0) * float(-special.ndtri(alpha / (k * (k - 1)))) + 1e-6
    return float(optimize.brentq(lambda value: range_pvalue(value, k) - alpha, 0.0, high, xtol=1e-13))


def range_pvalue(value: float, k: int) -> float:
    """Return the probability that the range of k independent standard normals exceeds `value` (Casesa 2024 eq. 2.22).

    k ∫ φ(z) [Φ(z) − Φ(z − value)]ᵏ⁻¹ dz is that it does not, z being the largest. Both integrands fall off like φ, so the rule errs by
    less than rounding.
    """
    z = np.arange(-9.0, 9.0, STEP)
    below = special.ndtr(z)
    # 1 is the same integral with Φ(z) alone: the difference keeps the digits of a small probability.
    beyond = below ** (k - 1) - (below - special.ndtr(z - value)) ** (k - 1)
    density = np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    return _tail(float(k * STEP * (density * beyond).sum()), value, k * (k - 1) // 2)


def control_pvalue(value: float, k: int) -> float:
    """Return P(max_j |Z_j − Z_0| ≥ value) for k independent standard normals, Z_0 being the control (Dunnett 1955)."""
    from scipy import integrate

    def density(z: float) -> float:
        inside = special.ndtr(z + value) - special.ndtr(z - value)
        return float(np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi) * (1.0 - inside ** (k - 1)))

    inside = integrate.quad(density, -9.0, 9.0, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
    return _tail(float(inside), value, k - 1)


def _tail(computed: float, value: float, n_pairs: int) -> float:
    """Return a probability that one of so many differences reaches `value`: as computed, far out Bonferroni's.

    Both integrals have an absolute error of some 1e-12. Bonferroni's bound is then closer, for it is sharp in the limit.
    """
    bound = max(n_pairs * 2.0 * float(special.ndtr(-value / sqrt(2.0))), SMALLEST)
    return bound if bound < 1e-9 else min(computed, bound, 1.0)


def control_quantile(alpha: float, k: int) -> float:
    """Return the value that max_j |Z_j − Z_0| exceeds with probability alpha; at most √2 times Bonferroni's."""
    high = sqrt(2.0) * float(-special.ndtri(alpha / (2.0 * (k - 1)))) + 1e-6
    return float(optimize.brentq(lambda value: control_pvalue(value, k) - alpha, 0.0, high, xtol=1e-12))
