"""The chance that a pair is still told apart by the last look, if the true difference is so large."""

from __future__ import annotations

from math import sqrt

import numpy as np

from runoff._inference.sequential.boundaries import exits
from runoff._inference.sequential.design import SequentialDesign
from runoff.base.arrays import Floats


def conditional_power(design: SequentialDesign, look: int, difference: float, error: float) -> float | None:
    """Return it for `design.effect` in the direction that is more likely to be found, given the difference so far and its standard error.

    For one pair of normal means of known spread, at the boundaries of the design: a family of pairs has less. None where no effect was named,
    no look is left, or the error is 0.
    """
    if design.effect is None or look + 1 >= design.n_looks or error == 0.0:
        return None
    now, left = design.information[look], design.information[look + 1 :]
    at_end = error * sqrt(now)
    so_far = (now, difference / error * sqrt(now))
    bounds = design.boundaries[look + 1 :]
    chances = []
    for effect in (design.effect, -design.effect):
        leaving = exits(bounds, [-b for b in bounds], left, drift=effect / at_end, start=so_far)
        chances.append(float((leaving.above if effect > 0 else leaving.below).sum()))
    return max(chances)


def standard_error(first: list[Floats], second: list[Floats]) -> float:
    """Return the standard error of the difference of two means over tasks; the scores of each task."""
    variances = [np.var(cell, ddof=1) / cell.size for cell in (*first, *second)]
    return float(np.sqrt(np.sum(variances))) / len(first)
