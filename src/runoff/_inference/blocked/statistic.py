"""What centred ranks by task add up to: mean ranks, integer weights, and the quadratic form.

Sums of ranks are integers, and "as extreme as observed" is decided without rounding where all algorithms have equally many runs on a task, else
up to a relative tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd, lcm

import numpy as np

from runoff._inference.blocked.design import TOLERANCE, Blocks
from runoff._kernels.blocked import ranks as kernels
from runoff.base.arrays import Bools, Floats, Ints

Weights = Callable[[Ints], tuple[Floats, Ints | None]]
"""Task sizes -> weights, and integers proportional to them (None where no small ones exist)."""
SAFE = 2**62
"""Ints up to here are added and multiplied without overflow."""
FIXED_POINT = 2**40
"""Weights that are not commensurable are rounded to this precision; comparisons then have a tolerance."""


def mean_ranks(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return sums over tasks, and means, of the cells' mean ranks; rank 1 is the highest score of a task.

    An algorithm without runs on any of these tasks has sum 0 and mean 0. Source: Casesa (2024) eq. 2.21 with the
    missing 1/c put in.
    """
    present = blocks.counts > 0
    within = (blocks.sizes[:, None] + 1) / 2.0 - blocks.sums / (2.0 * np.maximum(blocks.counts, 1))
    sums: Floats = np.where(present, within, 0.0).sum(axis=0)
    return sums, sums / np.maximum(present.sum(axis=0), 1)


def average_ranks(blocks: Blocks) -> Floats:
    """Return each algorithm's place, 1 to k, in a draw of one run of each: 1 + Σ_j P(j beats it), over tasks that weigh by their runs.

    Where all cells of a task are equally large this is a linear map of the mean ranks of its runs, whose differences it divides by the runs of
    a cell. An algorithm that is missing from a task has no place there; places of the others are stretched to 1 to k. 0: no runs at all.
    """
    present = blocks.counts > 0
    # Among m of k algorithms one can be behind m − 1 others: stretched to k − 1, so that places on all tasks are of one scale.
    behind = _runs_ahead(blocks) * ((present.shape[1] - 1) / np.maximum(present.sum(axis=1) - 1, 1))[:, None]
    weights = np.where(present, (blocks.sizes / present.sum(axis=1))[:, None], 0.0)
    return np.asarray((weights * (1.0 + behind)).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300))


def _runs_ahead(blocks: Blocks) -> Floats:
    """Return (n_tasks, n_algorithms): the sum over the others of the chance that a run of theirs beats one of this algorithm, ties half."""
    counts, sizes = blocks.counts, blocks.sizes[:, None]
    if blocks.balanced:
        pooled = (sizes + 1) / 2.0 - blocks.sums / (2.0 * counts)
        return np.asarray((pooled - (counts + 1) / 2.0) / counts)
    ahead = np.zeros(counts.shape)
    for t, values in enumerate(np.split(blocks.values, blocks.starts[1:-1])):
        cells = [np.sort(cell) for cell in np.split(values, np.cumsum(counts[t])[:-1])]
        for i, own in enumerate(cells):
            for j, other in enumerate(cells):
                if i != j and own.size and other.size:
                    below = np.searchsorted(other, own, "left") + np.searchsorted(other, own, "right")
                    ahead[t, i] += 1.0 - below.mean() / (2.0 * other.size)
    return ahead


def reciprocal(shift: int) -> Weights:
    """Weights 1 / (q + shift): 0 is Mack & Skillings, 1 is van Elteren."""

    def weights(sizes: Ints) -> tuple[Floats, Ints | None]:
        divisors = [int(q) + shift for q in sizes]
        common = lcm(*divisors)
        whole = np.array([common // d for d in divisors], np.int64) if common < FIXED_POINT else None
        return 1.0 / (sizes.astype(np.float64) + shift), whole

    return weights


def inverse_root(sizes: Ints) -> tuple[Floats, Ints | None]:
    """Weights (q + 1)^(-1/2) of Skillings & Mack (1981) eq. 2.2; whole only when all tasks are equally large."""
    equal = bool((sizes == sizes[0]).all())
    return 1.0 / np.sqrt(sizes.astype(np.float64) + 1.0), np.ones(sizes.size, np.int64) if equal else None


@dataclass(frozen=True, slots=True)
class QuadraticForm:
    """A weighted rank statistic Q = Tᵀ A T with integer T, and how to compare it.

    units: (n_tasks,) integer weight of each task's centred ranks; totals: (n_algorithms,) observed T; matrix:
    (n_algorithms, n_algorithms), int64 when Q is compared in integers, else float64; df: rank of the covariance.
    statistic: Q on the χ² scale; z: T of the first algorithm in units of its null standard deviation. slack: what
    rounded units can make of equal sums, 0 when they are whole.
    """

    units: Ints
    totals: Ints
    matrix: Ints | Floats
    df: int
    statistic: float
    z: float
    slack: int

    def threshold(self) -> int | float:
        """Least value of Tᵀ A T that counts as extreme as the observed one."""
        observed = self.totals @ self.matrix @ self.totals
        if self.matrix.dtype == np.int64:
            return int(observed)
        return float(observed) * (1.0 - TOLERANCE) - 1e-12


def quadratic_form(blocks: Blocks, weights: Weights) -> QuadraticForm:
    """Return the observed statistic of a weighting; all-tied data have statistic 0 with 0 degrees of freedom."""
    real, whole = weights(blocks.sizes)
    reach = blocks.counts.max(axis=1, initial=0) * blocks.sizes
    units = _fixed_point(real, reach) if whole is None else whole // max(gcd(*whole.tolist()), 1)
    slack = int(reach.sum()) if whole is None else 0
    # The sums of a group of linked algorithms add up to 0, and what nothing links has only zeros: one of each is left out.
    keep = kernels.kept(kernels.components(blocks.counts, blocks.squares))
    statistic, z = _observed(blocks, real, keep)
    # Where all algorithms have equally many runs, Q is a multiple of Σ T², which is compared in integers.
    matrix: Ints | Floats = np.eye(keep.size, dtype=np.int64)
    if whole is None or not blocks.balanced or int(np.abs(units) @ reach) ** 2 * keep.size**2 >= SAFE:
        sigma = kernels.covariance(blocks.counts, blocks.squares, units.astype(np.float64))
        matrix = kernels.general_inverse(sigma, keep)
    return QuadraticForm(units, units @ blocks.sums, matrix, int(keep.sum()), statistic, z, slack)


def _observed(blocks: Blocks, real: Floats, keep: Bools) -> tuple[float, float]:
    """Return Q, and the first algorithm's sum in units of its standard deviation (0 where nothing varies)."""
    totals = real @ blocks.sums
    sigma = kernels.covariance(blocks.counts, blocks.squares, real)
    statistic = float(totals @ kernels.general_inverse(sigma, keep) @ totals)
    spread = float(np.sqrt(sigma[0, 0]))
    return max(statistic, 0.0), float(totals[0]) / spread if spread > 0.0 else 0.0


def _fixed_point(real: Floats, reach: Ints) -> Ints:
    """Round weights to integers whose sums of ranks stay below 2⁶⁰; reach: largest rank sum of each task."""
    relative = real / real.max(initial=1e-300)
    return np.asarray(np.rint(relative * min(FIXED_POINT, 2.0**60 / float(relative @ reach))).astype(np.int64))
