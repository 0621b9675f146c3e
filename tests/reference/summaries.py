"""Slow twins of `runoff._inference.summaries`: SciPy's test of summaries, Holm by its definition, the smallest n by trying each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from scipy import stats

Cell = tuple[float, float, int]
"""Mean, ±, n."""

SD: dict[str, Callable[[float, int], float]] = {
    "sd": lambda width, n: width,
    "population_sd": lambda width, n: width * sqrt(n / (n - 1)),
    "se": lambda width, n: width * sqrt(n),
}
"""The standard deviation that each kind of ± stands for."""
for _level in (90, 95, 99):
    _end = 0.5 + _level / 200
    SD |= {
        f"ci{_level}_t": lambda width, n, q=_end: width * sqrt(n) / stats.t.ppf(q, n - 1),
        f"ci{_level}_normal": lambda width, n, q=_end: width * sqrt(n) / stats.norm.ppf(q),
        # resampling n runs gives the variance with n in its denominator
        f"ci{_level}_bootstrap": lambda width, n, q=_end: width * n / sqrt(n - 1) / stats.norm.ppf(q),
    }


def welch(x: Cell, y: Cell, kind: str) -> float:
    """Return the two-sided p-value of Welch's test."""
    (m, v, n), (o, w, k) = x, y
    return float(stats.ttest_ind_from_stats(m, SD[kind](v, n), n, o, SD[kind](w, k), k, equal_var=False).pvalue)


def welch_over(pairs: Sequence[tuple[Cell, Cell]], kind: str) -> float:
    """Return p of the average difference over tasks, its degrees of freedom written out."""
    cells = [(SD[kind](width, n) ** 2 / n, n) for pair in pairs for _, width, n in pair]
    total = sum(e for e, _ in cells)
    df = total**2 / sum(e**2 / (n - 1) for e, n in cells)
    difference = sum(x[0] - y[0] for x, y in pairs)
    return float(2 * stats.t.sf(abs(difference) / sqrt(total), df))


def holm(pvalues: Sequence[float]) -> list[float]:
    """Return adjusted p-values: the largest of (m − j) p over all steps j up to a p-value's own."""
    order = np.argsort(pvalues, kind="stable")
    steps = [min(1.0, (len(pvalues) - j) * pvalues[i]) for j, i in enumerate(order)]
    adjusted = [0.0] * len(pvalues)
    for j, i in enumerate(order):
        adjusted[i] = max(steps[: j + 1])
    return adjusted


def smallest_n(pairs: Sequence[tuple[Cell, Cell]], at: int, kind: str, alpha: float, most: int) -> int | None:
    """Return the least n of all cells with which pair number `at` is found, by trying every n."""
    for n in range(2, most + 1):
        family = [welch((x[0], x[1], n), (y[0], y[1], n), kind) for x, y in pairs]
        if holm(family)[at] <= alpha:
            return n
    return None
