"""Several laws as one: their weighted mean, and the interval that is made of theirs (MOVER)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, hypot, sqrt

import numpy as np
import scipy
from scipy import special

from runoff._inference.bootstrap import Ends
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.rates import ROUNDING
from runoff._inference.pairs.score import ScoreLaw, lower_end
from runoff._inference.pairs.small import SmallLaw
from runoff.base.arrays import SMALLEST, Floats

FARTHEST = 37.0
"""Normal deviates beyond which a tail is no double."""


@dataclass(frozen=True, slots=True)
class MoverLaw:
    """The weighted mean of what strata say, with the interval that is made of theirs (MOVER: Zou & Donner 2008).

    With d, l and u of each stratum, weights w of sum 1 and Δ = Σ w d: Δ − √Σ w² (d − l)² and Δ + √Σ w² (u − d)². A p-value is the level at
    which this interval leaves the null value out, so that no verdict contradicts it.

    links: the correlations of the strata's errors, (n_strata, n_strata), where these share runs: Σ becomes ΣΣ r w (d − l) w′ (d′ − l′), of which
    the t interval of the weighted mean of whole runs is the case of means; None where strata are independent.
    """

    parts: tuple[PairLaw, ...]
    weights: tuple[float, ...]
    links: Floats | None = None

    kind = "mover"
    method = "asymptotic"
    pvalue_error = 0.0
    least = 0.0
    laws = ()

    @property
    def value(self) -> float:
        return fsum(weight * part.value for weight, part in zip(self.weights, self.parts, strict=True))

    def interval(self, level: float) -> Ends | None:
        """Return the interval; None where a stratum has none."""
        low, high = (self._reach((1 - level) / 2, side) for side in (-1, 1))
        if low is None or high is None:
            return None
        # An end that is 0 but for rounding is 0, as the p-value takes it.
        small = ROUNDING * abs(self.value)
        low, high = (0.0 if abs(end) <= small else end for end in (self.value - low, self.value + high))
        return low, high

    def pvalue(self, null: float = 0.0) -> float:
        return min(1.0, 2 * self._tail(null, -1 if self.value > null else 1)) if self.value != null else 1.0

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return the larger p-value of two one-sided tests that the value lies a margin or more from `even` (Schuirmann 1987)."""
        if abs(self.value - even) >= margin:
            return 1.0
        return max(self._tail(even - margin, -1), self._tail(even + margin, 1))

    def shares(self, level: float) -> tuple[float, ...]:
        """Return which share of the squared width each stratum has."""
        ends = [part.interval(level) or (part.value, part.value) for part in self.parts]
        squares = [(weight * (high - low)) ** 2 for weight, (low, high) in zip(self.weights, ends, strict=True)]
        return tuple(square / (fsum(squares) or 1.0) for square in squares)

    def _reach(self, half: float, side: int) -> float | None:
        """Return how far the interval reaches below (−1) or above the value, with `half` of one minus its level in that tail."""
        ends = [end_of(part, half, side) for part in self.parts]
        reached = [
            weight * (end - part.value)
            for weight, part, end in zip(self.weights, self.parts, ends, strict=True)
            if end is not None
        ]
        return joint_reach(reached, self.links) if len(reached) == len(ends) else None

    def _tail(self, null: float, side: int) -> float:
        """Return the half of one minus the level at which an end, below (−1) or above the value, is the null value; ½ where it never is."""
        # Ends of signed ranks are steps, which may stay at the null value: an interval that ends there still holds it.
        goal = abs(self.value - null) * (1 - ROUNDING)

        def lacks(deviate: float) -> float:
            reach = self._reach(float(special.ndtr(-deviate)), side)
            return 1.0 if reach is None else reach - goal

        near = 1e-6
        if lacks(near) >= 0:
            return 0.5
        if lacks(FARTHEST) < 0:
            return SMALLEST
        # On the scale of normal deviates an end is nearly a straight line.
        deviate, _ = scipy.optimize.brentq(lacks, near, FARTHEST, xtol=1e-9, rtol=1e-12, full_output=True)
        return max(float(special.ndtr(-deviate)), SMALLEST)


def joint_reach(reaches: Sequence[float], links: Floats | None = None) -> float:
    """Return the reach of a sum, from those of its terms; links: the correlations of their errors, None of independent ones."""
    if links is None:
        return hypot(*reaches)
    return sqrt(max(float(np.asarray(reaches) @ links @ np.asarray(reaches)), 0.0))


def end_of(law: PairLaw, half: float, side: int) -> float | None:
    """Return the end of an interval below (−1) or above the value, of which `half` is the chance of that tail; None without an interval."""
    if isinstance(law, ScoreLaw):
        # Of a score, and of relabelled runs, each end is a search of its own.
        lead = lower_end(law, half) if side < 0 else 0.0 - lower_end(law.turned(), half)
        return (1 + lead) / 2 if law.chance else lead
    if isinstance(law, SmallLaw):
        return law.end(1 - 2 * half, side)
    ends = law.interval(1 - 2 * half)
    return None if ends is None else ends[(side + 1) // 2]
