"""The chance that a pair which goes on is found different by the last look."""

from __future__ import annotations

from math import sqrt

from runoff._inference.sequential.boundaries import exits
from runoff._inference.sequential.design import SequentialDesign


def conditional_power(design: SequentialDesign, look: int, difference: float, error: float) -> float | None:
    """Return the chance that a pair is found different by the last look if the true difference is `design.effect`, given the difference so far.

    The effect is taken in the direction that is more likely to be found; `error` is the standard error of the difference. The law is that of
    one pair of normal means of known spread, at the boundaries of the design: a family of pairs has less. None where no effect was named, no
    look is left, or the error is 0.
    """
    if design.effect is None or look + 1 >= design.n_looks or error == 0.0:
        return None
    now, left = design.information[look], design.information[look + 1 :]
    # B(t) has the mean θ t, θ being the difference over its error at the end; that is √t times the error now.
    at_end = error * sqrt(now)
    so_far = (now, difference / error * sqrt(now))
    bounds = design.boundaries[look + 1 :]
    chances = []
    for effect in (design.effect, -design.effect):
        leaving = exits(bounds, [-b for b in bounds], left, drift=effect / at_end, start=so_far)
        chances.append(float((leaving.above if effect > 0 else leaving.below).sum()))
    return max(chances)
