"""Sums of a sample, one value after the other; written out, for numba takes as long to compile `sum` and `mean` as all of a kernel."""

from __future__ import annotations

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats


@kernel
def mean_of(values: Floats) -> float:
    """Mean of `values` (n,)."""
    total = 0.0
    for value in values:
        total += value
    return total / values.size


@kernel
def size_of(values: Floats) -> float:
    """Sum of |value|."""
    total = 0.0
    for value in values:
        total += abs(value)
    return total


@kernel
def squares_of(values: Floats) -> float:
    """Sum of value²."""
    total = 0.0
    for value in values:
        total += value * value
    return total
