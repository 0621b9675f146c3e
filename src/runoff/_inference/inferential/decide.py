"""Inferential intervals: descriptive intervals, scaled about their estimates until overlap says what a test says.

An interval [t − b, t + u] becomes [t − ε b, t + ε u] (Casesa 2024 eq. 2.24). Of two estimates t₁ ≤ t₂ the ends that face each other are
t₁ + ε u₁ and t₂ − ε b₂; they touch at ε = (t₂ − t₁) / (u₁ + b₂). A formula proposes a factor for two algorithms; `lawful` moves it, if it
must, to where the intervals overlap if and only if the test does not reject. More algorithms: `runoff._inference.inferential.factors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from types import MappingProxyType

import numpy as np

from runoff._inference.inferential.factors import Facing, fair_factors
from runoff.base.arrays import Floats

MARGIN = 1e-3
"""Relative distance from touching: the 0.999 and 1.001 of the thesis's code."""
EQUAL = 1e-6
"""Estimates closer than this share of the intervals' reach look equal to any eye."""


@dataclass(frozen=True, slots=True)
class Spread:
    """An estimate, and how far its descriptive interval reaches below and above it (0 if the end is on the wrong side)."""

    estimate: float
    below: float
    above: float

    def ends(self, factor: float) -> tuple[float, float]:
        """Return the interval scaled about the estimate."""
        return self.estimate - factor * self.below, self.estimate + factor * self.above


@dataclass(frozen=True, slots=True)
class Decision:
    """What the test found for two algorithms, by position; `direction` is positive where it favours a."""

    a: int
    b: int
    pvalue: float
    rejected: bool
    direction: float


def spread(estimate: float, low: float, high: float) -> Spread:
    """Return the reach of an interval; an end beyond its own estimate (a skewed bootstrap) is taken at the estimate."""
    return Spread(estimate, max(estimate - low, 0.0), max(high - estimate, 0.0))


def facing(spreads: Sequence[Spread], decision: Decision) -> Facing:
    """Return the two intervals as they face each other."""
    lower, upper = sorted((decision.a, decision.b), key=lambda i: spreads[i].estimate)
    distance = spreads[upper].estimate - spreads[lower].estimate
    up, down = spreads[lower].above, spreads[upper].below
    scale = max(abs(spreads[lower].estimate), abs(spreads[upper].estimate))
    equal = distance <= max(EQUAL * (up + down), 1e-12 * scale)
    return Facing(
        lower=lower,
        upper=upper,
        distance=0.0 if equal else distance,
        up=up,
        down=down,
        pvalue=decision.pvalue,
        rejected=decision.rejected,
    )


def goldstein_healy(pair: Facing, alpha: float) -> float:
    """Return √(u² + b²) / (u + b): normal intervals then touch where the difference is just significant.

    Goldstein & Healy 1995 eq. 4, with the facing halves of the descriptive intervals in the place of z times the standard errors.
    """
    del alpha
    return hypot(pair.up, pair.down) / pair.reach if pair.reach > 0 else 1.0


def marasini(pair: Facing, alpha: float) -> float:
    """Return (t₂ − t₁ + P − α) / (u₁ + b₂), Casesa 2024 eq. 2.27; where that is not positive, eq. 2.28."""
    numerator = pair.distance + pair.pvalue - alpha
    return numerator / pair.reach if numerator > 0 and pair.reach > 0 else modified(pair, alpha)


def modified(pair: Facing, alpha: float) -> float:
    """Return (1 + P − α) (t₂ − t₁) / (u₁ + b₂) if the descriptive intervals contradict the test, else 1 (Casesa 2024 eq. 2.28)."""
    says_apart = pair.reach < pair.distance
    return 1.0 if says_apart == pair.rejected or pair.reach == 0 else pair.touch * (1 + pair.pvalue - alpha)


FORMULAS: Mapping[str, Callable[[Facing, float], float]] = MappingProxyType(
    {"modified": modified, "marasini": marasini, "goldstein_healy": goldstein_healy}
)


FOR_SEVERAL = ("goldstein_healy",)
"""Formulas whose authors propose a common factor for several groups: the mean over pairs."""


def lawful(pair: Facing, factor: float) -> float:
    """Return the factor nearest to the one proposed with which the two intervals overlap if and only if the test does not reject.

    Unchanged where none exists: equal estimates that the test tells apart, or distinct estimates without reach that it does not.
    """
    if pair.distance == 0 or pair.reach == 0:
        return factor
    if pair.rejected:
        return min(factor, pair.touch * (1 - MARGIN))
    return max(factor, pair.touch * (1 + MARGIN))


def inferential_factors(
    spreads: Sequence[Spread], decisions: Sequence[Decision], *, formula: str, alpha: float
) -> Floats:
    """Return one factor for each of the spreads, as close to what the formula proposes as the decisions allow.

    Two algorithms share the formula's factor. For more, the formula gives the target: 1 for "modified" and "marasini", which are only
    defined for a pair, and the mean over pairs for "goldstein_healy" (their own proposal for several groups). Gaps of alpha times the
    difference are aimed at, those of eq. 2.28 for a small p-value, so that the eye can see them.
    """
    pairs = [facing(spreads, decision) for decision in decisions]
    if not pairs:
        return np.ones(len(spreads))
    proposed = [FORMULAS[formula](pair, alpha) for pair in pairs]
    if len(spreads) == 2:
        return np.full(2, lawful(pairs[0], proposed[0]))
    target = float(np.mean(proposed)) if formula in FOR_SEVERAL else 1.0
    return fair_factors(pairs, len(spreads), target, (alpha, MARGIN))


def overlap(first: tuple[float, float], second: tuple[float, float]) -> bool:
    """Return whether two closed intervals share a point."""
    return max(first[0], second[0]) <= min(first[1], second[1])
