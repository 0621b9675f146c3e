"""The probability of improvement of a pair, with the law that decides it: a t law over several tasks, Mann-Whitney's on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, exp, lgamma, sqrt

import numpy as np

from runoff._inference.about import SMALLEST
from runoff._inference.bootstrap import Ends, Law, t_law
from runoff._inference.two_sample import critical_deviation, deviation_pvalue, run_two_sample
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.results.pair import EVEN


def improvement_law(x: Sequence[Floats], y: Sequence[Floats], *, shared: bool = False) -> Law | MannWhitneyLaw:
    """Return the law of the chance that a run of x beats one of y, ties counting half, averaged over the tasks of the cells x and y.

    The squared error of a task is the mean of two: that of the placements (DeLong et al. 1988), which is 0 where one side is always ahead,
    and Hanley & McNeil's (1982) at a chance drawn towards ½, which never is: [θ(1−θ) + (n−1)(Q₁−θ²) + (m−1)(Q₂−θ²)] / (n m), Q₁ = θ/(2−θ),
    Q₂ = 2θ²/(1+θ), θ = (P̂ e + 2)/(e + 4), e = 3 n m / (n + m + 1). A task has 2 min(n, m) − 2 degrees of freedom. Nothing is claimed at levels
    below the rarest relabelling of such runs, 2 / Π C(n + m, n). One task: `MannWhitneyLaw`. shared: run i of a side is the same in every cell.
    """
    sizes = np.array([[a.size, b.size] for a, b in zip(x, y, strict=True)])
    chances, variances, placed = placements(x, y)
    value = float(chances.mean())
    if sizes.min() < 2:
        return Law(value, ())
    if len(sizes) == 1:
        return MannWhitneyLaw(value, x[0], y[0])
    if shared:
        return _of_whole_runs(value, *placed[0])
    rarest = 2 * exp(-sum(lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1) for a, b in sizes.tolist()))
    laws = (t_law(variances / len(sizes) ** 2, 2.0 * sizes.min(axis=1) - 2.0, welch=False),)
    return Law(value, laws, least=rarest, range=(0.0, 1.0))


def placements(x: Sequence[Floats], y: Sequence[Floats]) -> tuple[Floats, Floats, list[tuple[Floats, Floats]]]:
    """Return the chance of each task and its squared error, (n_tasks,) each; and the placements of runs, stacked by size.

    A squared error that no spread is known for, of a cell of one run, is Hanley & McNeil's half of it.
    """
    sizes = np.array([[a.size, b.size] for a, b in zip(x, y, strict=True)])
    chances, spread = np.empty(len(sizes)), np.zeros(len(sizes))
    placed: list[tuple[Floats, Floats]] = []
    for n, m in np.unique(sizes, axis=0).tolist():
        alike = np.flatnonzero((sizes == (n, m)).all(axis=1)).tolist()
        a, b = (np.stack([side[t] for t in alike]) for side in (x, y))
        ahead = (a[:, :, None] > b[:, None, :]) + 0.5 * (a[:, :, None] == b[:, None, :])
        of_x, of_y = ahead.mean(axis=2), ahead.mean(axis=1)
        chances[alike] = of_x.mean(axis=1)
        placed.append((of_x, of_y))
        if min(n, m) > 1:
            spread[alike] = of_x.var(axis=1, ddof=1) / n + of_y.var(axis=1, ddof=1) / m
    n_x, n_y = sizes.T.astype(np.float64)
    return chances, (spread + _guarded(chances, n_x, n_y)) / 2, placed


def _guarded(chance: Floats, n: Floats, m: Floats) -> Floats:
    """Return Hanley & McNeil's squared error of a chance that is drawn towards ½."""
    e = 3 * n * m / (n + m + 1)
    theta = (chance * e + 2) / (e + 4)
    q, r = theta / (2 - theta), 2 * theta**2 / (1 + theta)
    return np.asarray((theta * (1 - theta) + (n - 1) * (q - theta**2) + (m - 1) * (r - theta**2)) / (n * m))


def _of_whole_runs(value: float, of_x: Floats, of_y: Floats) -> Law:
    """Return the law of runs that are shared by tasks: placements are means over tasks; where all are ahead, one task's guarded error."""
    sides = [placements.mean(axis=0) for placements in (of_x, of_y)]
    n, m = (side.size for side in sides)
    parts = np.array([side.var(ddof=1) / side.size for side in sides])
    if not parts.sum() > 0:
        parts = np.full(2, float(_guarded(np.array(value), np.array(float(n)), np.array(float(m)))) / 2)
    rarest = 2 * exp(lgamma(n + 1) + lgamma(m + 1) - lgamma(n + m + 1))
    return Law(value, (t_law(parts, np.array([n, m]) - 1.0, welch=False),), least=rarest, range=(0.0, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class MannWhitneyLaw:
    """The probability of improvement on one task: Mann-Whitney's test, and the interval in Wilson's form that agrees with it.

    With c the least |P̂ − ½| at which the test rejects, the interval holds the θ with (P̂ − θ)² < 4 c² θ (1 − θ): at ½ that is |P̂ − ½| < c.
    """

    value: float
    x: Floats
    y: Floats

    laws = ()

    @property
    def least(self) -> float:
        """Return the smallest p-value that runs of these numbers can have."""
        return 2 / comb(self.x.size + self.y.size, self.x.size)

    def interval(self, level: float) -> Ends:
        """Return the interval; [0, 1] where no runs of this design are rare enough."""
        # A shade less, so that the ½ of a rejection lies outside.
        c = critical_deviation(self.x, self.y, 1 - level) * (1 - 1e-9)
        if not np.isfinite(c):
            return 0.0, 1.0
        k, p = 4 * c * c, self.value
        half = sqrt(k * p * (1 - p) + k * k / 4)
        return max((p + k / 2 - half) / (1 + k), 0.0), min((p + k / 2 + half) / (1 + k), 1.0)

    def equivalence_pvalue(self, margin: float) -> float:
        """Return the one-sided level at which the interval lies within a margin of ½, as the value does.

        Both ends θ of the margin are left out where (P̂ − θ)² ≥ 4 c² θ (1 − θ).
        """
        limits = [theta for theta in (EVEN - margin, EVEN + margin) if 0 < theta < 1]
        if not limits:
            return SMALLEST
        critical = min(abs(self.value - theta) / (2 * sqrt(theta * (1 - theta))) for theta in limits)
        return max(deviation_pvalue(self.x, self.y, critical) / 2, SMALLEST)

    def pvalue(self, null: float = EVEN) -> float:
        assert null == EVEN  # of no other chance the law is known
        outcome = run_two_sample("mann_whitney", self.x[None], self.y[None], streams=Streams(0), n_resamples=1)
        return float(outcome.pvalue[0])
