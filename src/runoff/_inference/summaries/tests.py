"""Welch's test of contrasts from summaries, Holm over all of them, and the smallest number of runs that would carry each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from runoff._arrays import Floats
from runoff._inference.about import SMALLEST
from runoff._inference.family import adjust
from runoff._inference.summaries.contrast import Contrast
from runoff._inference.summaries.spreads import SPREADS, Spread
from runoff._inference.two_sample import outcome_from_moments
from runoff._kernels.two_sample.parametric import signed_ratio
from runoff.results.published import PublishedCell

MOST_RUNS = 100_000
"""Runs of a cell up to which a number that would carry a claim is sought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Of one contrast: Welch's t in favour of a, its degrees of freedom, p as printed, adjusted, and adjusted at the least favourable
    rounding."""

    statistic: float
    df: float
    pvalue: float
    adjusted: float
    rounded: float


@dataclass(frozen=True, slots=True)
class _Told:
    statistic: Floats
    df: Floats
    pvalue: Floats


def answers(family: Sequence[Contrast], kind: str) -> list[Answer]:
    """Return what each contrast of a family is worth if ± is of this kind; every cell has its ± and its n."""
    told = _tested(family, SPREADS[kind], None, worst=False)
    adjusted = adjust(told.pvalue)
    rounded = adjust(_tested(family, SPREADS[kind], None, worst=True).pvalue)
    rows = zip(told.statistic, told.df, told.pvalue, adjusted, rounded, strict=True)
    return [
        Answer(statistic=float(t), df=float(df), pvalue=float(p), adjusted=float(q), rounded=max(float(r), float(q)))
        for t, df, p, q, r in rows
    ]


def smallest_runs(family: Sequence[Contrast], kind: str, alpha: float) -> list[int | None]:
    """Return, for each contrast, the smallest n that would carry it, the same in every cell; None up to `MOST_RUNS`.

    With ± as it is, no p-value grows with n, so no adjusted one does: found by bisection, the numbers rounded in the least favourable way.
    """
    known: dict[int, Floats] = {}

    def carried(n: int, i: int) -> bool:
        if n not in known:
            known[n] = adjust(_tested(family, SPREADS[kind], n, worst=True).pvalue)
        return bool(known[n][i] <= alpha)

    return [_bisected(lambda n, i=i: carried(n, i)) for i in range(len(family))]  # type: ignore[misc]


def _bisected(carried: Callable[[int], bool]) -> int | None:
    high = 2
    while not carried(high):
        if high == MOST_RUNS:
            return None
        high = min(2 * high, MOST_RUNS)
    low = max(high // 2, 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if carried(middle) else (middle, high)
    return high


def _tested(family: Sequence[Contrast], spread: Spread, n: int | None, *, worst: bool) -> _Told:
    """Test each contrast; `n` stands for all runs where it is given, `worst` takes every rounding as it hurts most."""
    size = len(family)
    told = _Told(np.zeros(size), np.full(size, np.inf), np.ones(size))
    alone: dict[tuple[int, int], list[int]] = {}
    for i, one in enumerate(family):
        if one.joint:
            told.statistic[i], told.df[i], told.pvalue[i] = _average(one, spread, n, worst)
        else:
            alone.setdefault((_runs(one.x[0], n), _runs(one.y[0], n)), []).append(i)
    for sizes, members in alone.items():
        _singles(told, [family[i] for i in members], np.array(members), spread, sizes, worst)
    return told


def _runs(cell: PublishedCell, n: int | None) -> int:
    return n if n is not None else int(cell.n or 0)


def _singles(
    told: _Told, family: Sequence[Contrast], at: np.ndarray, spread: Spread, sizes: tuple[int, int], worst: bool
) -> None:
    """Fill in Welch's test of contrasts on one task whose numbers of runs are these."""
    difference = np.array([_difference(one, worst) for one in family])
    variances = [
        n * spread.error(np.array([_width(cells[0], worst) for cells in sides]), np.full(len(family), float(n))) ** 2
        for sides, n in zip(([one.x for one in family], [one.y for one in family]), sizes, strict=True)
    ]
    nought = np.zeros(len(family))
    found = outcome_from_moments("welch", (difference, variances[0], sizes[0]), (nought, variances[1], sizes[1]))
    told.statistic[at], told.pvalue[at] = found.statistic, found.pvalue
    told.df[at] = np.inf if found.df is None else found.df


def _average(one: Contrast, spread: Spread, n: int | None, worst: bool) -> tuple[float, float, float]:
    """Return t, df and p of an average over tasks, whose cells are independent (Welch-Satterthwaite over all of them).

    Without any spread p is the largest of those of the tasks, which are that of complete separation or 1.
    """
    runs = np.array([float(_runs(cell, n)) for cell in one.cells])
    squares = spread.error(np.array([_width(cell, worst) for cell in one.cells]), runs) ** 2
    total, difference = squares.sum() / len(one.x) ** 2, _difference(one, worst)
    t = float(signed_ratio(np.array([difference]), np.array([total]))[0])
    if total == 0.0:
        tasks = [
            Contrast(a=one.a, b=one.b, x=(x,), y=(y,), signs=(sign,))
            for x, y, sign in zip(one.x, one.y, one.signs, strict=True)
        ]
        return t, float(runs.sum() - runs.size), float(_tested(tasks, spread, n, worst=worst).pvalue.max())
    df = 1.0 / float(((squares / squares.sum()) ** 2 / (runs - 1)).sum())
    return t, df, max(2.0 * float(stdtr(df, -abs(t))), SMALLEST)


def _difference(one: Contrast, worst: bool) -> float:
    found = one.difference
    return found if not worst else max(abs(found) - one.slack, 0.0) * (1 if found > 0 else -1)


def _width(cell: PublishedCell, worst: bool) -> float:
    return (cell.spread or 0.0) + (cell.spread_unit / 2 if worst else 0.0)
