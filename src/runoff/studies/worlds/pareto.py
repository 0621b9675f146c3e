"""Pareto: a power law on x ≥ 1. Casesa (2024) eqs. 3.15-3.16."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("pareto")
@dataclass(frozen=True, slots=True, kw_only=True)
class Pareto(Family):
    """Tail exponent `b`, above 2."""

    b: float

    def __post_init__(self) -> None:
        check_above("pareto", "b", self.b, 2.0, "with b ≤ 2 the variance is infinite and cannot be enforced")

    @property
    def raw_mean(self) -> float:
        return self.b / (self.b - 1.0)

    @property
    def raw_variance(self) -> float:
        return self.b / ((self.b - 1.0) ** 2 * (self.b - 2.0))

    @property
    def raw_median(self) -> float:
        return float(2.0 ** (1.0 / self.b))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return 1.0 + generator.pareto(self.b, size)
