"""Performance profiles of one algorithm: the share of its runs, or of its task means, above each threshold. Every task weighs the same.

F̂(τ) = (1/T) Σ_t (1/c_t) Σ_i 1[x_ti > τ], and (1/T) Σ_t 1[x̄_t > τ] of average scores (Agarwal et al. 2021, eqs. 1 and 2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import lcm
from types import MappingProxyType

import numpy as np

from runoff._inference.bootstrap.pool import Pool
from runoff._kernels.bootstrap import profile as kernels
from runoff.base.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Where shares lie: each score is worth `units`, (n_scores,), of `total`, whole numbers as long as they are exact."""

    units: Floats
    total: float


def lattice(n_runs: Ints) -> Lattice:
    """Return the lattice of the shares of tasks with so many runs, (n_tasks,): its step is 1 / (n_tasks · their least common multiple)."""
    common = lcm(*map(int, n_runs))
    units = np.array([float(common // int(n)) for n in n_runs])
    return Lattice(units=np.repeat(units, n_runs), total=float(common * n_runs.size))


def run_shares(pool: Pool, thresholds: Floats) -> Floats:
    """Return the share of runs above each threshold, (n_thresholds,)."""
    places = lattice(pool.n_runs)
    shares = np.empty(thresholds.size)
    kernels.shares_above(np.ones(pool.values.size), places.units, levels(pool, thresholds), places.total, shares)
    return shares


def mean_shares(pool: Pool, thresholds: Floats) -> Floats:
    """Return the share of tasks whose mean is above each threshold, (n_thresholds,)."""
    means = ascending_means(pool)
    shares: Floats = (means.size - np.searchsorted(means, thresholds + rounding(pool), "right")) / means.size
    return shares


def ascending_means(pool: Pool) -> Floats:
    """Return the task means, (n_tasks,), as resamples have them."""
    means = np.empty(pool.n_tasks)
    kernels.task_means(np.ones(pool.values.size), pool.values, pool.offsets, means)
    return means


def rounding(pool: Pool) -> float:
    """Return by how much equal means may differ."""
    return 1e-12 * float(np.abs(pool.values).max())


def levels(pool: Pool, thresholds: Floats) -> Ints:
    """Return how many thresholds each score is above, (n_scores,)."""
    return np.searchsorted(thresholds, pool.values, "left").astype(np.int64)


def runs_above(pool: Pool, thresholds: Floats) -> Ints:
    """Return how many runs of each task are above each threshold, (n_thresholds, n_tasks)."""
    cells = np.split(pool.values, pool.offsets[1:-1])
    above = [cell.size - np.searchsorted(cell, thresholds, "right") for cell in cells]
    return np.ascontiguousarray(np.stack(above, axis=1), dtype=np.int64)


def tasks_above(pool: Pool, thresholds: Floats) -> Ints:
    """Return on how many tasks each shared run is above each threshold, (n_thresholds, n_runs)."""
    matrix = np.sort(pool.by_run(pool.values), axis=1)
    above = [row.size - np.searchsorted(row, thresholds, "right") for row in matrix]
    return np.ascontiguousarray(np.stack(above, axis=1), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of profile: what is counted, and how."""

    title: str
    counts: str
    shares: Callable[[Pool, Floats], Floats]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "run_scores": Kind(title="run-score profile", counts="runs that score", shares=run_shares),
        "average_scores": Kind(title="average-score profile", counts="tasks whose mean score lies", shares=mean_shares),
    }
)
"""What a profile counts, by name."""
