"""Draws of what settings are worth on tasks, given noisy runs; what follows from a draw: performance tuned and with one setting, sensitivity.

Plugged into a maximum, means of few runs overstate what tuning per task buys: of equal settings the best looks better. A draw holds the
true surface with its uncertainty, and what is computed of many draws is what the data leave open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.arrays import Floats

TINY = 1e-12
"""The least variance component, as a share of all: 0 has no inverse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellMeans:
    """Means of the runs of K settings on tasks, (n_tasks, K); of a task the variance of a run, its degrees of freedom, and runs a cell."""

    means: Floats
    variances: Floats
    freedom: Floats
    n_runs: Floats

    @classmethod
    def of(cls, cells: list[list[Floats]]) -> CellMeans:
        """Return them of the runs of each setting on each task, two or more a cell; unequal ones count by their harmonic mean."""
        return cls(
            means=np.array([[cell.mean() for cell in task] for task in cells]),
            variances=np.array([np.mean([cell.var(ddof=1) for cell in task]) for task in cells]),
            freedom=np.array([sum(cell.size - 1.0 for cell in task) for task in cells]),
            n_runs=np.array([1 / np.mean([1 / cell.size for cell in task]) for task in cells]),
        )


def surfaces(cells: CellMeans, n_draws: int, draw: np.random.Generator) -> Floats:
    """Return draws of expected performance, (n_draws, n_tasks, K).

    Two-way normal random effects: task, setting (variance τ_b), their interaction (τ_g), noise of cell means (v). Variance components are
    drawn too, from their mean squares over χ², so that an interaction that may be all noise is 0 in some draws.
    """
    n_tasks, k = cells.means.shape
    tasks = cells.means.mean(axis=1, keepdims=True)
    centered = cells.means - tasks
    main = centered.mean(axis=0)
    of_inter, of_main = (n_tasks - 1) * (k - 1), k - 1
    inter = np.square(centered - main).sum() / of_inter
    between = n_tasks * np.square(main).sum() / of_main
    noise = cells.variances * cells.freedom / draw.chisquare(cells.freedom, (n_draws, n_tasks)) / cells.n_runs
    least = max(TINY * float(inter + between + noise.mean()), np.finfo(float).tiny)
    noise = np.maximum(noise, least)
    mean_inter = np.maximum(inter * of_inter / draw.chisquare(of_inter, n_draws), noise.mean(axis=1))
    tau_g = np.maximum(mean_inter - noise.mean(axis=1), least)[:, None]
    tau_b = np.maximum((between * of_main / draw.chisquare(of_main, n_draws) - mean_inter) / n_tasks, least)
    # The posterior of a setting's mean over tasks, then of each cell around it: precision-weighted, as normal laws are.
    weights = 1 / (tau_g + noise)
    precision = (weights.sum(axis=1) + 1 / tau_b)[:, None]
    settings = (weights @ centered) / precision + draw.normal(size=(n_draws, k)) / np.sqrt(precision)
    kept, width = tau_g / (tau_g + noise), np.sqrt(tau_g * noise / (tau_g + noise))
    around = kept[:, :, None] * (centered - settings[:, None, :])
    spread = width[:, :, None] * draw.normal(size=(n_draws, n_tasks, k))
    drawn: Floats = tasks + settings[:, None, :] + around + spread
    return drawn


def tuned(surface: Floats) -> Floats:
    """Return the performance with the best setting of each task, the mean over tasks; surface (…, n_tasks, K)."""
    best: Floats = surface.max(axis=-1).mean(axis=-1)
    return best


def with_one(surface: Floats) -> Floats:
    """Return the performance of the setting with the best mean over tasks."""
    best: Floats = surface.mean(axis=-2).max(axis=-1)
    return best


def dimensions(surface: Floats, levels: NDArray[np.integer[Any]], share: float = 0.95) -> NDArray[np.int64]:
    """Return of each draw the fewest settings that, freed per task, give `share` of the performance with all free; surface (draws, n_tasks, K).

    The others stay at the best setting for all tasks; of each number of settings the best subset counts (Adkins et al. 2024). levels: (K, D)
    of each setting its level in each configuration.
    """
    n_settings = levels.shape[1]
    base = surface.mean(axis=1).argmax(axis=1)
    curve = np.full((n_settings + 1, len(surface)), -np.inf)
    for free in range(2**n_settings):
        fixed = [s for s in range(n_settings) if not free >> s & 1]
        same = (levels[:, None, fixed] == levels[None, :, fixed]).all(axis=2)
        best = np.where(same[base][:, None, :], surface, -np.inf).max(axis=2).mean(axis=1)
        size = n_settings - len(fixed)
        curve[size] = np.maximum(curve[size], best)
    first: NDArray[np.int64] = (curve >= share * curve[-1]).argmax(axis=0)
    return first


SURE = 0.95
"""The chance that a set of values holds the best one."""


def smallest_set(chances: Floats) -> tuple[int, ...]:
    """Return the fewest values that together have a chance of 95 % or more."""
    order = np.argsort(-chances, kind="stable")
    n = int(np.searchsorted(np.cumsum(chances[order]), SURE - TINY)) + 1
    return tuple(sorted(order[:n].tolist()))


def region(tuned_lead: float, sensitivity_lead: float) -> str:
    """Return the region of the plane of performance and sensitivity in which an algorithm lies, seen from another (Adkins et al. 2024).

    tuned_lead: how much better it is tuned per task; sensitivity_lead: how much more sensitive. Their difference is the lead with one setting.
    """
    if tuned_lead < sensitivity_lead:
        return "better only when tuned per task" if tuned_lead >= 0 else "worse tuned and with one setting"
    if sensitivity_lead <= 0:
        return "better, and no more sensitive" if tuned_lead >= 0 else "better only with one setting"
    return "better, and more sensitive"
