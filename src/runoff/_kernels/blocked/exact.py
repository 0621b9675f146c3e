"""The exact null distribution of rank sums, by convolution over tasks, and its tails, accurate relative to the tail.

A vector of rank sums of all algorithms but the last is one integer key in mixed radix, and keys add. So one
one-dimensional convolution serves two algorithms (a line), three (a lattice) and any small design of more.
Given the ties, each task has q_i! / Π_j c_ij! equally likely assignments, independent across tasks
(Casesa 2024, section 2.3.3, prints permutations across tasks; under the null only ranks within a task are exchangeable).

A plain Fourier convolution has an absolute error near 1e-16, useless for a p-value of 1e-20. Tilting every summand by
exp(θ·key), with θ such that the mean of the sum sits on the threshold, makes the tail the bulk; the tilt is undone in
the sum over the tail (the change of measure behind saddlepoint approximations, here without approximation).
"""

from __future__ import annotations

import numpy as np
import scipy

from runoff.base.arrays import Floats, Ints


def assignment_counts(scores: Ints, counts: Ints, radix: Ints) -> Floats:
    """Number of assignments of a task's scores to algorithms, by the key of the sums of all but the last algorithm.

    scores: (q,) non-negative integers; counts: (k,) with sum q; radix: (k − 1,) exceeding each algorithm's largest sum.
    Returns (Π radix,) counts as float64. Source: dynamic programme over the runs of the task.
    """
    room = counts[:-1] + 1
    steps, strides = np.cumprod([1, *room]), np.cumprod([1, *radix])
    # How many scores each algorithm has in each state; the last one has no digits: it gets what the others leave.
    states = np.stack(np.unravel_index(np.arange(steps[-1]), tuple(room), order="F"), axis=1)
    # Floats: 64-bit integers overflow at 67 runs of two algorithms, at 45 of three. Only positive terms are added, so
    # each count keeps its relative precision, in the tails too.
    ways = np.zeros((steps[-1], strides[-1]))
    ways[0, 0] = 1.0
    for item, score in enumerate(scores.tolist()):
        grown, placed = np.zeros_like(ways), states.sum(axis=1)
        for j in reversed(range(room.size)):  # sums from the state with fewest scores on
            shift = score * strides[j]
            for state in np.flatnonzero((placed <= item) & (states[:, j] < counts[j])):
                grown[state + steps[j], shift:] += ways[state, : strides[-1] - shift]
        for state in np.flatnonzero((placed <= item) & (placed > item - counts[-1])):
            grown[state] += ways[state]
        ways = grown
    return np.asarray(ways[-1])


def line_counts(scores: Ints, count: int) -> Floats:
    """Number of ways to choose `count` of a task's scores, by their sum: `assignment_counts` of two algorithms, many times faster.

    scores: (q,) non-negative, ascending. Returns (largest sum + 1,) as float64. In place, only the numbers chosen that can still become
    `count`, and only the sums that they can have: of p scores among the first n, between the p lowest and the p highest.
    """
    n_scores = scores.size
    running = [0, *np.cumsum(scores).tolist()]
    ways = np.zeros((count + 1, running[n_scores] - running[n_scores - count] + 1))
    ways[0, 0] = 1.0
    for item, score in enumerate(scores.tolist()):
        # Downwards, so that no score is chosen twice: what is added to `chosen + 1` is not read again for this score.
        for chosen in range(min(item, count - 1), max(count - n_scores + item, 0) - 1, -1):
            low, stop = running[chosen], running[item] - running[item - chosen] + 1
            ways[chosen + 1, low + score : stop + score] += ways[chosen, low:stop]
    return np.asarray(ways[count])


def convolve(mass: Floats, top: int, keys: Ints, probabilities: Floats, out: Floats) -> None:
    """Add one independent task: out[s + key] += probability · mass[s] for s ≤ top.

    mass, out: (n_keys,); keys, probabilities: (n_atoms,). Overwrites `out`.
    """
    out[:] = 0.0
    for key, probability in zip(keys.tolist(), probabilities.tolist(), strict=True):
        out[key : key + top + 1] += probability * mass[: top + 1]


def line_tail(mass: Floats, base: int, step: int, threshold: int, side: int) -> float:
    """Probability that T = base + step·key is as extreme as the threshold.

    side: 0 for |T| ≥ threshold, 1 for T ≥ threshold, −1 for T ≤ threshold.
    """
    totals = base + step * np.arange(mass.size)
    extreme = mass[totals <= threshold if side < 0 else (totals if side else np.abs(totals)) >= threshold]
    # One after the other: the last digits are then the same on every processor.
    return float(np.cumsum(extreme)[-1]) if extreme.size else 0.0


def quadratic(totals: Ints, matrix: Ints | Floats) -> Ints | Floats:
    """Tᵀ A T, in integers when A holds integers. totals: (k, …); matrix: (k, k)."""
    return np.asarray(sum(totals[a] * matrix[a, b] * totals[b] for a, b in np.ndindex(*matrix.shape)))


CHUNK = 1 << 16
"""Keys that are looked at together."""


def lattice_tail(
    mass: Floats,
    radix: Ints,
    steps: Ints,
    owners: Ints,
    *,
    base: Ints,
    matrix: Ints | Floats,
    threshold: float,
    side: int,
    observed: int,
) -> float:
    """Probability that Tᵀ A T ≥ threshold (side 0), T_0 ≥ observed (side 1) or T_0 ≤ observed (side −1).

    T_j = base_j + Σ_d steps_d · digit_d over the digits d that j owns; the last T is minus the sum of the others.
    mass: (Π radix,); radix, steps, owners: (n_digits,); base: (k − 1,); matrix: (k, k).
    """
    probability, keys = 0.0, np.flatnonzero(mass)
    for some in np.split(keys, range(CHUNK, keys.size, CHUNK)):
        totals = np.repeat(base[:, None], some.size, axis=1)
        for digit, step, owner in zip(np.unravel_index(some, tuple(radix), order="F"), steps, owners, strict=True):
            totals[owner] += step * digit
        totals = np.vstack([totals, -totals.sum(axis=0)])
        extreme = side * totals[0] >= side * observed if side else quadratic(totals, matrix) >= threshold
        probability = float(np.cumsum(np.append(probability, mass[some[extreme]]))[-1])
    return probability


# ── tails of two algorithms, by Fourier transform ──────────


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
    length = scipy.fft.next_fast_len(top + 1, real=True)
    transform = np.ones(length // 2 + 1, np.complex128)
    log_scale = 0.0
    for keys, probabilities, times in parts:
        # Relative to the largest key, and the scale as a logarithm: e to the power θ · sum overflows by itself, only
        # the ratio in the last line is a probability.
        weights = probabilities * np.exp(theta * (keys - keys.max()))
        log_scale += times * (np.log(weights.sum()) + theta * float(keys.max()))
        dense = np.bincount(keys, weights / weights.sum())
        # One transform, however many tasks have this distribution.
        transform *= scipy.fft.rfft(dense, length) ** times
    # Rounding leaves small negative masses where there are none.
    mass = np.maximum(scipy.fft.irfft(transform, length)[threshold : top + 1], 0.0)
    # Not by @: a product of long vectors is summed by as many threads as there are, and its last digits depend on them.
    tail = float((mass * np.exp(-theta * np.arange(mass.size))).sum())
    return min(tail * float(np.exp(log_scale - theta * threshold)), 1.0)


def lower_tail(parts: list[Atoms], threshold: int) -> float:
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
    return STEEPEST if excess(STEEPEST) <= 0.0 else float(scipy.optimize.brentq(excess, 0.0, STEEPEST, xtol=1e-10))
