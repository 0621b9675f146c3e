"""The probability of improvement with its t interval, from placements: how often each run of one side is ahead of the other side's runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap.intervals import Ends, usable
from runoff._inference.bootstrap.rates import newcombe
from runoff.base.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """P(x > y) + P(x = y) / 2, averaged over tasks, with its interval and how that was made."""

    estimate: float
    ends: Ends | None
    interval: str | None


def improvement_of(
    x: Sequence[Floats], y: Sequence[Floats], *, confidence_level: float, shared: bool = False, rates: bool = False
) -> Improvement:
    """Return the probability of improvement of x over y, each a list of cells (n_runs,) on the same tasks.

    θ is excluded if |θ̂ − θ| > t s √(θ (1 − θ) / (θ̂ (1 − θ̂))): the t interval of the mean placement, its variance going to 0 at both ends as that
    of a probability does, so that it stays within [0, 1] and has width where one side is always ahead. s² = Σ (v_x + v_y) / T² with the
    variances of the placements over the number of runs (DeLong et al. 1988; Brunner & Munzel 2000), Welch-Satterthwaite degrees of freedom. No
    variance is taken smaller than that of the share of (√(n m) θ̂ + ½) / (√(n m) + 1), between n m runs of their own. None if a cell has one run.
    `shared`: run i is the same in every cell, and its placement is the mean over tasks. `rates`: scores are 0 or 1, θ is ½ more
    than half the difference of success rates, and so is its interval (`newcombe`).
    """
    placed = [placements(a, b) for a, b in zip(x, y, strict=True)]
    estimate = float(np.mean([p.mean() for p, _ in placed]))
    if min(cell.size for cell in [*x, *y]) < 2:
        return Improvement(estimate=estimate, ends=None, interval=None)
    if rates:
        low, high = newcombe(x, y, confidence_level)
        return Improvement(estimate=estimate, ends=((1 + low) / 2, (1 + high) / 2), interval="newcombe")
    total, df = _of_runs(placed, estimate, shared)
    resolution = 0.5 / (sum(p.size * q.size for p, q in (placed[:1] if shared else placed)) + 1)
    return _with_t(estimate, total, df, resolution, confidence_level)


def improvement_over_tasks(
    x: Sequence[Floats], y: Sequence[Floats], *, confidence_level: float, shared: bool = False
) -> Improvement:
    """Return the probability of improvement of x over y where the tasks, two or more, are a sample of more.

    The same interval with the variance of the tasks' own probabilities over T, which holds that of the runs, and T − 1 degrees of freedom; it
    is not taken smaller than that of the share of (T θ̂ + ½) / (T + 1) between T tasks. `shared`: tasks and runs cross, and the squared errors
    of both are added, which counts the rest between them twice (Owen 2007). None for one task, or if a cell has one run.
    """
    placed = [placements(a, b) for a, b in zip(x, y, strict=True)]
    by_task = np.array([float(p.mean()) for p, _ in placed])
    estimate, n = float(by_task.mean()), by_task.size
    if n < 2 or min(cell.size for cell in [*x, *y]) < 2:
        return Improvement(estimate=estimate, ends=None, interval=None)
    share = (n * estimate + 0.5) / (n + 1)
    total, df = max(float(by_task.var(ddof=1)), share * (1 - share) / n) / n, n - 1.0
    if shared:
        of_runs, df_runs = _of_runs(placed, estimate, shared)
        both = total + of_runs
        total, df = both, both**2 / (total**2 / df + of_runs**2 / df_runs)
    return _with_t(estimate, total, df, 0.5 / (n + 1), confidence_level)


def _of_runs(placed: Sequence[tuple[Floats, Floats]], estimate: float, shared: bool) -> tuple[float, float]:
    """Return the squared error from the runs, and its Welch-Satterthwaite degrees of freedom."""
    averaged = 1
    if shared:
        # Of runs that are always ahead nothing tells how much of it is the run's own: then a task more says nothing more.
        averaged = len(placed) if 0 < estimate < 1 else 1
        placed = [(np.mean([p for p, _ in placed], axis=0), np.mean([q for _, q in placed], axis=0))]
    parts = np.array([_variances(p, q, averaged) for p, q in placed]).ravel() / len(placed) ** 2
    freedom = np.array([(p.size - 1, q.size - 1) for p, q in placed]).ravel()
    total = float(parts.sum())
    return total, total**2 / float(np.sum(parts**2 / freedom))


def _with_t(estimate: float, total: float, df: float, resolution: float, confidence_level: float) -> Improvement:
    t = float(special.stdtrit(df, (1 + confidence_level) / 2))
    ends = _excluded(estimate, t * t * total, min(max(estimate, resolution), 1 - resolution))
    return Improvement(estimate=estimate, ends=ends, interval="t" if ends else None)


def placements(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the share of y below each x, and the share of x above each y, ties counting half: (n_x,) and (n_y,)."""
    return _ahead(x, y), 1.0 - _ahead(y, x)


def _ahead(x: Floats, y: Floats) -> Floats:
    others = np.sort(y)
    share: Floats = (np.searchsorted(others, x, "left") + np.searchsorted(others, x, "right")) / (2.0 * y.size)
    return share


def _variances(p: Floats, q: Floats, averaged: int) -> tuple[float, float]:
    """Return the variances of the mean placement of two sides; `averaged`: of how many tasks each placement is the mean."""
    n, m = p.size, q.size
    share = (sqrt(n * m) * float(p.mean()) + 0.5) / (sqrt(n * m) + 1)
    least = share * (1 - share) / (n * m * averaged)
    return max(float(p.var(ddof=1)), least) / n, max(float(q.var(ddof=1)), least) / m


def _excluded(estimate: float, scaled: float, inner: float) -> Ends | None:
    """Return the two θ with (θ̂ − θ)² = scaled · θ (1 − θ) / (inner (1 − inner))."""
    k = scaled / (inner * (1 - inner))
    half = sqrt(k * estimate * (1 - estimate) + k * k / 4)
    return usable(max((estimate + k / 2 - half) / (1 + k), 0.0), min((estimate + k / 2 + half) / (1 + k), 1.0))
