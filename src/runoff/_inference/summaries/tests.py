"""Welch's test of contrasts from summaries, Holm over all of them, and the smallest number of runs that would carry each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb, fsum

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from runoff._inference.about import SMALLEST
from runoff._inference.family import adjust
from runoff._inference.power import fewest
from runoff._inference.summaries.contrast import SPREADS, Contrast, Spread
from runoff._inference.two_sample import outcome_from_moments
from runoff._kernels.two_sample.parametric import signed_ratio
from runoff.base.arrays import Floats

MOST_RUNS = 100_000
"""Runs of a cell up to which a number that would carry a claim is sought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The test of one contrast: Welch's t in favour of a, its df, p as printed, adjusted, and adjusted at the least favourable rounding."""

    statistic: float
    df: float
    pvalue: float
    adjusted: float
    rounded: float


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers of a family of contrasts.

    difference: (n,); single: the positions of the contrasts on one task, whose ± and runs are widths and runs, (m, 2); joint: position, ± and
    runs of each average over tasks, the cells of a first.
    """

    difference: Floats
    single: NDArray[np.int64]
    widths: Floats
    runs: Floats
    joint: tuple[tuple[int, Floats, Floats], ...]

    @classmethod
    def of(cls, family: Sequence[Contrast], *, worst: bool) -> _Numbers:
        """Return the numbers of a family; with `worst`, as rounding may have changed them to its disadvantage."""
        rounding = 0.5 if worst else 0.0
        cells = [[(cell.spread or 0.0) + rounding * cell.spread_unit for cell in source.cells] for source in family]
        widths = list(map(np.array, cells))
        runs = [np.array([float(cell.n or 0) for cell in contrast.cells]) for contrast in family]
        single = [i for i, contrast in enumerate(family) if not contrast.joint]
        return cls(
            np.array([_difference(contrast, worst) for contrast in family]),
            np.array(single, dtype=np.int64),
            np.array([widths[i] for i in single]).reshape(-1, 2),
            np.array([runs[i] for i in single]).reshape(-1, 2),
            tuple((i, widths[i], runs[i]) for i, contrast in enumerate(family) if contrast.joint),
        )

    def with_runs(self, n: int) -> _Numbers:
        """Return the same with so many runs in every cell."""
        joint = tuple((i, widths, np.full(runs.size, float(n))) for i, widths, runs in self.joint)
        return replace(self, runs=np.full(self.runs.shape, float(n)), joint=joint)


def answers(family: Sequence[Contrast], kind: str) -> list[Answer]:
    """Return the test of each contrast of a family if ± is of this kind; every cell has its ± and its n."""
    statistic, df, pvalue = _tested(_Numbers.of(family, worst=False), SPREADS[kind])
    rounded = adjust(_tested(_Numbers.of(family, worst=True), SPREADS[kind])[2])
    columns = [statistic, df, pvalue, adjust(pvalue), rounded]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Answer(statistic=t, df=f, pvalue=p, adjusted=q, rounded=max(r, q)) for t, f, p, q, r in rows]


def smallest_runs(family: Sequence[Contrast], kind: str, alpha: float, *, worst: bool = True) -> list[int | None]:
    """Return, for each contrast, the smallest n that would carry it, the same in every cell; None up to `MOST_RUNS`.

    With ± as it is, no p-value grows with n, so no adjusted one does: found by bisection; with `worst` the numbers rounded in the least
    favourable way.
    """
    numbers, adjusted = _Numbers.of(family, worst=worst), dict[int, Floats]()

    def carried(i: int, n: int) -> bool:
        if n not in adjusted:
            adjusted[n] = adjust(_tested(numbers.with_runs(n), SPREADS[kind])[2])
        return bool(adjusted[n][i] <= alpha)

    return [fewest(partial(carried, i), MOST_RUNS) for i in range(len(family))]


def _tested(numbers: _Numbers, spread: Spread) -> tuple[Floats, Floats, Floats]:
    """Return t, df and p of each contrast: by Welch's test, those on one task in batches of equal numbers of runs."""
    size = numbers.difference.size
    statistic, df, pvalue = np.zeros(size), np.full(size, np.inf), np.ones(size)
    for i, widths, runs in numbers.joint:
        statistic[i], df[i], pvalue[i] = _average(numbers.difference[i], widths, runs, spread)
    for n_x, n_y in np.unique(numbers.runs, axis=0):
        members = (numbers.runs == (n_x, n_y)).all(axis=1)
        at = numbers.single[members]
        x, y = (
            n * spread.error(width, np.full(at.size, n)) ** 2
            for width, n in zip(numbers.widths[members].T, (n_x, n_y), strict=True)
        )
        outcome = outcome_from_moments("welch", (numbers.difference[at], x, int(n_x)), (np.zeros(at.size), y, int(n_y)))
        statistic[at], pvalue[at] = outcome.statistic, outcome.pvalue
        df[at] = np.inf if outcome.df is None else outcome.df
    return statistic, df, pvalue


def _average(difference: float, widths: Floats, runs: Floats, spread: Spread) -> tuple[float, float, float]:
    """Return t, df and p of an average over tasks, whose cells are independent (Welch-Satterthwaite over all of them).

    Without any spread p is that of complete separation on the task with the fewest runs.
    """
    squares = spread.error(widths, runs) ** 2
    n_tasks = runs.size // 2
    total = squares.sum() / n_tasks**2
    t = float(signed_ratio(np.array([difference]), np.array([total]))[0])
    if total == 0.0:
        # Integers are divided: beyond a thousand runs the number of labellings is no float, and the share rounds to 0.
        rarest = (2 / comb(int(n + m), int(n)) for n, m in runs.reshape(2, n_tasks).T)
        return t, float(runs.sum() - runs.size), 1.0 if difference == 0.0 else max(SMALLEST, *rarest)
    df = 1.0 / float(((squares / squares.sum()) ** 2 / (runs - 1)).sum())
    return t, df, max(2.0 * float(stdtr(df, -abs(t))), SMALLEST)


def _difference(contrast: Contrast, worst: bool) -> float:
    """Return the difference in favour of a; at `worst` it is nearer to 0, by as much as rounding may have moved it."""
    difference = contrast.difference
    if not worst:
        return difference
    slack = fsum(cell.mean_unit for cell in contrast.cells) / 2 / len(contrast.x)
    return max(abs(difference) - slack, 0.0) * (1 if difference > 0 else -1)
