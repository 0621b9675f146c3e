"""Two normals fitted by expectation and maximisation."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints


@kernel
def two_normals(y: Floats, splits: Ints, least: float, n_steps: int) -> Floats:
    """Return one row for each split: log-likelihood, weight of the second normal, mean and standard deviation of the first, and of the second.

    y: (n,) ascending; splits: the first of y that begin in the second normal; least: of standard deviations, and of both weights. n_steps steps
    of expectation and maximisation (Dempster, Laird & Rubin 1977) from each split.
    """
    fits = np.empty((splits.size, 6))
    upper = np.empty(y.size)
    for row in range(splits.size):
        for i in range(y.size):
            upper[i] = 1.0 if i >= splits[row] else 0.0
        total, weight, parts = 0.0, 0.0, np.empty((2, 2))
        for _ in range(n_steps):
            weight = min(max(upper.mean(), least), 1.0 - least)
            for who in range(2):
                _moments(y, upper, who, least, parts[who])
            total = _expect(y, weight, parts, upper)
        fits[row, 0], fits[row, 1] = total, weight
        fits[row, 2:4], fits[row, 4:6] = parts[0], parts[1]
    return fits


@kernel
def _moments(y: Floats, upper: Floats, who: int, least: float, out: Floats) -> None:
    """Write the mean and the standard deviation of the runs, weighted by their shares in one of the two normals."""
    mass, first, second = 0.0, 0.0, 0.0
    for i in range(y.size):
        share = upper[i] if who == 1 else 1.0 - upper[i]
        mass += share
        first += share * y[i]
    mass = max(mass, 1e-300)  # a normal to which no run belongs keeps a finite mean
    mean = first / mass
    for i in range(y.size):
        share = upper[i] if who == 1 else 1.0 - upper[i]
        second += share * (y[i] - mean) ** 2
    out[0], out[1] = mean, max(np.sqrt(second / mass), least)


@kernel
def _expect(y: Floats, weight: float, parts: Floats, upper: Floats) -> float:
    """Write the share of each run in the second normal, and return the log-likelihood."""
    total = 0.0
    constants = np.log(1.0 - weight) - np.log(parts[0, 1]), np.log(weight) - np.log(parts[1, 1])
    for i in range(y.size):
        first = constants[0] - ((y[i] - parts[0, 0]) / parts[0, 1]) ** 2 / 2.0
        second = constants[1] - ((y[i] - parts[1, 0]) / parts[1, 1]) ** 2 / 2.0
        high, low = max(first, second), min(first, second)
        tail = np.exp(low - high)
        total += high + np.log1p(tail)
        upper[i] = (1.0 if second >= first else tail) / (1.0 + tail)
    return float(total - y.size * np.log(2.0 * np.pi) / 2.0)
