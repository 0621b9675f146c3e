"""Beta: bounded on both sides, like a success rate. Casesa (2024) eqs. 3.11-3.12."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("beta")
@dataclass(frozen=True, slots=True, kw_only=True)
class Beta(Family):
    """Shapes `a` and `b`, above 0."""

    a: float
    b: float

    def __post_init__(self) -> None:
        check_above("beta", "a", self.a, 0.0, "a is a shape")
        check_above("beta", "b", self.b, 0.0, "b is a shape")

    @property
    def raw_mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def raw_variance(self) -> float:
        total = self.a + self.b
        return self.a * self.b / (total**2 * (total + 1.0))

    @property
    def raw_median(self) -> float:
        return float(special.betaincinv(self.a, self.b, 0.5))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return generator.beta(self.a, self.b, size)
