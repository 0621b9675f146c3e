"""The law of a difference of success rates: Newcombe's interval and its inversion, on one task Boschloo's exact test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from runoff._inference.about import SMALLEST
from runoff._inference.bootstrap import Ends, Rate, mean_rate, newcombe, rate_of
from runoff._inference.pairs.chance import EVEN
from runoff._inference.two_sample import LARGEST, boschloo, smallest_boschloo
from runoff.base.arrays import Bools, Floats

ROUNDING = 1e-12
"""Means that differ by less than this share of them are equal: the order of addition decides between them."""


@dataclass(frozen=True, slots=True, eq=False)
class RateLaw:
    """The difference of success rates: Newcombe's interval, and the p-values that invert it.

    won: on one task, (successes of a, runs of a, successes of b, runs of b). There Boschloo's exact test decides about equal rates, as far
    as its tables reach, and the interval holds 0 exactly where that does not reject. by_task: successes and runs of a on each task, then of
    b. chance: the probability of improvement instead, which is
    ½ more than half the difference.
    """

    x: Rate
    y: Rate
    won: tuple[int, int, int, int] | None = None
    chance: bool = False
    by_task: tuple[Floats, ...] = ()

    kind = "newcombe"
    laws = ()

    @property
    def even(self) -> float:
        return EVEN if self.chance else 0.0

    @property
    def value(self) -> float:
        difference = float(self.x.value - self.y.value)
        difference = 0.0 if abs(difference) <= ROUNDING else difference
        return (1 + difference) / 2 if self.chance else difference

    @property
    def least(self) -> float:
        """Return the smallest p-value that runs of these numbers can have, where it is known."""
        return 0.0 if self.won is None else smallest_boschloo(self.won[1], self.won[3])

    def interval(self, level: float) -> Ends:
        """Return the interval, with width whatever the rates are."""
        low, high = map(float, self._ends(1 - level))
        if self.won is not None:
            even = self.even
            # A shade more, so that the even value of a rejection lies outside.
            if self.pvalue(even) > (1 - level) * (1 + 1e-9):
                low, high = min(low, even), max(high, even)
            elif low <= even <= high:
                beside = even + (self.value - even) * BESIDE
                low, high = (beside, high) if self.value > even else (low, beside)
        return low, high

    def detectable(self, alpha: float, power: float = 0.8) -> float:
        """Return the true difference that new runs of these numbers would find with `power`, whoever is ahead; inf where none is as large."""
        first, second = self.by_task[:2], self.by_task[2:]
        reach = max(rates_reach(first, second, alpha, power), rates_reach(second, first, alpha, power))
        return reach / 2 if self.chance else reach

    def _ends(self, alpha: Floats | float) -> tuple[Floats, Floats]:
        low, high = newcombe(self.x, self.y, alpha)
        return ((1 + low) / 2, (1 + high) / 2) if self.chance else (low, high)

    def pvalue(self, null: float = 0.0) -> float:
        """Return Boschloo's p-value of equal rates, or the smallest level at which the interval leaves the null value out."""
        if self.won is not None and null == self.even:
            return max(boschloo(*self.won), SMALLEST)

        def leaves_out(alpha: Floats) -> Bools:
            low, high = self._ends(alpha)
            return (low > null) | (high < null)

        return min(least_level(leaves_out, 1.0), 1.0)

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return the smallest one-sided level at which the interval lies within a margin of `even`, as the value does."""

        def lies_within(alpha: Floats) -> Bools:
            low, high = self._ends(2 * alpha)
            return (even - margin < low) & (high < even + margin)

        return 1.0 if abs(self.value - even) >= margin else least_level(lies_within, 0.5)


def rates_reach(ahead: tuple[Floats, ...], behind: tuple[Floats, ...], alpha: float, power: float) -> float:
    """Return the least true lead that Newcombe's test finds with `power`; ahead, behind: successes and runs, (n_tasks,) each.

    On each task one has the mean rate of both, and the other lies towards ½ and beyond, where rates vary most. The estimate is nearly normal
    and the test rejects beyond the difference d at which the interval of expected successes ends at 0: power is Φ((δ − d) / σ_δ).
    """
    (won_a, n), (won_b, m) = ahead, behind
    middle = ((won_a / n + won_b / m) / 2)[None]
    true = np.linspace(0.0, 1.0, STEPS)[:, None]
    # One keeps the mean rate, the other goes towards ½, where p (1 − p) is largest: the reach is not told too small.
    a = np.clip(np.where(middle < 0.5, middle + true, middle), true, 1.0)
    b = a - true
    low, _ = newcombe(mean_rate(a * n, n), mean_rate(b * m, m), alpha)
    spread = np.sqrt((a * (1 - a) / n + b * (1 - b) / m).sum(axis=1)) / n.size
    # Where the end of the interval of expected counts passes 0. Made monotone for the interpolation: at rates of 0 and 1 it may dip.
    edge = float(np.interp(0.0, np.maximum.accumulate(low), true[:, 0])) if low[-1] > 0 else np.inf
    lacks = np.maximum.accumulate(true[:, 0] - edge - special.ndtri(power) * spread)
    return float(np.interp(0.0, lacks, true[:, 0])) if lacks[-1] > 0 else np.inf


STEPS = 1001
"""True differences from 0 to 1 between which that of a power is interpolated."""
BESIDE = 1e-9
"""The share of an estimate at which an interval ends that leaves out "no difference" by its test alone."""


def rate_law(x: Sequence[Floats], y: Sequence[Floats], *, chance: bool) -> RateLaw:
    """Return the law of cells of 0 and 1, (n_runs,) each."""
    won = (int(x[0].sum()), x[0].size, int(y[0].sum()), y[0].size) if tabled(x, y) else None
    by_task = [np.array([count(cell) for cell in side], np.float64) for side in (x, y) for count in (np.sum, np.size)]
    return RateLaw(rate_of(x), rate_of(y), won, chance, by_task=tuple(by_task))


def rates_apart(x: Floats, y: Floats, alpha: float) -> Bools:
    """Return whether Newcombe's intervals leave 0 out, (n_batch,), of many experiments of one size, (n_batch, n_tasks, n_runs) each side."""
    n_runs = np.full(x.shape[1], float(x.shape[2]))
    low, high = newcombe(mean_rate(x.sum(axis=2), n_runs), mean_rate(y.sum(axis=2), n_runs), alpha)
    return np.asarray((low > 0) | (high < 0))


def tabled(x: Sequence[Floats], y: Sequence[Floats]) -> bool:
    """Return whether there is one task, and all results of its numbers of runs can be looked up."""
    return len(x) == 1 and (x[0].size + 1) * (y[0].size + 1) <= LARGEST


def least_level(holds: Callable[[Floats], Bools], most: float, *, cuts: int = 65) -> float:
    """Return the smallest alpha at which a statement about an interval holds; twice `most` if it never does.

    holds: (n,) levels → (n,) answers, which turn true once. The range of the logarithm is cut again and again, into so many levels at once.
    """
    low, high = np.log(LEAST_LEVEL), np.log(most)
    if not holds(np.exp([high]) * (1 - 1e-9))[0]:
        return 2 * most
    # 64 parts a call: eight calls reach thirteen digits of the logarithm, where halving takes 43.
    while high - low > 1e-13 * -low:
        levels = np.linspace(low, high, cuts)
        # At the last level it holds, as was seen before.
        first = int(np.argmax(np.append(holds(np.exp(levels[:-1])), True)))
        low, high = levels[max(first - 1, 0)], levels[first]
        if first == 0:
            break
    return float(np.exp(high))


LEAST_LEVEL = 1e-15
"""The lower end of the levels that `least_level` searches."""
