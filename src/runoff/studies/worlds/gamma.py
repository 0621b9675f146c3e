"""Gamma: from exponential to nearly normal. Casesa (2024) eqs. 3.9-3.10."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("gamma")
@dataclass(frozen=True, slots=True, kw_only=True)
class Gamma(Family):
    """Shape `a`, above 0."""

    a: float

    def __post_init__(self) -> None:
        check_above("gamma", "a", self.a, 0.0, "a is a shape")

    @property
    def raw_mean(self) -> float:
        return self.a

    @property
    def raw_variance(self) -> float:
        return self.a

    @property
    def raw_median(self) -> float:
        return float(special.gammaincinv(self.a, 0.5))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return generator.standard_gamma(self.a, size)
