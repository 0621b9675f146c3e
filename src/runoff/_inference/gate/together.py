"""P-values and limits of all units together: the mean of all tasks has one half of the error rate, the tasks share the other.

Where the mean is decided, its half passes on to the tasks. That is closed testing with Bonferroni's inequality between mean and tasks, and
step-down within the tasks (Bretz, Maurer, Brannath & Posch 2009; Westfall & Young 1993): any wrong decision, whichever hypotheses are true,
has a chance of at most alpha.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._inference.bootstrap import Mean
from runoff._inference.gate.family import Family
from runoff.base.arrays import Bools, Floats

HALF = 0.5
"""The share of the mean of all tasks."""
ALIKE = 1e-8
"""Tails that differ by less than this share of them are equal: sums were added in another order."""
HALVINGS = 12
"""Of a limit: it then errs by less than a thousandth of its distance from the drop."""
DOUBLINGS = 9
"""A limit that is more than 500 standard errors away is none."""
ROWS = 5_040
"""Labellings that limits are made of, at most."""


def adjusted(tails: Floats, able: Bools) -> Floats:
    """Return the adjusted p-values of all units, (n_units,), of tails (n_units, n_draws), those of the data first.

    able: whether the runs of a task have labellings that are rare enough for any decision; others do not count against it.
    """
    if len(tails) == 1:
        return alone(tails)
    return shared_out(float(alone(tails[-1:])[0]), step_down(tails[:-1], able[:-1]))


def shared_out(mean: float, tasks: Floats) -> Floats:
    """Return adjusted p-values of the tasks and of their mean, of those of the tasks among themselves and that of the mean by itself."""
    mean = min(1.0, mean / HALF)
    among = np.minimum(tasks / (1 - HALF), np.maximum(tasks, mean))
    return np.append(np.minimum(1.0, among), mean)


def step_down(tails: Floats, able: Bools) -> Floats:
    """Return p-values of each task against the smallest tail of those that are not smaller than its own in the data.

    Westfall & Young (1993), algorithm 2.8: strong control, since the tails of tasks without a difference have their own law, whatever others do.
    """
    adjusted_values = alone(tails)
    if not able.any():
        return adjusted_values
    order = np.flatnonzero(able)[np.argsort(tails[able, 0], kind="stable")]
    least = np.minimum.accumulate(tails[order[::-1]], axis=0)[::-1]
    pvalues = [_share(row, observed) for row, observed in zip(least, tails[order, 0], strict=True)]
    adjusted_values[order] = np.maximum.accumulate(np.array(pvalues))
    return adjusted_values


def alone(tails: Floats) -> Floats:
    """Return the p-value of each unit by itself."""
    return np.array([_share(row, row[0]) for row in tails])


def _share(null: Floats, observed: float) -> float:
    """Return the share of labellings with a tail as small as that of the data."""
    return float((null <= observed * (1 + ALIKE)).mean())


def limits(
    family: Family, estimates: Sequence[Mean], levels: Sequence[float], margin: float, kept: Sequence[bool]
) -> list[float | None]:
    """Return upper limits of all drops, each at its level; None where there is none.

    The inversion of the tests by bisection, the other tasks being held against the margin. A unit that is held lies below it.
    """
    error, start = (np.array([getattr(mean, name) for mean in estimates]) for name in ("error", "estimate"))
    others = _least_of_others(family.below([margin] * start.size)[:, :ROWS])
    level = np.array(levels) * (1 + ALIKE)

    def ruled_out(ends: Floats) -> Bools:
        tails = family.below(ends.tolist(), ROWS)
        out: Bools = (np.minimum(tails, others) <= tails[:, :1] * (1 + ALIKE)).mean(axis=1) <= level
        return out

    low, high = start, start + error
    for _ in range(DOUBLINGS):
        high = np.where(ruled_out(high), high, low + 2 * (high - low))
    limited = ruled_out(high) | np.asarray(kept)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        out = ruled_out(middle)
        low, high = np.where(out, low, middle), np.where(out, middle, high)
    ends = [min(end, margin) if keep else max(end, margin) for end, keep in zip(high.tolist(), kept, strict=True)]
    return [
        end if there and mean.df is not None else None
        for end, there, mean in zip(ends, limited.tolist(), estimates, strict=True)
    ]


def _least_of_others(tails: Floats) -> Floats:
    """Return, for each task, the smallest tail of the other tasks under every labelling; inf for the mean, and for a single task."""
    least = np.full_like(tails, np.inf)
    tasks = tails[:-1]
    if len(tasks) > 1:
        first, second = np.partition(tasks, 1, axis=0)[:2]
        least[:-1] = np.where(tasks == first, second, first)
    return least
