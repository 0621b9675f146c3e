"""When runs first reach a score: times of runs that never do are censored at their last evaluation (SciPy's censored data)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff._arrays import Bools, Floats
from runoff._inference.about import SMALLEST
from runoff.curves import Curves

if TYPE_CHECKING:
    from scipy import stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The step at which each run of a cell was first evaluated at the threshold or above, or last evaluated where it never was."""

    times: Floats
    reached: Bools

    @property
    def censored(self) -> stats.CensoredData:
        from scipy import stats

        return stats.CensoredData(uncensored=self.times[self.reached], right=self.times[~self.reached])

    def median(self, confidence_level: float) -> tuple[float | None, float | None, float | None]:
        """Return the Kaplan-Meier median and its interval (log-log, Greenwood's variance); None where the curve does not come down to a half."""
        from scipy import stats

        if not self.reached.any():
            return None, None, None
        survival: Any = stats.ecdf(self.censored).sf
        if len(self.times) < 2 or self.reached.sum() < 2:
            return _first_below(survival.quantiles, survival.probabilities), None, None
        with warnings.catch_warnings():
            # SciPy warns that the formula has no ends where all runs, or none, are past a step: they are its estimate there, and 1.
            warnings.simplefilter("ignore", RuntimeWarning)
            ends: Any = survival.confidence_interval(confidence_level, method="log-log")
        known = survival.probabilities
        low = np.where(np.isnan(ends.low.probabilities), known, ends.low.probabilities)
        high = np.nan_to_num(ends.high.probabilities, nan=1.0)
        return tuple(_first_below(survival.quantiles, chances) for chances in (known, low, high))  # type: ignore[return-value]


def _first_below(steps: Floats, chances: Floats) -> float | None:
    """Return the first step at which at most half of the runs have not reached it."""
    found = np.flatnonzero(chances <= 0.5 + 1e-12)
    return float(steps[found[0]]) if found.size else None


def times_of(curves: Curves, a: int, t: int, threshold: float) -> Times | None:
    """Return the times of one cell, None where it has no runs."""
    cell = a * len(curves.tasks) + t
    start, stop = curves.cell_offsets[cell : cell + 2].tolist()
    times, reached = [], []
    for i in range(start, stop):
        steps, scores = curves.curve(i)
        above = np.flatnonzero(scores >= threshold)
        reached.append(above.size > 0)
        times.append(float(steps[above[0]] if above.size else steps[-1]))
    return Times(times=np.array(times), reached=np.array(reached)) if times else None


def logrank_pvalue(one: Times, other: Times) -> float:
    """Return the two-sided p-value of the log-rank test; 1 where no run of either reached it."""
    from scipy import stats

    if not (one.reached.any() or other.reached.any()):
        return 1.0
    with np.errstate(all="ignore"):
        found = float(stats.logrank(one.censored, other.censored).pvalue)
    return max(found, SMALLEST) if found == found else 1.0
