"""Tail probabilities of a sum of independent integers by Fourier transform, accurate relative to the tail itself.

A plain Fourier convolution has an absolute error near 1e-16, useless for a p-value of 1e-20. Tilting every summand by
exp(θ·key), with θ such that the mean of the sum sits on the threshold, makes the tail the bulk; the tilt is undone in
the sum over the tail (the change of measure behind saddlepoint approximations, here without approximation).
"""

from __future__ import annotations

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.optimize import brentq

from runoff.base.arrays import Floats, Ints

Atoms = tuple[Ints, Floats, int]
"""Non-negative keys (m,), their probabilities (m,), and how many summands have them."""

STEEPEST = 60.0
"""Largest tilt: the next key then weighs e⁻⁶⁰ of the last, far below rounding. The top of the range would ask for an
infinite one."""


def upper_tail(parts: list[Atoms], threshold: int) -> float:
    """P(sum of all parts ≥ threshold).

    parts: summands by distribution; threshold: an integer. Cost: one transform per distribution, of length of the sum's range.
    """
    top = sum(int(keys.max()) * times for keys, _, times in parts)
    if threshold > top:
        return 0.0
    if threshold <= sum(int(keys.min()) * times for keys, _, times in parts):
        return 1.0
    theta = _tilt(parts, threshold)
    # As long as the whole range: a transform is cyclic, and a shorter one would wrap the tail round to the start.
    length = next_fast_len(top + 1, real=True)
    transform = np.ones(length // 2 + 1, np.complex128)
    log_scale = 0.0
    for keys, probabilities, times in parts:
        # Relative to the largest key, and the scale as a logarithm: e to the power θ · sum overflows by itself, only
        # the ratio in the last line is a probability.
        weights = probabilities * np.exp(theta * (keys - keys.max()))
        log_scale += times * (np.log(weights.sum()) + theta * float(keys.max()))
        dense = np.bincount(keys, weights / weights.sum())
        # One transform, however many tasks have this distribution.
        transform *= rfft(dense, length) ** times
    # Rounding leaves small negative masses where there are none.
    mass = np.maximum(irfft(transform, length)[threshold : top + 1], 0.0)
    # Not by @: a product of long vectors is summed by as many threads as there are, and its last digits depend on them.
    tail = float((mass * np.exp(-theta * np.arange(mass.size))).sum())
    return min(tail * float(np.exp(log_scale - theta * threshold)), 1.0)


def lower_tail(parts: list[Atoms], threshold: int) -> float:
    """P(sum of all parts ≤ threshold)."""
    top = sum(int(keys.max()) * times for keys, _, times in parts)
    return upper_tail(
        [(keys.max() - keys, probabilities, times) for keys, probabilities, times in parts], top - threshold
    )


def _tilt(parts: list[Atoms], threshold: int) -> float:
    """Return the θ ≥ 0 that moves the mean of the sum to the threshold, up to `STEEPEST`."""

    def excess(theta: float) -> float:
        total = -float(threshold)
        for keys, probabilities, times in parts:
            weights = probabilities * np.exp(theta * (keys - keys.max()))
            total += times * float((weights * keys).sum() / weights.sum())
        return total

    # Below the mean the tail is the bulk already. A lower tail is the upper one of mirrored keys, so θ is never
    # negative.
    if excess(0.0) >= 0.0:
        return 0.0
    # The tilt is undone exactly whatever it is, so its root matters to precision only, and little to that: 0.03 where
    # the root is 0.08 still gives eleven digits.
    return STEEPEST if excess(STEEPEST) <= 0.0 else float(brentq(excess, 0.0, STEEPEST, xtol=1e-10))
