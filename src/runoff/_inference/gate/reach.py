"""What drops are called, and the runs that it takes.

Power is the chance that a drop of normal runs is called, at the unit's share of the error rate. The standard error is an estimate, and power is
averaged over what it may be instead. With few labellings the test does not follow a t law: then it is done on simulated runs, once for each
number of runs. Of a single task `compare` has to find the drop too, at the same level; elsewhere the share of the error rate is less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt

import numpy as np
import scipy

from runoff._inference.gate.family import HALF, freedom, labellings, n_labellings
from runoff._inference.pairs import PairData
from runoff._inference.power import critical_value, fewest, likely_errors, noncentral
from runoff.base.arrays import Floats
from runoff.base.random import Streams

FEW_LABELLINGS = 300
"""Up to so many labellings the test is too discrete for a t law: power is then that of simulated experiments."""
EXPERIMENTS = 1_000
HALVINGS = 16
MOST = 100_000
"""The largest number of runs that is searched."""
TINY = 1e-300
MOST_ERRORS = 200.0
"""A drop of so many standard errors is never called, if no smaller one is."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The design of a unit, from which power, detectable drops and numbers of runs follow.

    error: standard error of its drop; df: degrees of freedom of that estimate; sizes: the fewest runs of a task, of the baseline and of the
    candidate; n_tasks: tasks that it averages and relabels each by itself; variance: the squared error of one run of each on every task;
    n_together: tasks that share alpha; alone: there is one task, which shares it with nothing.
    """

    error: float
    df: float
    variance: float
    sizes: tuple[int, int]
    n_tasks: int
    n_together: int
    alpha: float
    alone: bool = False

    def power(self, drop: float) -> float:
        return self._power(drop / self.error, self.sizes)

    def detectable(self, power: float) -> float:
        """Return the smallest drop that is called with a power; inf: none is."""
        if self._power(MOST_ERRORS, self.sizes) < power:
            return inf
        distance = scipy.optimize.brentq(
            lambda errors: self._power(errors, self.sizes) - power, 0.0, MOST_ERRORS, xtol=1e-6
        )
        return float(distance) * self.error

    def runs_needed(self, drop: float, power: float) -> int | None:
        """Return how many runs of each on every task call a drop with a power, if they spread as these; None: more than `MOST`."""
        return fewest(lambda n: self._power(drop / sqrt(self.variance / n), (n, n)) >= power, MOST)

    def _power(self, errors: float, sizes: tuple[int, int]) -> float:
        chance = chance_of(*sizes, self.n_tasks, self.n_together, self.alpha)
        # The error is estimated: power is the mean over what the true one may be, not the power at the estimate.
        likely, weights = likely_errors(self.df)
        chances = chance(errors * likely)
        if self.alone:
            needed = compared_errors(*sizes, self.alpha)
            chances = np.minimum(chances, np.searchsorted(needed, errors * likely, side="right") / needed.size)
        return float(weights @ chances)


def chance_of(n: int, m: int, n_tasks: int, n_together: int, alpha: float) -> Callable[[Floats], Floats]:
    """Return how likely drops of so many standard errors are called."""
    count = n_labellings((n, m)) ** n_tasks
    # No labelling is rare enough; or so few of several tasks, which are not simulated, that no power is claimed.
    if count < 1 / (alpha * (1 + ROUNDING)) or (count <= FEW_LABELLINGS and n_tasks > 1):
        return lambda errors: np.zeros_like(errors)
    if count <= FEW_LABELLINGS:
        needed = needed_errors(n, m, n_together, alpha)
        return lambda errors: np.searchsorted(needed, errors, side="right") / needed.size
    df = n_tasks * freedom([(n, m)])
    return lambda errors: noncentral(
        errors, df, critical_value(df, alpha / n_together, two_sided=False), two_sided=False
    )


@lru_cache(maxsize=64)
def needed_errors(n: int, m: int, n_together: int, alpha: float) -> Floats:
    """Return the drops, in standard errors and ascending, that simulated experiments of one task need to be called; inf: never.

    A drop is called where the p-values of the task and of those that it shares alpha with add up to at most alpha. Theirs are
    tails like that of this task, over all relabelled experiments without a drop.
    """
    trials, others = _Trials.of(n, m), n_together - 1
    # What other tasks without a drop can look like: the statistics of all experiments under all labellings.
    null = np.sort(trials.statistic(np.zeros(EXPERIMENTS)), axis=None)
    low, high = np.zeros(EXPERIMENTS), np.full(EXPERIMENTS, MOST_ERRORS)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        t = trials.statistic(-middle * sqrt(1 / n + 1 / m))
        tail = 1 - np.searchsorted(null, t[:, 0] * (1 - ROUNDING)) / null.size
        own = (t >= t[:, :1] * (1 - ROUNDING)).mean(axis=1)
        called = own + others * tail <= alpha * (1 + ROUNDING)
        called &= (others == 0) | (own < alpha * (1 - ROUNDING))  # else no other unit may ever be as far out
        low, high = np.where(called, low, middle), np.where(called, middle, high)
    return np.sort(np.where(high >= MOST_ERRORS, inf, high))


@lru_cache(maxsize=1024)
def compared_errors(n: int, m: int, alpha: float) -> Floats:
    """Return the drops, in standard errors and ascending, that simulated experiments of one task need for `compare` to find them at 2 alpha."""
    rng = Streams(0).block("gate/compared", n, m)
    normal, a, b = rng.normal(size=EXPERIMENTS), *(rng.chisquare(k - 1, EXPERIMENTS) / (k * (k - 1)) for k in (n, m))
    # `compare` takes the wider of Welch's and Student's law (`MetricEstimate.minus`): here of normal runs with known spread.
    pooled = ((n - 1) * n * a + (m - 1) * m * b) / (n + m - 2) * (1 / n + 1 / m)
    df = np.maximum((a + b) ** 2 / (a**2 / (n - 1) + b**2 / (m - 1)), min(n, m) - 1)
    laws = ((a + b, df), (pooled, n + m - 2))
    half = np.maximum(*(np.sqrt(squared) * scipy.special.stdtrit(freedom, 1 - alpha) for squared, freedom in laws))
    return np.asarray(np.sort(half / sqrt(1 / n + 1 / m) - normal))


@dataclass(frozen=True, slots=True)
class _Trials:
    """Simulated experiments of one task, and their sums under every labelling: of scores, squares, candidates, scores of candidates."""

    runs: Floats
    parts: tuple[Floats, Floats, Floats, Floats]
    sizes: tuple[int, int]

    @classmethod
    def of(cls, n: int, m: int) -> _Trials:
        runs = Streams(0).block("gate/reach", n, m).normal(size=(EXPERIMENTS, n + m))
        masks = labellings((n, m), n_labellings((n, m)), Streams(0), 0).T
        own = np.repeat([0.0, 1.0], [n, m])
        return cls(runs, (runs @ masks, runs**2 @ masks, (own @ masks)[None, :], (runs * own) @ masks), (n, m))

    def statistic(self, shift: Floats) -> Floats:
        """Return t of every experiment under every labelling, that of the data first, the candidate's scores being shifted."""
        (n, m), by = self.sizes, shift[:, None]
        scores, squares, moved, moved_scores = self.parts
        s, q = scores + by * moved, squares + 2 * by * moved_scores + by**2 * moved
        values = self.runs + by * np.repeat([0.0, 1.0], [n, m])
        rest_s, rest_q = values.sum(axis=1, keepdims=True) - s, (values**2).sum(axis=1, keepdims=True) - q
        squared = (q - s * s / n) / (n * (n - 1)) + (rest_q - rest_s * rest_s / m) / (m * (m - 1))
        return np.asarray((s / n - rest_s / m) / np.sqrt(np.maximum(squared, TINY)))


def fewest_runs(alpha: float) -> int:
    """Return the fewest runs of each whose labellings are rare enough to call a drop at all."""
    return next(n for n in range(2, MOST) if n_labellings((n, n)) >= 1 / (alpha * (1 + ROUNDING)))


def reaches_of(parts: Sequence[PairData], alpha: float) -> list[Reach | None]:
    """Return the reach of each unit at its first-step share of alpha; None where runs do not vary."""
    if len(parts) == 1:
        return [reach_of(parts[0], alpha, 1, alone=True)]
    n_tasks = len(parts) - 1
    return [*(reach_of(part, alpha * (1 - HALF), n_tasks) for part in parts[:-1]), reach_of(parts[-1], alpha * HALF, 1)]


def reach_of(part: PairData, alpha: float, n_together: int, *, alone: bool = False) -> Reach | None:
    """Return the reach of a unit that shares alpha with so many in all; None where runs do not vary."""
    drop = part.difference
    if drop.df is None:
        return None
    cells = part.as_one_task().cells if part.shared else part.cells
    blocks = len(cells) // 2
    return Reach(
        error=drop.error,
        df=drop.df,
        variance=sum(float(cell.var(ddof=1)) for cell in cells) / blocks**2,
        sizes=(part.n_runs_a[0], part.n_runs_b[0]),
        n_tasks=blocks,
        n_together=n_together,
        alpha=alpha,
        alone=alone,
    )
