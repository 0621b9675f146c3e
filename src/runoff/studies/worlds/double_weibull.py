"""Double Weibull: symmetric, with two humps for c > 1. Casesa (2024) eqs. 3.13-3.14."""

from __future__ import annotations

from dataclasses import dataclass
from math import gamma

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("double_weibull")
@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleWeibull(Family):
    """Shape `c`, above 0."""

    c: float

    def __post_init__(self) -> None:
        check_above("double_weibull", "c", self.c, 0.0, "c is a shape")

    @property
    def raw_mean(self) -> float:
        return 0.0

    @property
    def raw_variance(self) -> float:
        return gamma(1.0 + 2.0 / self.c)

    @property
    def raw_median(self) -> float:
        return 0.0

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        heights = generator.weibull(self.c, size)
        return np.where(generator.random(size) < 0.5, -heights, heights)
