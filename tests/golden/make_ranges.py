"""nemenyi_q.json: quantiles of the range of k normal values, in 20-digit arithmetic; SciPy agrees to 1e-9."""

from __future__ import annotations

from mpmath import findroot, inf, mp, mpf, ncdf, npdf, quad
from scipy import stats

from tests.golden.tools import Case, Golden, agree, packages

LEVELS = ("0.01", "0.05", "0.1")
LARGEST = 20
mp.dps = 20


def make() -> Golden:
    """Return nemenyi_q.json."""
    return Golden(packages("mpmath", "scipy"), [case(level, k) for level in LEVELS for k in range(2, LARGEST + 1)])


def case(level: str, k: int) -> Case:
    """Return the quantiles of one level for k algorithms: of all pairs (q_inf), and Bonferroni's for k - 1 with a control."""
    start = float(stats.studentized_range.ppf(1 - float(level), k, float("inf")))
    q = float(findroot(lambda width: above(width, k) - mpf(level), (start, start + 1e-6)))
    dunn = float(findroot(lambda z: 2 * (k - 1) * ncdf(-z) - mpf(level), 2.5))
    agree(f"q of {k} at {level}", q, start)
    agree(f"z of {k} at {level}", dunn, float(stats.norm.isf(float(level) / (2 * (k - 1)))))
    return {"alpha": float(level), "k": k, "q_inf": q, "bonferroni_dunn_z": dunn}


def above(width: mpf, k: int) -> mpf:
    """P(range of k standard normal values > width) = 1 - k ∫ φ(z) (Φ(z + width) - Φ(z))^(k-1) dz over the lowest value z."""
    return 1 - k * quad(lambda z: npdf(z) * (ncdf(z + width) - ncdf(z)) ** (k - 1), [-inf, -4, -2, 0, 2, inf])
